import { PdfRefused } from '../refused.ts';

export type Size = { readonly width: number; readonly height: number };

/** A rectangle in points. `x` and `y` are those of its lower left corner. */
export type Box = Size & { readonly x: number; readonly y: number };

/** A rectangle by its distances from the edges of what it is in. Of each axis two of three are given, or the size alone. */
export type Margins = {
  readonly [Side in 'left' | 'top' | 'right' | 'bottom' | 'width' | 'height']?: number | undefined;
};

/** The rectangle of these margins. A size alone is centered. @example boxIn(page, { left: 40, width: 200, height: 60 }) */
export function boxIn(outer: Size, margins: Margins): Box {
  const { left, right, top, bottom } = margins;
  const [x, width] = spanOf(outer.width, [left, right], margins.width, 'left, right, width');
  const [y, height] = spanOf(outer.height, [bottom, top], margins.height, 'top, bottom, height');
  return { x, y, width, height };
}

type Span = readonly [start: number, length: number];

function spanOf(
  whole: number,
  [before, after]: readonly [number | undefined, number | undefined],
  length: number | undefined,
  names: string,
): Span {
  const given = [before, after, length].filter((each) => each !== undefined);
  if (given.length === 0) return [0, whole];
  if (given.length === 3 || (given.length === 1 && length === undefined))
    throw new PdfRefused(
      'no-place',
      `A rectangle has ${given.length} of ${names}. Give two of them, or the size alone, which is centered.`,
    );
  const found: Span =
    length === undefined
      ? [before ?? 0, whole - (before ?? 0) - (after ?? 0)]
      : [before ?? (after === undefined ? (whole - length) / 2 : whole - after - length), length];
  if (!(found[1] > 0))
    throw new PdfRefused(
      'no-place',
      `A rectangle has no room: its ${names} leave nothing of ${Math.round(whole)} points.`,
    );
  return found;
}

export type Align = 'start' | 'center' | 'end';

/** A box of this size in another one. Vertically, `start` is the upper edge. */
export const alignedIn = (outer: Box, size: Size, horizontal: Align, vertical: Align): Box => ({
  ...size,
  x: outer.x + SHARES[horizontal] * (outer.width - size.width),
  y: outer.y + (1 - SHARES[vertical]) * (outer.height - size.height),
});

const SHARES: Readonly<Record<Align, number>> = { start: 0, center: 0.5, end: 1 };

/** The box without a margin, which is smaller in a small box. */
export function insideMargin(outer: Box, marginPoints: number): Box {
  const margin = Math.min(marginPoints, outer.width / 4, outer.height / 4);
  return {
    x: outer.x + margin,
    y: outer.y + margin,
    width: outer.width - 2 * margin,
    height: outer.height - 2 * margin,
  };
}
