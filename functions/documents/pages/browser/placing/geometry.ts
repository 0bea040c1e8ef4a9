// Places in points from the upper left corner of a page, as requests name them, and in pixels, as pointers do.

export type Size = { readonly width: number; readonly height: number };
export type Point = { readonly x: number; readonly y: number };

/** A rectangle on a page, in points from its upper left corner. */
export type Place = Point & Size & { readonly page: number };

/** The smallest side. The contract takes 10 points; nobody reads a signature in less than this. */
export const MIN_SIDE = 20;

// A tenth of a point is finer than a pixel at any zoom.
const round = (value: number): number => Math.round(value * 10) / 10;

const between = (low: number, value: number, high: number): number =>
  Math.max(low, Math.min(value, Math.max(low, high)));

/** The same place, no larger than its page and within it. A page smaller than the smallest side is filled. */
export function keepInside({ page, x, y, width, height }: Place, size: Size): Place {
  const wide = Math.min(size.width, Math.max(MIN_SIDE, width));
  const high = Math.min(size.height, Math.max(MIN_SIDE, height));
  return {
    page,
    x: round(between(0, x, size.width - wide)),
    y: round(between(0, y, size.height - high)),
    width: round(wide),
    height: round(high),
  };
}

/** The place after a move by so many points. */
export const moveBy = (place: Place, by: Point, size: Size): Place =>
  keepInside({ ...place, x: place.x + by.x, y: place.y + by.y }, size);

/** The place after its lower right corner was moved. The upper left one stays. */
export const resizeBy = (place: Place, by: Point, size: Size): Place =>
  keepInside(
    {
      ...place,
      width: Math.min(place.width + by.x, size.width - place.x),
      height: Math.min(place.height + by.y, size.height - place.y),
    },
    size,
  );

/** Points for pixels of a page that is shown so large. */
export const pointsOf = ({ x, y }: Point, shown: Size, size: Size): Point => ({
  x: (x / (shown.width || 1)) * size.width,
  y: (y / (shown.height || 1)) * size.height,
});

/** A place whose middle is at these points. */
export const centeredAt = (page: number, { x, y }: Point, { width, height }: Size, size: Size): Place =>
  keepInside({ page, x: x - width / 2, y: y - height / 2, width, height }, size);

/** A place that was given from the lower left corner. */
export const fromLowerLeft = (place: Place, size: Size): Place => ({
  ...place,
  y: round(size.height - place.y - place.height),
});

/** Where an element of the page's size shows a place, as its style says it. */
export const styleOf = ({ x, y, width, height }: Place, size: Size) => ({
  left: `${(x / size.width) * 100}%`,
  top: `${(y / size.height) * 100}%`,
  width: `${(width / size.width) * 100}%`,
  height: `${(height / size.height) * 100}%`,
});

/** The same place on every other page, kept inside of those that are smaller. */
export const copiesOf = (place: Place, sizes: readonly Size[]): Place[] =>
  sizes.flatMap((size, index) =>
    index + 1 === place.page ? [] : [keepInside({ ...place, page: index + 1 }, size)],
  );

// A step of the arrow keys, and with Alt the fine one.
const STEP = 10;
const FINE_STEP = 1;

const DIRECTIONS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

type KeyPress = { readonly key: string; readonly shiftKey: boolean; readonly altKey: boolean };

/** The place after an arrow key: it moves, and resizes with Shift. Undefined for any other key. */
export function afterKey({ key, shiftKey, altKey }: KeyPress, place: Place, size: Size): Place | undefined {
  const direction = DIRECTIONS[key];
  if (!direction) return undefined;
  const step = altKey ? FINE_STEP : STEP;
  const by = { x: direction.x * step, y: direction.y * step };
  return shiftKey ? resizeBy(place, by, size) : moveBy(place, by, size);
}
