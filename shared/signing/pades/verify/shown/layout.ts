import type { Rect } from '../../appearance/display.ts';
import type { Mark } from './mark.ts';

const SPANNING = 0.6;
const MAX_LAYOUT_POINTS = 24; // a frame with round corners has 17, and a written word hundreds
export const MAX_LINE_POINTS = 3;

export type Shape = Extract<Mark, { kind: 'shape' }>;

/** Whether a shape is a line, a box or a background of a form, and no letter or picture. */
export function isLayout(rect: Rect, { box, isStraight, points }: Shape): boolean {
  if (points > MAX_LAYOUT_POINTS) return false;
  const isWide = widthOf(box) >= SPANNING * widthOf(rect);
  const isHigh = heightOf(box) >= SPANNING * heightOf(rect);
  if (isWide && isHigh) return true;
  // The sides of a bevelled border are no rectangles.
  return (isWide || isHigh) && (isStraight || isThin(box));
}

const COMB_SPANNING = 0.9;

/**
 * Whether a shape in the look of a field is a background, a frame, a marked row, or the line between two places of a comb.
 * Shorter lines draw figures.
 */
export const isPartOfField = (box: Rect, mark: Shape): boolean =>
  isLayout(box, mark) &&
  (widthOf(mark.box) >= SPANNING * widthOf(box) ||
    (isThin(mark.box) && heightOf(mark.box) >= COMB_SPANNING * heightOf(box)));

/** Whether a filled shape is no more than a line. */
export const isThin = (box: Rect): boolean => Math.min(widthOf(box), heightOf(box)) <= MAX_LINE_POINTS;

const widthOf = ([left, , right]: Rect): number => right - left;
const heightOf = ([, bottom, , top]: Rect): number => top - bottom;
