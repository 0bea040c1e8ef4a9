import { arrayOf, type Pdf, resolve } from '../pdf/document.ts';
import { inheritedEntry, type Page } from '../pdf/page-tree.ts';
import { numberOf, type PdfValue } from '../pdf/values.ts';
import { PdfRefused } from '../refused.ts';

/** The place of a signature: points from the lower left corner of the page as displayed, or from the upper left one. */
export type Place = {
  /** From the upper left corner, `y` is that of the upper edge. */
  readonly from?: 'top' | undefined;
  /** From 1. */
  readonly page: number | 'last';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

export type Rect = readonly [number, number, number, number];
export type QuarterTurns = 0 | 90 | 180 | 270;

const LETTER: Rect = [0, 0, 612, 792]; // the default of readers

/** The place in the page's own coordinates, which may have another origin and be rotated. */
export function rectOn(pdf: Pdf, page: Page, place: Place): Rect {
  const { x, width, height, page: number } = place;
  const [left, bottom, right, top] =
    rectOf(pdf, inheritedEntry(page, 'CropBox') ?? inheritedEntry(page, 'MediaBox')) ?? LETTER;
  const turned = turnOf(pdf, page) % 180 !== 0;
  const [shownWidth, shownHeight] = turned ? [top - bottom, right - left] : [right - left, top - bottom];
  const y = place.from === 'top' ? shownHeight - place.y - height : place.y;
  const isOnPage = x < shownWidth && y < shownHeight && x + width > 0 && y + height > 0;
  if (!(width > 0 && height > 0 && isOnPage))
    throw new PdfRefused(
      'no-place',
      `The signature's place (${x}, ${place.y}, ${width} by ${height}) is not on page ${number}, which measures ${shownWidth} by ${shownHeight} points.`,
    );
  switch (turnOf(pdf, page)) {
    case 90:
      return [right - y - height, bottom + x, right - y, bottom + x + width];
    case 180:
      return [right - x - width, top - y - height, right - x, top - y];
    case 270:
      return [left + y, top - x - width, left + y + height, top - x];
    default:
      return [left + x, bottom + y, left + x + width, bottom + y + height];
  }
}

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
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}
