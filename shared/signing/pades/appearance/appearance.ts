import { type Increment, streamBody } from '../pdf/increment.ts';
import { literal } from '../pdf/text.ts';
import { name, type PdfRef, type PdfValue } from '../pdf/values.ts';
import type { Image } from './image.ts';
import type { QuarterTurns } from './place.ts';
import { readImage } from './read-image.ts';
import { drawStamp, type Stamp } from './stamp.ts';
import { fitText, LINE_HEIGHT, toWinAnsi } from './text.ts';

/** The content of a visible signature. */
export type Appearance = {
  /** A stamp in the design of Sinete, in place of lines, image and border. */
  readonly stamp?: Stamp;
  readonly lines?: readonly string[];
  /** A PNG or JPEG, beside the lines or alone. */
  readonly image?: Uint8Array;
  readonly border?: boolean;
  /** The largest font size. It shrinks until all lines fit. */
  readonly fontSizePoints?: number;
};

export type Size = { readonly width: number; readonly height: number };

const MARGIN_POINTS = 3;
const IMAGE_SHARE = 0.4; // of the width, when there are lines too

/** Writes the appearance as a form XObject, upright on a rotated page (ISO 32000-2, 12.5.5). */
export function putAppearance(
  update: Increment,
  appearance: Appearance,
  size: Size,
  turn: QuarterTurns,
): PdfRef {
  const image = appearance.image && readImage(appearance.image);
  const lines = (appearance.lines ?? []).map(toWinAnsi);
  const { stamp } = appearance;
  const fonts: (keyof typeof FONTS)[] = stamp
    ? ['Helvetica', 'HelveticaBold']
    : lines.length > 0
      ? ['Helvetica']
      : [];
  const picture = image && putImage(update, image);
  const resources = new Map<string, PdfValue>([
    ...(fonts.length > 0
      ? [['Font', new Map(fonts.map((face) => [face, update.put(update.reserve(), FONTS[face])]))] as const]
      : []),
    ...(picture ? [['XObject', new Map([['Image', picture]])] as const] : []),
  ]);
  const drawing = stamp
    ? drawStamp(stamp, size)
    : [
        appearance.border ? drawBorder(size) : '',
        image ? drawImage(image, imageBox(size, lines.length > 0)) : '',
        lines.length > 0
          ? drawText(lines, textBox(size, image !== undefined), appearance.fontSizePoints)
          : '',
      ].join('');
  const entries = {
    Type: name('XObject'),
    Subtype: name('Form'),
    BBox: [0, 0, realNumber(size.width), realNumber(size.height)],
    Matrix: MATRICES[turn],
    Resources: resources,
  };
  return update.put(update.reserve(), ...streamBody(entries, Buffer.from(drawing, 'latin1')));
}

const FONTS = {
  Helvetica: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  HelveticaBold: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>',
} as const;

const MATRICES: Readonly<Record<QuarterTurns, readonly number[]>> = {
  0: [1, 0, 0, 1, 0, 0],
  90: [0, 1, -1, 0, 0, 0],
  180: [-1, 0, 0, -1, 0, 0],
  270: [0, -1, 1, 0, 0, 0],
};

/** A number as PDF writes it: without an exponent, to a hundredth of a point. */
export const realNumber = (number: number): PdfValue => ({ kind: 'real', text: decimal(number) });
const decimal = (number: number): string => String(Number(number.toFixed(2)));

function putImage(update: Increment, { width, height, entries, content, mask }: Image): PdfRef {
  const common = { Type: name('XObject'), Subtype: name('Image'), Width: width, Height: height };
  const soft =
    mask && update.put(update.reserve(), ...streamBody({ ...common, ...mask.entries }, mask.content));
  const all = { ...common, ...entries, ...(soft && { SMask: soft }) };
  return update.put(update.reserve(), ...streamBody(all, content));
}

type Box = Size & { readonly x: number; readonly y: number };

function insideMargin({ width, height }: Size): Box {
  const margin = Math.min(MARGIN_POINTS, width / 4, height / 4);
  return { x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin };
}

function imageBox(size: Size, hasText: boolean): Box {
  const box = insideMargin(size);
  return hasText ? { ...box, width: box.width * IMAGE_SHARE } : box;
}

function textBox(size: Size, hasImage: boolean): Box {
  const box = insideMargin(size);
  const taken = hasImage ? box.width * IMAGE_SHARE + MARGIN_POINTS : 0;
  return { ...box, x: box.x + taken, width: box.width - taken };
}

const drawBorder = ({ width, height }: Size): string =>
  `q 0.5 w 0.3 G 0.25 0.25 ${decimal(width - 0.5)} ${decimal(height - 0.5)} re S Q\n`;

// The image fills the box without distortion, centered.
function drawImage(image: Image, box: Box): string {
  const scale = Math.min(box.width / image.width, box.height / image.height);
  const [width, height] = [image.width * scale, image.height * scale];
  const [x, y] = [box.x + (box.width - width) / 2, box.y + (box.height - height) / 2];
  return `q ${decimal(width)} 0 0 ${decimal(height)} ${decimal(x)} ${decimal(y)} cm /Image Do Q\n`;
}

function drawText(text: readonly string[], box: Box, largest: number | undefined): string {
  const { lines, sizePoints } = fitText(text, box.width, box.height, largest);
  const leading = sizePoints * LINE_HEIGHT;
  const free = Math.max(0, box.height - leading * lines.length);
  const top = box.y + box.height - free / 2 - sizePoints;
  const shown = lines.map((line) => `${literal(line)} Tj T*`).join('\n');
  return `q BT /Helvetica ${decimal(sizePoints)} Tf 0 g ${decimal(leading)} TL ${decimal(box.x)} ${decimal(top)} Td\n${shown}\nET Q\n`;
}
