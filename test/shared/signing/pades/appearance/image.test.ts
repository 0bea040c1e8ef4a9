import { afterAll, describe, expect, test } from 'vitest';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { pki } from '../../cms/fixtures.ts';
import { buildPdf, ONE_PAGE, plainPdf } from '../documents.ts';
import { missingTools, openJudges, type Point } from '../judges.ts';
import { OPTIONS, person, verify } from '../parties.ts';
import { stream } from '../prepared-document.ts';
import { type PngKind, pngOf } from './png.ts';

const isJudged = missingTools().length === 0;
const judges = isJudged ? openJudges(pki.root.certificate) : undefined;
afterAll(() => judges?.close());

const [RED, GREEN, BLUE, WHITE, BLACK] = ['#ff0000', '#00ff00', '#0000ff', '#ffffff', '#000000'];
const place = { page: 1, x: 100, y: 200, width: 106, height: 106 } as const;

/** The centers of the image's quarters: upper left, upper right, lower left, lower right. */
const QUARTERS: readonly Point[] = [
  [128, 278],
  [178, 278],
  [128, 228],
  [178, 228],
];
const quarters = (signed: Buffer, page = 1): string[] | undefined => judges?.colors(signed, QUARTERS, page);

// Red, green / blue, white in colours; in grey, black and two greys / white.
const PALETTE = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255];
const IMAGES: [string, PngKind, number[][], (string | undefined)[]][] = [
  [
    'grey',
    { kind: 0, bits: 8 },
    [
      [0, 0x55],
      [0xaa, 0xff],
    ],
    [BLACK, '#555555', '#aaaaaa', WHITE],
  ],
  ['grey of one bit', { kind: 0, bits: 1 }, [[0x40], [0x80]], [BLACK, WHITE, WHITE, BLACK]],
  ['grey of two bits', { kind: 0, bits: 2 }, [[0x10], [0xb0]], [BLACK, '#555555', '#aaaaaa', WHITE]],
  [
    'grey of 16 bits',
    { kind: 0, bits: 16 },
    [
      [0, 0, 0x55, 0x55],
      [0xaa, 0xaa, 0xff, 0xff],
    ],
    [BLACK, '#555555', '#aaaaaa', WHITE],
  ],
  [
    'colours',
    { kind: 2, bits: 8 },
    [
      [255, 0, 0, 0, 255, 0],
      [0, 0, 255, 255, 255, 255],
    ],
    [RED, GREEN, BLUE, WHITE],
  ],
  ['a palette', { kind: 3, bits: 4, palette: PALETTE }, [[0x01], [0x23]], [RED, GREEN, BLUE, WHITE]],
  [
    'a transparent palette',
    { kind: 3, bits: 2, palette: PALETTE, transparency: [255, 0] },
    [[0x10], [0xb0]],
    [RED, WHITE, BLUE, WHITE],
  ],
  [
    'a transparent colour',
    { kind: 2, bits: 8, transparency: [0, 0, 0, 255, 0, 0] },
    [
      [255, 0, 0, 0, 255, 0],
      [0, 0, 255, 0, 255, 0],
    ],
    [RED, WHITE, BLUE, WHITE],
  ],
  [
    'grey and transparency',
    { kind: 4, bits: 8 },
    [
      [0, 255, 0, 0],
      [0x55, 255, 0xaa, 255],
    ],
    [BLACK, WHITE, '#555555', '#aaaaaa'],
  ],
  [
    'colours and transparency',
    { kind: 6, bits: 8 },
    [
      [255, 0, 0, 255, 0, 255, 0, 0],
      [0, 0, 255, 255, 255, 0, 0, 255],
    ],
    [RED, WHITE, BLUE, RED],
  ],
  [
    'colours and transparency of 16 bits',
    { kind: 6, bits: 16 },
    [
      [255, 255, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255],
    ],
    [RED, WHITE, BLUE, GREEN],
  ],
];
const FOUR_COLORS = pngOf({ kind: 2, bits: 8 }, 2, [
  [255, 0, 0, 0, 255, 0],
  [0, 0, 255, 0, 0, 0],
]);

const FOUR_SQUARES = buildPdf({
  ...ONE_PAGE,
  3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 32 32]/Contents 4 0 R>>',
  4: stream('1 0 0 rg 0 16 16 16 re f 0 1 0 rg 16 16 16 16 re f 0 0 1 rg 0 0 16 16 re f 0 g 16 0 16 16 re f'),
});

