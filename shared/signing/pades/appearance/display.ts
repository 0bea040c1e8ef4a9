import { arrayOf, type Pdf, resolve } from '../pdf/document.ts';
import { inheritedEntry, type Page } from '../pdf/page-tree.ts';
import { numberOf, type PdfValue } from '../pdf/values.ts';
import type { Box, Size } from './box.ts';

/** Left, bottom, right and top in the page's own coordinates. */
export type Rect = readonly [number, number, number, number];
export type QuarterTurns = 0 | 90 | 180 | 270;

/** From points of the displayed page, whose lower left corner is 0 0, to the page's own (ISO 32000-2, 8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number];

/** A page as a reader displays it: its crop box, turned. */
export type Display = { readonly size: Size; readonly turn: QuarterTurns; readonly matrix: Matrix };

const LETTER: Rect = [0, 0, 612, 792]; // the default of readers

/** @example const { size } = displayOf(pdf, findPage(pdf, 1)) */
export function displayOf(pdf: Pdf, page: Page): Display {
  const [left, bottom, right, top] = visibleRect(pdf, page);
  const turn = turnOf(pdf, page);
  const [width, height] = [right - left, top - bottom];
  switch (turn) {
    case 90:
      return { turn, size: { width: height, height: width }, matrix: [0, 1, -1, 0, right, bottom] };
    case 180:
      return { turn, size: { width, height }, matrix: [-1, 0, 0, -1, right, top] };
    case 270:
      return { turn, size: { width: height, height: width }, matrix: [0, -1, 1, 0, left, top] };
    default:
      return { turn, size: { width, height }, matrix: [1, 0, 0, 1, left, bottom] };
  }
}

// Readers show what the crop box has of the media box (ISO 32000-2, 14.11.2.1).
function visibleRect(pdf: Pdf, page: Page): Rect {
  const media = rectOf(pdf, inheritedEntry(page, 'MediaBox'));
  const crop = rectOf(pdf, inheritedEntry(page, 'CropBox'));
  if (!media || !crop) return crop ?? media ?? LETTER;
  const both: Rect = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ];
  return both[0] < both[2] && both[1] < both[3] ? both : media;
}

/** A box of the displayed page in the page's own coordinates, which may have another origin and be rotated. */
export function rectOn({ matrix: [a, b, c, d, e, f] }: Display, { x, y, width, height }: Box): Rect {
  const at = (x1: number, y1: number) => [a * x1 + c * y1 + e, b * x1 + d * y1 + f] as const;
  return sorted(...at(x, y), ...at(x + width, y + height));
}

/** The other way round: a rectangle of the page as a box of the displayed page. */
export function boxOn({ matrix: [a, b, c, d, e, f] }: Display, [x1, y1, x2, y2]: Rect): Box {
  // The inverse of a turn is its transpose.
  const at = (x: number, y: number) => [a * (x - e) + b * (y - f), c * (x - e) + d * (y - f)] as const;
  const [left, bottom, right, top] = sorted(...at(x1, y1), ...at(x2, y2));
  return { x: left, y: bottom, width: right - left, height: top - bottom };
}

const sorted = (x1: number, y1: number, x2: number, y2: number): Rect => [
  Math.min(x1, x2),
  Math.min(y1, y2),
  Math.max(x1, x2),
  Math.max(y1, y2),
];

/** The clockwise rotation of a displayed page (/Rotate). */
export function turnOf(pdf: Pdf, page: Page): QuarterTurns {
  const degrees = numberOf(resolve(pdf, inheritedEntry(page, 'Rotate'))) ?? 0;
  const turn = ((degrees % 360) + 360) % 360;
  return turn === 90 || turn === 180 || turn === 270 ? turn : 0;
}

/** A rectangle by any two opposite corners; undefined where it is none. */
export function rectOf(pdf: Pdf, value: PdfValue | undefined): Rect | undefined {
  const [x1, y1, x2, y2] = arrayOf(pdf, value).map((item) => numberOf(resolve(pdf, item)));
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return undefined;
  return sorted(x1, y1, x2, y2);
}
