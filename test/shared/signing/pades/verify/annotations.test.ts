import { describe, expect, test } from 'vitest';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { inMemory, verifyFile } from '../../../../../shared/signing/verification/verify-file.ts';
import { pki } from '../../cms/fixtures.ts';
import { buildPdf, ONE_PAGE } from '../documents.ts';
import { messagesOf, OPTIONS, person, verify } from '../parties.ts';
import { appendUpdate, bodyOf } from '../tamper.ts';

// Evil annotation attack: the signer allows annotations (DocMDP level 3), and one of them is no comment.
const LOOK = '/AP<</N 41 0 R>>';
const COVER =
  '<</Type/XObject/Subtype/Form/BBox[0 0 250 50]/Length 24>>\nstream\n1 g 0 0 250 50 re f     \nendstream';
const annotation = (kind: string, more = '', rect = '50 752 70 772'): string =>
  `<</Type/Annot/Subtype/${kind}/Rect[${rect}]/P 3 0 R${more}>>`;

// A title from 50 to 162 points with its base line at 760, one in red below it, and eight lines to its right.
const CONTENT = [
  'BT /F1 18 Tf 50 760 Td (Valor: R$ 100) Tj ET 1 0 0 rg BT /F1 8 Tf 50 560 Td (Multa de R$ 100) Tj ET 0 g',
  ...Array.from({ length: 8 }, (_, at) => `BT /F1 12 Tf 300 ${700 - 14 * at} Td (Clausula) Tj ET`),
].join(' ');
const quad = (left: number, bottom: number, right: number, top: number): string =>
  `${left} ${top} ${right} ${top} ${left} ${bottom} ${right} ${bottom}`;

const DOCUMENT = {
  ...ONE_PAGE,
  4: `<</Length ${CONTENT.length}>>\nstream\n${CONTENT}\nendstream`,
  3: ONE_PAGE[3].replace('/Contents', '/Annots[16 0 R 17 0 R 18 0 R]/Contents'),
  16: annotation('Text', '/Contents(Nota)'),
  17: annotation('Highlight', '/AP<</N 19 0 R>>/QuadPoints[50 760 70 760 50 740 70 740]'),
  18: annotation('FreeText', '/Contents(Valor: R$ 100)/DA(/F1 18 Tf)'),
  19: COVER,
};
const certified = await signPades(buildPdf(DOCUMENT), person, { ...OPTIONS, certify: 3 });

const added = (...annotations: readonly string[]): Buffer =>
  appendUpdate(certified, {
    objects: {
      3: bodyOf(certified, 3).replace(
        '18 0 R',
        `18 0 R ${annotations.map((_, at) => `${50 + at} 0 R`).join(' ')}`,
      ),
      41: COVER,
      ...Object.fromEntries(annotations.map((body, at) => [50 + at, body])),
    },
  });
const changed = (objects: Record<number, string>): Buffer => appendUpdate(certified, { objects });

const outcomeOf = async (file: Buffer) => {
  const trust = { anchors: [pki.root.certificate], revocation: 'skip' } as const;
  const report = await verifyFile(inMemory(file), { trust, atMs: Date.now() });
  const kinds = report.signatures.flatMap(({ changedParts }) => changedParts.map(({ kind }) => kind));
  return [report.outcome, ...new Set(kinds)];
};

