import { PDFDocument } from 'pdf-lib';
import { afterAll, describe, expect, test } from 'vitest';
import { fitText, toWinAnsi, widthOf } from '../../../../../shared/signing/pades/appearance/text.ts';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { pki } from '../../cms/fixtures.ts';
import { buildPdf, ONE_PAGE, plainPdf } from '../documents.ts';
import { missingTools, openJudges } from '../judges.ts';
import { OPTIONS, person } from '../parties.ts';
import { pngOf } from './png.ts';

const missing = missingTools();
const judges = missing.length ? undefined : openJudges(pki.root.certificate);
afterAll(() => judges?.close());

const place = { page: 1, x: 40, y: 40, width: 220, height: 70 } as const;
const SQUARE = pngOf({ kind: 2, bits: 8 }, 2, Array(2).fill(Array(6).fill(0x11)));

const LINES = ['Assinado digitalmente por JOSÉ DA CONCEIÇÃO', 'Razão: aprovação “à vista” – R$ 10 €'];

describe.skipIf(missing.length > 0)('what is shown', () => {
  test.each([0, 90, 180, 270])(
    'is read upright, accents and all, on a page turned by %i degrees',
    async (rotate) => {
      const file = await plainPdf('table', { rotate });
      const signed = await signPades(file, person, {
        ...OPTIONS,
        visible: { lines: LINES, border: true, place },
      });
      const shown = judges?.text(signed).replace(/\s+/g, ' ');
      expect(shown).toContain('Assinado digitalmente por JOSÉ DA CONCEIÇÃO');
      expect(shown).toContain('Razão: aprovação “à vista” – R$ 10 €');
      expect(judges?.judge(signed).complaints).toBe('');
    },
  );

  test('is at the requested place, for every rotation of the page', async () => {
    for (const rotate of [0, 90, 180, 270]) {
      const file = await plainPdf('table', { rotate, blank: true });
      const signed = await signPades(file, person, {
        ...OPTIONS,
        visible: { image: SQUARE, place },
      });
      const [left = 0, top = 0, right = 0, bottom = 0] = judges?.inkBox(signed) ?? [];
      const height = rotate % 180 ? 595 : 842;
      // The image is square, as high as the place without its margins, and centered.
      expect([left, height - bottom, right - left, bottom - top].map(Math.round)).toEqual([118, 43, 64, 64]);
    }
  });
});

// A page of large paper counts in units of several points.
describe('on a page whose unit is two points', () => {
  const pageOf = (more = '') =>
    buildPdf({
      ...{ 1: ONE_PAGE[1], 2: ONE_PAGE[2] },
      3: `<</Type/Page/Parent 2 0 R/UserUnit 2/MediaBox[10 20 307.5 441]${more}>>`,
    });
  const rectsOf = (file: Buffer) =>
    Array.from(file.toString('latin1').matchAll(/\/Rect\[([^\]]*)\]/g), ([, rect]) => rect);

  test.each([
    [0, '30 40 140 75'],
    [90, '252.5 40 287.5 150'],
    [180, '177.5 386 287.5 421'],
    [270, '30 311 65 421'],
  ])('a place is measured in points, and drawn in them, turned by %i degrees', async (rotate, rect) => {
    const visible = { image: SQUARE, place };
    const signed = await signPades(pageOf(`/Rotate ${rotate}`), person, { ...OPTIONS, visible });
    expect(rectsOf(signed)).toEqual([rect]);
    expect(signed.includes('/BBox [0 0 220 70]')).toBe(true);
    // MuPDF knows the unit: for it the page is A4.
    const [left = 118, , right = 182] = judges?.inkBox(signed) ?? [];
    expect([left, right].map(Math.round)).toEqual([118, 182]);
  });

  test('the next place of a row is beside the first', async () => {
    const grid = {
      ...{ container: { left: 40, right: 40, bottom: 40, height: 70 }, size: { width: 200, height: 70 } },
      ...{ rowSpacing: 0, rightToLeft: false, bottomUp: false },
    };
    const visible = { image: SQUARE, place: { page: 1, grid } };
    const once = await signPades(pageOf(), person, { ...OPTIONS, visible });
    const twice = await signPades(once, person, { ...OPTIONS, visible });
    expect(rectsOf(twice)).toEqual(['30 40 130 75', '130 40 230 75']);
  });
});

test('the original is still readable by another library with the signature in it', async () => {
  const signed = await signPades(await plainPdf('streams'), person, {
    ...OPTIONS,
    visible: { lines: LINES, place },
  });
  const document = await PDFDocument.load(signed);
  expect(
    document
      .getForm()
      .getFields()
      .map((field) => field.getName()),
  ).toEqual(['Signature1']);
});

test.each([
  ['of another kind', Buffer.from('GIF89a')],
  ['cut short', SQUARE.subarray(0, 60)],
  ['interlaced', Buffer.concat([SQUARE.subarray(0, 28), Buffer.from([1]), SQUARE.subarray(29)])],
  [
    'of a size that fills memory',
    Buffer.concat([SQUARE.subarray(0, 16), Buffer.alloc(8, 0x70), SQUARE.subarray(24)]),
  ],
  ['a JPEG without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xd9, 0, 0, 0, 0, 0, 0, 0, 0])],
])('an image that is %s is refused', async (_, image) => {
  const signing = signPades(await plainPdf('table'), person, { ...OPTIONS, visible: { image, place } });
  await expect(signing).rejects.toMatchObject({ name: 'PdfRefused', reason: 'image-unreadable' });
});

test.each([
  [{ ...place, x: 700 }],
  [{ ...place, y: -200 }],
  [{ ...place, width: 0 }],
  [{ ...place, height: Number.NaN }],
])('a place that is not on the page is refused', async (wrong) => {
  const signing = signPades(await plainPdf('table'), person, {
    ...OPTIONS,
    visible: { lines: ['x'], place: wrong },
  });
  await expect(signing).rejects.toMatchObject({ reason: 'no-place' });
});

test('a visible signature in a new field needs a place', async () => {
  const signing = signPades(await plainPdf('table'), person, { ...OPTIONS, visible: { lines: ['x'] } });
  await expect(signing).rejects.toMatchObject({ reason: 'no-place' });
});

test('letters that the font lacks lose their accents, and become question marks where that does not help', () => {
  expect(toWinAnsi('João Ção €–“”')).toBe('Jo\xe3o \xc7\xe3o \x80\x96\x93\x94');
  expect(toWinAnsi('Łukasz Şahin')).toBe('Lukasz Sahin');
  expect(toWinAnsi('a\tb\u{1f600}c')).toBe('a b?c');
  expect(toWinAnsi('Joa\u0303o')).toBe('Jo\xe3o');
});

test('lines shrink and break until all of them fit', () => {
  const long = [
    'Assinado digitalmente por MARIA APARECIDA DA CONCEIÇÃO DOS SANTOS E SILVA',
    'CPF 529.982.247-25',
  ];
  const { lines, sizePoints } = fitText(long, 150, 40);
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.every((line) => widthOf(line, sizePoints) <= 150)).toBe(true);
  expect(lines.length * sizePoints * 1.2).toBeLessThanOrEqual(40);
  expect(fitText(['short'], 500, 500).sizePoints).toBe(12);
});
