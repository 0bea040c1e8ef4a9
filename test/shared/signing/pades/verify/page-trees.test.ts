import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PdfRefused } from '../../../../../shared/signing/pades/refused.ts';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { runs } from '../../../../faults/fuzz.ts';
import { buildPdf, ONE_PAGE } from '../documents.ts';
import { company, messagesOf, OPTIONS, person, verify } from '../parties.ts';
import { appendUpdate, bodyOf } from '../tamper.ts';

const PAGE = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R>>';

const tree = (kids: string, more: Record<number, string> = {}): Buffer =>
  buildPdf({ ...ONE_PAGE, 2: `<</Type/Pages/Kids[${kids}]/Count 3>>`, ...more });

/** Signs twice; undefined where signing is refused. */
async function signedTwice(file: Buffer): Promise<Buffer | undefined> {
  try {
    return await signPades(await signPades(file, person, OPTIONS), company, OPTIONS);
  } catch (error) {
    if (error instanceof PdfRefused) return undefined;
    throw error;
  }
}

test.each<[string, Buffer]>([
  ['has a page that stands in its parent', tree(`3 0 R ${PAGE}`)],
  ['has a group of pages that stands in its parent', tree(`<</Kids[3 0 R ${PAGE}]/Count 2>> ${PAGE}`)],
  ['has the same page twice', tree('3 0 R 3 0 R')],
  ['goes round in a circle after the page', tree('3 0 R 2 0 R')],
  ['names pages that are missing or nothing', tree('3 0 R 77 0 R null 4 0 R 5 0 R')],
  ['has a page without a parent', tree('3 0 R', { 3: ONE_PAGE[3].replace('/Parent 2 0 R', '') })],
  [
    'has a page whose parent is elsewhere',
    tree('3 0 R', { 3: ONE_PAGE[3].replace('2 0 R', '9 0 R'), 9: '<<>>' }),
  ],
  [
    'is as deep as pages are looked for',
    tree(
      '10 0 R',
      Object.fromEntries(
        Array.from({ length: 64 }, (_, at) => [10 + at, `<</Kids[${at < 63 ? 11 + at : 3} 0 R]>>`]),
      ),
    ),
  ],
])('a second signature of ours leaves the first valid where the page tree %s', async (_, file) => {
  const twice = await signedTwice(file);
  const report = await verify(twice ?? file);
  expect([report.valid, report.signatures.length, messagesOf(report)]).toEqual([
    true,
    2,
    ['signature: A field was added and signed: "Signature2".'],
  ]);
});

test.each([
  ['the page stands in its parent', tree(PAGE), /page 1 is not an indirect object/],
  ['the tree goes round in a circle before the page', tree('2 0 R 3 0 R'), /goes round in a circle/],
])('a PDF is refused with the reason where %s', async (_, file, reason) => {
  await expect(signPades(file, person, OPTIONS)).rejects.toThrow(reason);
});

// Kids of up to three levels: indirect and direct nodes, pages, groups, circles and missing references.
const kid: fc.Arbitrary<string> = fc.letrec<{ kid: string; group: string }>((tie) => ({
  kid: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('3 0 R', '3 0 R', '10 0 R', '11 0 R', '2 0 R', '77 0 R', '4 0 R', 'null', '7', PAGE),
    tie('group'),
  ),
  group: fc
    .tuple(
      fc.array(tie('kid'), { maxLength: 3 }),
      fc.constantFrom('', '/Count 1', '/Count 2', '/Parent 2 0 R'),
    )
    .map(([kids, more]) => `<</Type/Pages/Kids[${kids.join(' ')}]${more}>>`),
})).kid;

test('whatever the page tree, the second signature leaves the first valid or is refused', async () => {
  const kids = fc.array(kid, { minLength: 1, maxLength: 4 }).map((list) => list.join(' '));
  await fc.assert(
    fc.asyncProperty(kids, kids, kids, async (root, ten, eleven) => {
      const file = tree(root, { 10: `<</Kids[${ten}]/Count 1>>`, 11: `<</Kids[${eleven}]/Parent 10 0 R>>` });
      const twice = await signedTwice(file);
      if (twice) expect(await verify(twice)).toMatchObject({ valid: true, signatures: [{}, {}] });
    }),
    { numRuns: runs(80) },
  );
});

test.each<[string, string, Record<number, string>]>([
  [
    'changes a page that stands in its parent',
    `3 0 R ${PAGE}`,
    { 2: `<</Type/Pages/Kids[3 0 R ${PAGE.replace('595', '100')}]/Count 3>>` },
  ],
  ['changes the contents of such a page', `3 0 R ${PAGE}`, { 4: ONE_PAGE[4].replace('100', '999') }],
  [
    'puts an annotation on such a page',
    `3 0 R ${PAGE}`,
    {
      2: `<</Type/Pages/Kids[3 0 R ${PAGE.replace('/Contents', '/Annots[<</Subtype/FreeText/Contents(999)/Rect[0 0 99 99]>>]/Contents')}]/Count 3>>`,
    },
  ],
  [
    'makes an object of such a page',
    `3 0 R ${PAGE}`,
    { 2: '<</Type/Pages/Kids[3 0 R 40 0 R]/Count 3>>', 40: PAGE },
  ],
  ['takes the circle out of the tree', '3 0 R 2 0 R', { 2: '<</Type/Pages/Kids[3 0 R]/Count 3>>' }],
  ['shows a page once less', '3 0 R 3 0 R', { 2: '<</Type/Pages/Kids[3 0 R]/Count 3>>' }],
  ['fills a reference to a page that was missing', '3 0 R 40 0 R', { 40: PAGE }],
])('it is a modification when a later save %s', async (_, kids, objects) => {
  const file = await signPades(tree(kids), person, OPTIONS);
  expect((await verify(file)).valid).toBe(true);
  const report = await verify(appendUpdate(file, { objects }));
  expect(report.signatures[0]).toMatchObject({ intact: true, unmodified: false });
});

// Shadow attack (replace): PDFBox, MuPDF and pdf.js go up by /Parent for inherited entries; poppler goes down the tree.
test('it is a modification when a page inherits something else from a parent outside the tree', async () => {
  const parent = '<</Resources<</Font<</F1 5 0 R>>>>>>';
  const file = await signPades(
    tree('3 0 R', { 3: ONE_PAGE[3].replace('2 0 R', '9 0 R'), 9: parent }),
    person,
    OPTIONS,
  );
  expect(bodyOf(file, 9)).toBe(parent);
  const report = await verify(appendUpdate(file, { objects: { 9: '<</Rotate 180>>' } }));
  expect(report.signatures[0]?.unmodified).toBe(false);
});