describe('where the signer allows annotations, one that is added', () => {
  test.each([
    ...['FreeText', 'Stamp', 'Redact', 'Watermark', 'Square', 'Circle', 'Line', 'Polygon', 'PolyLine', 'Ink'],
    ...['Caret', 'Screen', 'Movie', '3D', 'RichMedia', 'Projection', 'PrinterMark', 'TrapNet', 'Unknown'],
  ])('and shows content (%s) is a changed document, with and without a look of its own', async (kind) => {
    for (const look of ['', LOOK])
      expect(await outcomeOf(added(annotation(kind, look)))).toEqual(['invalid', 'modification']);
  });

  test('says so in words that name the page', async () => {
    expect(messagesOf(await verify(added(annotation('Stamp', LOOK)))).at(-1)).toBe(
      'The document was changed after it was signed. An annotation that can hide the content or show another was added to page 1.',
    );
  });

  const MARKS = [
    'Text',
    'FileAttachment',
    'Sound',
    'Popup',
    'Link',
    'Highlight',
    'Underline',
    'Squiggly',
    'StrikeOut',
  ];

  const YELLOW = '/C[1 1 0]'; // without a colour, readers draw a black bar

  test.each(MARKS)('and only marks (%s) leaves it valid, with a warning on the file', async (kind) => {
    // A frame of a link is judged by what it crosses.
    const file = added(annotation(kind, kind === 'Link' ? '/Border[0 0 0]' : YELLOW));
    expect(await outcomeOf(file)).toEqual(['valid', 'annotation']);
    expect((await verify(file)).results.warnings[0]?.message).toMatch(
      /^Comments that nobody signed were added/,
    );
  });

  test.each(MARKS)('and marks (%s) with a look of its own is left to a person to judge', async (kind) => {
    const file = added(annotation(kind, LOOK + YELLOW, '50 740 300 790'));
    expect(await outcomeOf(file)).toEqual(['undetermined', 'overlay']);
    expect((await verify(file)).signatures[0]).toMatchObject({
      intact: true,
      unmodified: true,
      valid: false,
    });
  });

  test.each([
    ['an icon as large as a text', annotation('Text', '', '50 700 300 790')],
    ['an icon without a place', '<</Type/Annot/Subtype/Text/P 3 0 R>>'],
    ['a link with a thick frame', annotation('Link', '/Border[0 0 40]/C[1]')],
    ['a link with a thick border style', annotation('Link', '/BS<</W 40>>/C[1]')],
    ['a highlight that blends as it likes', annotation('Highlight', '/BM/Normal/C[1]')],
  ])('is left to a person to judge when it is %s', async (_, body) => {
    expect(await outcomeOf(added(body))).toEqual(['undetermined', 'overlay']);
  });

  test.each([
    ['whose kind is another object', '<</Type/Annot/Subtype 42 0 R/Rect[0 0 9 9]>>'],
    ['without a kind', '<</Type/Annot/Rect[0 0 9 9]>>'],
    ['that is no dictionary', '(none)'],
  ])('is a changed document when it is one %s', async (_, body) => {
    const file = appendUpdate(added(body), { objects: { 42: '/Stamp' } });
    expect(await outcomeOf(file)).toContain('modification');
  });

  test('is not hidden behind many harmless ones', async () => {
    const pages = Array.from({ length: 120 }, (_, at) => 100 + at);
    const page = (id: number, annots: string): Record<number, string> => ({
      [id]: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R${annots}>>`,
    });
    const many = buildPdf({
      ...ONE_PAGE,
      2: `<</Type/Pages/Kids[3 0 R ${pages.map((id) => `${id} 0 R`).join(' ')}]/Count 121>>`,
      ...Object.assign({}, ...pages.map((id) => page(id, ''))),
    });
    const file = await signPades(many, person, { ...OPTIONS, certify: 3 });
    const notes = (last: string): Buffer =>
      appendUpdate(file, {
        objects: {
          ...Object.assign({}, ...pages.map((id) => page(id, `/Annots[${id === 219 ? 402 : 401} 0 R]`))),
          41: COVER,
          401: annotation('Text'),
          402: last,
        },
      });
    expect(await outcomeOf(notes(annotation('Text')))).toEqual(['valid', 'annotation']);
    expect((await outcomeOf(notes(annotation('Text', LOOK))))[0]).toBe('undetermined');
    expect((await outcomeOf(notes(annotation('Stamp', LOOK))))[0]).toBe('invalid');
  });
});

describe('where the signer allows annotations, marks on text', () => {
  const LINE = '50 756 165 776';
  const mark = (kind: string, more: string, rect = LINE): string => annotation(kind, more, rect);
  const many = (count: number, make: (at: number) => string): string[] =>
    Array.from({ length: count }, (_, at) => make(at));

  test.each<[string, string[]]>([
    [
      'coloured highlights',
      [mark('Highlight', '/C[1 1 0]'), mark('Highlight', '/C[0.5 0.9 0.4]', '50 700 165 720')],
    ],
    ['a red highlight', [mark('Highlight', '/C[1 0 0]')]],
    [
      'a highlight, a line through the text, one below it and a link',
      [
        mark('Highlight', '/C[1 1 0]'),
        mark('StrikeOut', '/C[1 0 0]'),
        mark('Underline', '/C[0 0 1]'),
        mark('Link', ''),
      ],
    ],
    [
      'links without frames',
      many(60, (at) => mark('Link', '/Border[0 0 0]', `50 ${700 - at} 165 ${720 - at}`)),
    ],
    [
      'lines below many lines of text, each and in one',
      [
        ...many(8, (at) => mark('Underline', '', `300 ${696 - 14 * at} 340 ${710 - 14 * at}`)),
        mark(
          'StrikeOut',
          `/QuadPoints[${many(8, (at) => quad(300, 696 - 14 * at, 340, 710 - 14 * at)).join(' ')}]`,
        ),
      ],
    ],
  ])('are comments: %s', async (_, marks) => {
    expect(await outcomeOf(added(...marks))).toEqual(['valid', 'annotation']);
  });

  test.each<[string, string[]]>([
    ['a black highlight', [mark('Highlight', '/C[0 0 0]')]],
    ['a highlight without a colour', [mark('Highlight', '')]],
    ['a highlight of an empty colour', [mark('Highlight', '/C[]')]],
    ['a dark blue highlight', [mark('Highlight', '/C[0 0 0.5]')]],
    ['a highlight that is black in print', [mark('Highlight', '/C[0 0 0 1]')]],
    ['a highlight in the colour of the text', [mark('Highlight', '/C[1 0 0]', '50 556 165 570')]],
    [
      'one that is black by being drawn often',
      [mark('Highlight', `/C[0.7 0.7 0.7]/QuadPoints[${many(9, () => quad(50, 756, 165, 776)).join(' ')}]`)],
    ],
    ['highlights that are black together', [mark('Highlight', '/C[1 0 0]'), mark('Highlight', '/C[0 1 0]')]],
  ])('hide it, so that the document was changed: %s', async (_, marks) => {
    expect(await outcomeOf(added(...marks))).toContain('modification');
  });

  test.each<[string, string[]]>([
    ['a line as thick as a text', [mark('StrikeOut', '/QuadPoints[50 1060 165 1060 50 460 165 460]')]],
    ['a line thicker than a small text', [mark('StrikeOut', `/QuadPoints[${quad(50, 530, 165, 596)}]`)]],
    ['a thick wave', [mark('Squiggly', '/QuadPoints[50 960 165 960 50 560 165 560]')]],
    ['a white line', [mark('StrikeOut', '/C[1 1 1]')]],
    ['a link with a white frame', [mark('Link', '/C[1]/Border[0 0 3]')]],
    ['a link whose frame crosses the text', [mark('Link', '', '50 700 165 766')]],
    [
      'lines over each other',
      many(5, (at) => mark('StrikeOut', '/C[0.5 0.5 0.5]', `50 ${756 + at} 165 ${776 + at}`)),
    ],
    ['frames over each other', many(5, (at) => mark('Link', '', `50 ${700 + at} 165 ${720 + at}`))],
    [
      'lines of one annotation over each other',
      [mark('StrikeOut', `/QuadPoints[${many(9, (at) => quad(50, 746 + at, 165, 766 + at)).join(' ')}]`)],
    ],
    ['a line that is a sign where nothing is', [mark('StrikeOut', '', '166 756 174 776')]],
    ['a frame that is a 1 where nothing is', [mark('Link', '/Border[0 0 3]', '166 760 169 774')]],
    [
      'more marks than a page has room for',
      many(401, (at) => mark('Underline', '', `${at} ${at} ${at + 1} ${at + 1}`)),
    ],
  ])('are left to a person to judge: %s', async (_, marks) => {
    const [outcome, ...kinds] = await outcomeOf(added(...marks));
    expect([outcome, kinds.includes('overlay')]).toEqual(['undetermined', true]);
  });
});

describe('where the signer allows annotations, one that was signed along', () => {
  const without = (id: number): Buffer => changed({ 3: bodyOf(certified, 3).replace(`${id} 0 R`, '') });

  test('is a comment, and may change and go, when the reader draws it', async () => {
    expect(await outcomeOf(changed({ 16: annotation('Text', '/Contents(Nova)') }))).toEqual([
      'valid',
      'annotation',
    ]);
    expect(await outcomeOf(without(16))).toEqual(['valid', 'annotation']);
    const freed = appendUpdate(without(16), { objects: { 16: null } });
    expect(await outcomeOf(freed)).toEqual(['valid', 'annotation']);
  });

  test('is left to a person to judge when it has a look of its own, before or after', async () => {
    const covering = COVER.replace('1 g', '0 g');
    for (const file of [
      changed({ 19: covering }),
      changed({ 17: annotation('Highlight', '/C[1 1 0]') }),
      without(17),
    ])
      expect(await outcomeOf(file)).toEqual(['undetermined', 'overlay']);
    expect(await outcomeOf(changed({ 16: annotation('Text', LOOK), 41: COVER }))).toEqual([
      'undetermined',
      'overlay',
    ]);
  });

  test('is left to a person to judge when it showed content and is gone', async () => {
    expect(await outcomeOf(without(18))).toEqual(['undetermined', 'overlay']);
    expect(messagesOf(await verify(without(18))).at(-1)).toContain(
      'An annotation that showed content was removed from page 1.',
    );
  });

  test('is part of the document when it shows content, before or after', async () => {
    const text = annotation('FreeText', '/Contents(Valor: R$ 999)/DA(/F1 18 Tf)');
    for (const file of [changed({ 18: text }), changed({ 18: annotation('Text') })])
      expect(await outcomeOf(file)).toEqual(['invalid', 'modification']);
    expect(await outcomeOf(changed({ 16: annotation('Stamp', LOOK), 41: COVER }))).toEqual([
      'invalid',
      'modification',
    ]);
  });
});
