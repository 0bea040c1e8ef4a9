import { describe, expect, test } from 'vitest';
import { addMarks } from '../../../../shared/signing/pades/marks/add-marks.ts';
import type { Mark } from '../../../../shared/signing/pades/marks/mark.ts';
import { sourceOf } from '../../../../shared/signing/pades/pdf/source.ts';
import { PdfRefused } from '../../../../shared/signing/pades/refused.ts';
import { signPades } from '../../../../shared/signing/pades/sign.ts';
import { pngOf } from './appearance/png.ts';
import { buildPdf, ONE_PAGE, plainPdf } from './documents.ts';
import { HOSTILE } from './hostile-files.ts';
import { company, OPTIONS, verify } from './parties.ts';

const PLACE = { rotation: 0, horizontal: 'start', vertical: 'start', opacity: 1 } as const;
const black = { rgb: [0, 0, 0], opacity: 1 } as const;
const MARK: Mark = {
  ...{ pages: 'all', borderPoints: 1, borderColor: black, background: { ...black, opacity: 0 } },
  elements: [
    {
      ...{ ...PLACE, kind: 'text' },
      sections: [{ text: 'Minuta', face: 'Helvetica', color: black, sizePoints: 12 }],
    },
  ],
};

const marked = (file: Buffer, marks = [MARK]): Buffer =>
  Buffer.concat(addMarks(sourceOf(file), marks).pieces);

