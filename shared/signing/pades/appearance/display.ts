import { arrayOf, type Pdf, resolve } from '../pdf/document.ts';
import { inheritedEntry, type Page } from '../pdf/page-tree.ts';
import { numberOf, type PdfValue } from '../pdf/values.ts';
import type { Box, Size } from './box.ts';

/** Left, bottom, right and top in the page's own coordinates. */
export type Rect = readonly [number, number, number, number];
export type QuarterTurns = 0 | 90 | 180 | 270;

/** From units of the displayed page, whose lower left corner is 0 0, to the page's own (ISO 32000-2, 8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number];

/** A page as a reader displays it: its crop box, turned. */
export type Display = {
  /** In points. */
  readonly size: Size;
  readonly turn: QuarterTurns;
  readonly matrix: Matrix;
  /** The length of a unit of the page, in points. */
  readonly unitPoints: number;
};

const LETTER: Rect = [0, 0, 612, 792]; // the default of readers

/** @example const { size } = displayOf(pdf, findPage(pdf, 1)) */
export function displayOf(pdf: Pdf, page: Page): Display {
  const [left, bottom, right, top] = visibleRect(pdf, page);
  const turn = turnOf(pdf, page);
  const unitPoints = unitPointsOf(pdf, page);
  const [across, up] = [(right - left) * unitPoints, (top - bottom) * unitPoints];
  const size = turn % 180 === 0 ? { width: across, height: up } : { width: up, height: across };
  const matrices: Readonly<Record<QuarterTurns, Matrix>> = {
    0: [1, 0, 0, 1, left, bottom],
    90: [0, 1, -1, 0, right, bottom],
    180: [-1, 0, 0, -1, right, top],
    270: [0, -1, 1, 0, left, top],
  };
  return { turn, size, matrix: matrices[turn], unitPoints };
}

// The limit of Acrobat.
const MAX_UNIT_POINTS = 75_000;

/** The length of a unit of the page: large paper has larger ones (/UserUnit, which no page inherits). */
export function unitPointsOf(pdf: Pdf, { dict }: Page): number {
  const unit = numberOf(resolve(pdf, dict.get('UserUnit'))) ?? 1;
  return unit > 0 && unit <= MAX_UNIT_POINTS ? unit : 1;
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
export function rectOn(display: Display, { x, y, width, height }: Box): Rect {
  const { matrix, unitPoints: unit } = display;
  const [a, b, c, d, e, f] = matrix;
  const at = (x1: number, y1: number) =>
    [(a * x1 + c * y1) / unit + e, (b * x1 + d * y1) / unit + f] as const;
  return sorted(...at(x, y), ...at(x + width, y + height));
}

/** The other way round: a rectangle of the page as a box of the displayed page. */
export function boxOn({ matrix, unitPoints: unit }: Display, [x1, y1, x2, y2]: Rect): Box {
  const [a, b, c, d, e, f] = matrix;
  // The inverse of a turn is its transpose.
  const at = (x: number, y: number) =>
    [(a * (x - e) + b * (y - f)) * unit, (c * (x - e) + d * (y - f)) * unit] as const;
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
