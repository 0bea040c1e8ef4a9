import type { Increment } from '../pdf/increment.ts';
import { literal } from '../pdf/text.ts';
import type { PdfRef } from '../pdf/values.ts';
import { type Align, alignedIn, type Box, boxIn, insideMargin, type Margins, type Size } from './box.ts';
import type { QuarterTurns } from './display.ts';
import { createResources, drawImage, type Layer, type Resources } from './drawing.ts';
import { decimal } from './numbers.ts';
import { readImage } from './read-image.ts';
import { drawStamp, type Stamp } from './stamp.ts';
import { fitText, LINE_HEIGHT, toWinAnsi, widthOf } from './text.ts';

/** The content of a visible signature. */
export type Appearance = {
  /** A stamp in the design of Sinete, in place of lines, image and border. */
  readonly stamp?: Stamp;
  readonly lines?: readonly string[];
  /** The rectangle of the lines. By default all that the image leaves. */
  readonly linesWithin?: Margins | undefined;
  readonly linesAlign?: Align | undefined;
  /** A PNG or JPEG, beside the lines or alone. */
  readonly image?: Uint8Array;
  /** With it the image has the whole place, behind the lines. */
  readonly background?: Layer | undefined;
  readonly border?: boolean;
  /** The largest font size. It shrinks until all lines fit. */
  readonly fontSizePoints?: number | undefined;
};

const MARGIN_POINTS = 3;
const IMAGE_SHARE = 0.4; // of the width, when there are lines too

/** Writes the appearance as a form XObject, upright on a rotated page (ISO 32000-2, 12.5.5). */
export function putAppearance(
  update: Increment,
  appearance: Appearance,
  size: Size,
  turn: QuarterTurns,
): PdfRef {
  const resources = createResources(update);
  const operators = appearance.stamp
    ? drawStamp(appearance.stamp, size, resources)
    : drawParts(appearance, size, resources);
  return resources.putForm(operators, size, { Matrix: MATRICES[turn] });
}

const MATRICES: Readonly<Record<QuarterTurns, readonly number[]>> = {
  0: [1, 0, 0, 1, 0, 0],
  90: [0, 1, -1, 0, 0, 0],
  180: [-1, 0, 0, -1, 0, 0],
  270: [0, -1, 1, 0, 0, 0],
};

function drawParts(appearance: Appearance, size: Size, resources: Resources): string {
  const { background, border, linesWithin, linesAlign, fontSizePoints } = appearance;
  const image = appearance.image && readImage(appearance.image);
  const lines = (appearance.lines ?? []).map(toWinAnsi);
  const whole: Box = { x: 0, y: 0, ...size };
  const inner = insideMargin(whole, MARGIN_POINTS);
  const isBeside = image !== undefined && !background && lines.length > 0;
  const imageBox = background ? whole : isBeside ? { ...inner, width: inner.width * IMAGE_SHARE } : inner;
  const taken = isBeside ? inner.width * IMAGE_SHARE + MARGIN_POINTS : 0;
  const beside = { ...inner, x: inner.x + taken, width: inner.width - taken };
  const textBox = linesWithin ? boxIn(size, linesWithin) : beside;
  return [
    border ? drawBorder(size) : '',
    image ? drawImage(resources, image, imageBox, background) : '',
    lines.length > 0
      ? drawText(resources, lines, textBox, { largest: fontSizePoints, align: linesAlign })
      : '',
  ].join('');
}

const drawBorder = ({ width, height }: Size): string =>
  `q 0.5 w 0.3 G 0.25 0.25 ${decimal(width - 0.5)} ${decimal(height - 0.5)} re S Q\n`;

type TextOptions = { readonly largest: number | undefined; readonly align: Align | undefined };

function drawText(
  resources: Resources,
  text: readonly string[],
  box: Box,
  { largest, align = 'start' }: TextOptions,
): string {
  const { lines, sizePoints } = fitText(text, box.width, box.height, largest);
  const leading = sizePoints * LINE_HEIGHT;
  const free = Math.max(0, box.height - leading * lines.length);
  const top = box.y + box.height - free / 2 - sizePoints;
  let from: readonly [number, number] = [0, 0];
  const shown = lines.map((line, at) => {
    const size = { width: widthOf(line, sizePoints), height: 0 };
    const to = [alignedIn(box, size, align, 'start').x, top - at * leading] as const;
    const move = `${decimal(to[0] - from[0])} ${decimal(to[1] - from[1])} Td`;
    from = to;
    return `${move} ${literal(line)} Tj`;
  });
  return `q BT ${resources.font('Helvetica')} ${decimal(sizePoints)} Tf 0 g\n${shown.join('\n')}\nET Q\n`;
}