describe('marks', () => {
  test.each(Object.entries(HOSTILE))('in a hostile file, %s, are drawn or refused', (_, file) => {
    try {
      marked(file());
    } catch (error) {
      expect(error).toBeInstanceOf(PdfRefused);
    }
  });

  test('are drawn into thousands of pages', () => {
    const count = 4_000;
    const ids = Array.from({ length: count }, (_, at) => at + 3);
    const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<>>>>';
    const file = buildPdf({
      1: ONE_PAGE[1],
      2: `<</Type/Pages/Count ${count}/Kids[${ids.map((id) => `${id} 0 R`).join(' ')}]>>`,
      ...Object.fromEntries(ids.map((id) => [id, page])),
    });
    const bytes = marked(file);
    expect(bytes.toString('latin1', file.length).split('/Artifact BMC')).toHaveLength(4_001);
    // One drawing for all pages of a size.
    expect(bytes.toString('latin1', file.length).split('(Minuta) Tj')).toHaveLength(2);
  });

  test.each([
    ['no content', { 3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>' }],
    ['an array of contents by reference', { 3: ONE_PAGE[3].replace('4 0 R', '6 0 R'), 6: '[4 0 R]' }],
    ['resources of the tree', { 2: '<</Type/Pages/Kids[3 0 R]/Count 1/Resources<</XObject<</A 5 0 R>>>>>>' }],
  ])('are drawn into a page with %s, which can then be signed', async (_, objects) => {
    const bytes = marked(buildPdf({ ...ONE_PAGE, ...objects }));
    const { valid } = await verify(await signPades(bytes, company, OPTIONS));
    expect(valid).toBe(true);
  });

  test('are drawn in points on a page whose unit is two points', () => {
    const page = '<</Type/Page/Parent 2 0 R/UserUnit 2/MediaBox[0 0 297.5 421]/Resources<<>>>>';
    const drawn = marked(buildPdf({ 1: ONE_PAGE[1], 2: ONE_PAGE[2], 3: page })).toString('latin1');
    expect(drawn).toContain('cm 0.50000 0 0 0.50000 0 0 cm');
    expect(drawn).toContain('/BBox [0 0 595 842]');
  });

  test('are in the order in which they are given, on one page and on all', async () => {
    const named = (text: string, pages: Mark['pages']): Mark => ({
      ...MARK,
      pages,
      elements: MARK.elements.map((each) =>
        each.kind === 'text' ? { ...each, sections: each.sections.map((one) => ({ ...one, text })) } : each,
      ),
    });
    const file = await plainPdf('table', { pages: 2 });
    const text = marked(file, [named('first', 2), named('second', 'all'), named('third', -1)]).toString(
      'latin1',
      file.length,
    );
    const idOf = (word: string): string =>
      /(\d+) 0 obj.*$/s.exec(text.slice(0, text.indexOf(`(${word})`)))?.[0] ?? '';
    const ids = ['first', 'second', 'third'].map(
      (word) =>
        idOf(word)
          .match(/(\d+) 0 obj/g)
          ?.at(-1)
          ?.split(' ')[0],
    );
    const pages = Array.from(text.matchAll(/\/Artifact BMC\n(.*?)EMC/gs), ([, operators = '']) =>
      Array.from(operators.matchAll(/SineteMark(\d+)/g), ([, id]) => id),
    );
    expect(pages).toEqual([[ids[1]], ids]);
  });

  test('that are none leave the file as it is', async () => {
    const file = await plainPdf('table');
    expect(marked(file, []).equals(file)).toBe(true);
  });

  const image = (side: number): Mark['elements'][number] => {
    const rows = Array<number[]>(side).fill(Array(Math.ceil(side / 8)).fill(0));
    return { ...PLACE, kind: 'image', image: pngOf({ kind: 0, bits: 1 }, side, rows) };
  };
  const code = (characters: number): Mark['elements'][number] => ({
    ...{ ...PLACE, kind: 'qr-code', data: 'x'.repeat(characters), quietZones: false },
  });
  const large = image(2_000);
  test.each([
    ['images', 'points', [large, large, large], image(1)],
    ['codes', 'characters', Array<Mark['elements'][number]>(10).fill(code(2_000)), code(1)],
  ] as const)('have a limit of %s in all, across marks', async (_, what, most, oneMore) => {
    const file = await plainPdf('table');
    const [one, other] = [most.slice(1), most.slice(0, 1)].map((elements) => ({ ...MARK, elements }));
    expect(marked(file, [one ?? MARK, other ?? MARK]).length).toBeGreaterThan(file.length);
    const over = () => marked(file, [one ?? MARK, { ...MARK, elements: [...most.slice(0, 1), oneMore] }]);
    expect(over).toThrow(expect.objectContaining({ name: 'PdfRefused', reason: 'marks-too-large' }));
    expect(over).toThrow(what);
  });

  test('may have photos of any number, as a JPEG is not unpacked', async () => {
    const jpeg = Buffer.from('ffd8ffc00011081388138803011100021100031100ffd9', 'hex');
    const photo = { ...PLACE, kind: 'image', image: jpeg } as const;
    const file = await plainPdf('table');
    expect(marked(file, [{ ...MARK, elements: [photo, photo] }]).length).toBeGreaterThan(file.length);
  });

  const pagesOfAllSizes = (count: number): Buffer => {
    const ids = Array.from({ length: count }, (_, at) => at + 3);
    return buildPdf({
      1: ONE_PAGE[1],
      2: `<</Type/Pages/Count ${count}/Kids[${ids.map((id) => `${id} 0 R`).join(' ')}]>>`,
      ...Object.fromEntries(
        ids.map((id) => [id, `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${id + 100} 842]/Resources<<>>>>`]),
      ),
    });
  };

  test('are refused where they would add far more to pages of different sizes than was sent', () => {
    const many = { ...MARK, elements: Array<Mark['elements'][number]>(10).fill(code(2_000)) };
    expect(marked(pagesOfAllSizes(20), [many]).length).toBeLessThan(33_554_432);
    expect(() => marked(pagesOfAllSizes(60), [many])).toThrow(
      expect.objectContaining({ name: 'PdfRefused', reason: 'marks-too-large' }),
    );
  });

  test('draw a code once for pages of all sizes', () => {
    const file = pagesOfAllSizes(300);
    let encoded = 0;
    const counted = { ...code(1) };
    Object.defineProperty(counted, 'data', { get: () => `${++encoded}`, enumerable: true });
    marked(file, [{ ...MARK, elements: [counted] }]);
    // Once for its length, and once to draw it.
    expect(encoded).toBe(2);
  });
});
