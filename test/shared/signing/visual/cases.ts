import { degrees, PDFDocument, rgb, StandardFonts } from 'pdf-lib';
import type { VisualRepresentation } from '../../../../shared/signing/visual/representation.ts';
import { pngOf } from '../pades/appearance/png.ts';

type Rect = readonly [x: number, y: number, width: number, height: number];

export type PageCase = {
  readonly pages?: number;
  readonly media?: Rect;
  readonly crop?: Rect;
  readonly rotate?: number;
};

const A4: Rect = [0, 0, 595, 842];

/** Pages with a line of text in their upper left corner and a frame around what is displayed. */
export async function pageOf({ pages = 1, media = A4, crop, rotate }: PageCase): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let number = 1; number <= pages; number++) {
    const page = document.addPage();
    page.setMediaBox(...media);
    if (crop) page.setCropBox(...crop);
    if (rotate) page.setRotation(degrees(rotate));
    const [x, y, width, height] = crop ?? media;
    const frame = { borderColor: rgb(0.6, 0.6, 0.6), borderWidth: 2 };
    page.drawRectangle({ x: x + 9, y: y + 9, width: width - 18, height: height - 18, ...frame });
    page.drawText(`Contrato ${number}`, { x: x + 24, y: y + height - 50, size: 24, font });
  }
  return Buffer.from(await document.save());
}

// Three greys: turned or mirrored it is another picture.
const row = (...greys: readonly number[]): number[] => greys.flatMap((grey) => Array(3 * 8).fill(grey));
export const PICTURE = pngOf({ kind: 2, bits: 8 }, 16, [
  ...Array<number[]>(4).fill(row(150, 190)),
  ...Array<number[]>(4).fill(row(230, 190)),
]);
const image = { content: PICTURE.toString('base64') };

type Position = VisualRepresentation['position'];
type Rectangle = NonNullable<Position['manual']>;

const text = { text: 'Assinado por\n{{name}}\n{{br_cpf_formatted}}' };
const on = (pageNumber: number, rest: Partial<Position>): Position => ({
  ...{ pageNumber, measurementUnits: 'Centimeters' as const },
  ...rest,
});
const at = (manual: Rectangle, rest: Partial<VisualRepresentation> = {}): VisualRepresentation => ({
  position: on(1, { manual }),
  ...{ text, image },
  ...rest,
});
const LOWER_LEFT = { left: 2.54, bottom: 2.54, width: 7, height: 3 };

type Auto = NonNullable<Position['auto']>;
const auto = (pageNumber: number, rest: Partial<Auto> = {}, position: Partial<Position> = {}) => ({
  position: on(pageNumber, {
    auto: {
      container: { left: 1.5, right: 1.5, bottom: 1.5, height: 7 },
      ...{ signatureRectangleSize: { width: 6, height: 3 }, rowSpacing: 1 },
      ...rest,
    },
    ...position,
  }),
  ...{ text, image: { ...image, opacity: 40 } },
});

export type SignatureCase = {
  readonly file: PageCase;
  readonly look: VisualRepresentation;
  /** How many sign, one after the other. */
  readonly signers?: number;
  /** The page of the picture. */
  readonly shown?: number;
  /** Whether there is no place for one more. */
  readonly isFull?: true;
};

const A3_WIDE: Rect = [0, 0, 1191, 842];