/** The nearest of the colours: a JPEG changes them slightly. */
const nearest = (color: string): string | undefined => {
  const parts = (text: string): number[] => [...Buffer.from(text.slice(1), 'hex')];
  const apart = (other = ''): number =>
    parts(other).reduce((sum, part, at) => sum + Math.abs(part - (parts(color)[at] ?? 0)), 0);
  return [RED, GREEN, BLUE, BLACK, WHITE].toSorted((one, other) => apart(one) - apart(other))[0];
};

describe.runIf(isJudged)('the image in a visible signature', () => {
  test.each(IMAGES)('that is a PNG with %s is shown in its colours', async (_, kind, rows, colors) => {
    const file = await plainPdf('table', { blank: true });
    const signed = await signPades(file, person, {
      ...OPTIONS,
      visible: { image: pngOf(kind, 2, rows), place },
    });
    expect(quarters(signed)).toEqual(colors);
    expect((await verify(signed)).valid).toBe(true);
  });

  test.each(['-jpeg', '-jpegcmyk'])(
    'that is a JPEG of pdftoppm %s is shown in its colours',
    async (option) => {
      const image = judges?.jpeg(FOUR_SQUARES, option);
      const file = await plainPdf('table', { blank: true });
      const signed = await signPades(file, person, {
        ...OPTIONS,
        visible: { image: image ?? FOUR_COLORS, place },
      });
      expect(quarters(signed)?.map(nearest)).toEqual([RED, GREEN, BLUE, BLACK]);
      expect(judges?.judge(signed).complaints).toBe('');
    },
  );

  test.each([0, 90, 180, 270])('stands upright on a page turned by %i degrees', async (rotate) => {
    const file = await plainPdf('table', { rotate, blank: true });
    const signed = await signPades(file, person, { ...OPTIONS, visible: { image: FOUR_COLORS, place } });
    expect(quarters(signed)).toEqual([RED, GREEN, BLUE, BLACK]);
    expect(judges?.judge(signed)).toMatchObject({ signatures: ['Signature is Valid.'], complaints: '' });
  });

  test.each([0, 90, 180, 270])(
    'fills a field of the form upright on a page turned by %i degrees',
    async (rotate) => {
      const file = buildPdf({
        ...ONE_PAGE,
        1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R]>>>>',
        2: `<</Type/Pages/Kids[3 0 R]/Count 1/Rotate ${rotate}>>`,
        3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 306 406]/Annots[6 0 R]>>',
        6: '<</Type/Annot/Subtype/Widget/FT/Sig/T(Seller)/Rect[100 150 206 256]/P 3 0 R/F 4>>',
      });
      const signed = await signPades(file, person, {
        ...OPTIONS,
        field: 'Seller',
        visible: { image: FOUR_COLORS },
      });
      // The field is at the center of the page, for every rotation.
      const [x, y] = rotate % 180 ? [203, 153] : [153, 203];
      const points: Point[] = [
        [x - 25, y + 25],
        [x + 25, y + 25],
        [x - 25, y - 25],
        [x + 25, y - 25],
      ];
      expect(judges?.colors(signed, points)).toEqual([RED, GREEN, BLUE, BLACK]);
    },
  );

  test.each([
    [2, 2],
    ['last', 3],
  ] as const)('stands on page %s alone', async (page, number) => {
    const file = await plainPdf('streams', { pages: 3, blank: true });
    const signed = await signPades(file, person, {
      ...OPTIONS,
      visible: { image: FOUR_COLORS, place: { ...place, page } },
    });
    for (const shown of [1, 2, 3]) expect(quarters(signed, shown)?.[0]).toBe(shown === number ? RED : WHITE);
  });

  test('is placed from the corner of what a reader shows of the page', async () => {
    const file = buildPdf({
      ...ONE_PAGE,
      3: '<</Type/Page/Parent 2 0 R/MediaBox[-50 -70 900 900]/CropBox[20 30 500 600]>>',
    });
    const signed = await signPades(file, person, { ...OPTIONS, visible: { image: FOUR_COLORS, place } });
    expect(quarters(signed)).toEqual([RED, GREEN, BLUE, BLACK]);
  });
});