export const SIGNATURES: Readonly<Record<string, SignatureCase>> = {
  'units in centimetres': { file: {}, look: at(LOWER_LEFT) },
  'units in points': {
    file: {},
    look: {
      ...{ text, image },
      position: {
        ...{ pageNumber: 1, measurementUnits: 'PdfPoints' },
        manual: { left: 72, bottom: 72, width: 198.4, height: 85 },
      },
    },
  },
  'right and upper margins': { file: {}, look: at({ right: 1, top: 3, width: 7, height: 3 }) },
  'a size alone, in the middle': { file: {}, look: at({ width: 9, height: 4 }) },
  'margins on both sides': { file: {}, look: at({ left: 4, right: 2, top: 10, bottom: 14 }) },
  'text at the right in its container, with the time': {
    file: {},
    look: at(
      { left: 2, top: 5, width: 14, height: 6 },
      {
        text: {
          ...text,
          ...{ fontSize: 13, includeSigningTime: true, horizontalAlign: 'Right' },
          container: { left: 0.5, right: 4, top: 0.2, bottom: 2 },
        },
      },
    ),
  },
  'a faint image at the right': {
    file: {},
    look: at(
      { left: 2, top: 5, width: 14, height: 3 },
      { image: { ...image, opacity: 30, horizontalAlign: 'Right', verticalAlign: 'Center' } },
    ),
  },
  'an image at the bottom': {
    file: {},
    look: {
      position: on(1, { manual: { left: 2, top: 5, width: 4, height: 8 } }),
      image: { ...image, horizontalAlign: 'Left', verticalAlign: 'Bottom' },
    },
  },
  'long text that shrinks': {
    file: {},
    look: at(
      { left: 2, top: 5, width: 8, height: 3 },
      {
        image: undefined,
        text: {
          text: `Łukasz Şahin Đorđević, José – “à vista”. ${'Li e aceito o contrato. '.repeat(12)}`,
          fontSize: 14,
        },
      },
    ),
  },
  'a page turned by 90': { file: { rotate: 90 }, look: at(LOWER_LEFT) },
  'a page turned by 180': { file: { rotate: 180 }, look: at(LOWER_LEFT) },
  'a page turned by 270': { file: { rotate: 270 }, look: at(LOWER_LEFT) },
  'a crop box': { file: { crop: [100, 150, 400, 500] }, look: at(LOWER_LEFT) },
  'a crop box on a turned page': {
    file: { crop: [100, 150, 400, 500], rotate: 90 },
    look: at({ right: 1, top: 1, width: 7, height: 3 }),
  },
  'a media box with another origin': { file: { media: [-200, -300, 595, 842] }, look: at(LOWER_LEFT) },
  'a crop box beyond the media box': {
    file: { media: [0, 0, 400, 600], crop: [-100, -100, 600, 800] },
    look: at({ right: 1, top: 1, width: 7, height: 3 }),
  },
  'the last page': {
    file: { pages: 3 },
    look: { ...at({}), position: on(-1, { manual: LOWER_LEFT }) },
    shown: 3,
  },
  'the last page but one': {
    file: { pages: 3 },
    look: { ...at({}), position: on(-2, { manual: LOWER_LEFT }) },
    shown: 2,
  },
  'a new page of A4 behind a turned one': {
    file: { rotate: 90, crop: [0, 0, 500, 700] },
    look: { ...at({}), position: on(0, { manual: LOWER_LEFT }) },
    shown: 2,
  },
  'a new page that the second shares with the first': {
    file: {},
    look: auto(0, { container: { left: 1.5, top: 1.5, right: 1.5, bottom: 1.5 } }),
    ...{ signers: 2, shown: 2 },
  },
  'automatic places in two rows': { file: {}, look: auto(1), signers: 4 },
  'automatic places from the right and from below': {
    file: {},
    look: auto(1, { horizontalDirection: 'RightToLeft', verticalDirection: 'BottomUp' }),
    signers: 4,
  },
  'automatic places on a turned page with a crop box': {
    file: { rotate: 270, crop: [50, 50, 500, 700] },
    look: auto(1),
    signers: 2,
  },
  'automatic places that are full': {
    file: {},
    look: auto(1, { container: { left: 1.5, right: 7, bottom: 1.5, height: 3 } }),
    ...{ signers: 2, isFull: true },
  },
  'a signature larger than its container': {
    file: {},
    look: auto(0, {
      container: { left: 0.2, top: 0.2, right: 0.2, bottom: 0.2 },
      signatureRectangleSize: { width: 30, height: 20 },
    }),
    ...{ shown: 2, isFull: true },
  },
  'measures for A4 on A3': {
    file: { media: A3_WIDE },
    look: auto(1, {}, { pageOptimization: { paperSize: 'A4', pageOrientation: 'Auto' } }),
    signers: 2,
  },
};
