import type { Rect } from '../../appearance/display.ts';

type Point = readonly [number, number];

/** A part of a path in the units of the page, without its points: a map has millions. */
export type Subpath = { box: Rect; isStraight: boolean; points: number; outline: string };

const MAX_OUTLINE_LETTERS = 1000; // a bevelled border has 150
const MAX_SUBPATHS = 5000;
const STRAIGHT_POINTS = 0.05;

export function createPath() {
  let subpaths: Subpath[] = [];
  let last: Point = [0, 0];

  const add = (points: readonly Point[], isCurved = false): void => {
    const subpath = subpaths.at(-1);
    if (!subpath) return;
    for (const [x, y] of points) {
      const [left, bottom, right, top] = subpath.box;
      const isTurned = Math.abs(x - last[0]) > STRAIGHT_POINTS && Math.abs(y - last[1]) > STRAIGHT_POINTS;
      subpath.box = [Math.min(left, x), Math.min(bottom, y), Math.max(right, x), Math.max(top, y)];
      if (isCurved || isTurned) subpath.isStraight = false;
      subpath.points++;
      if (subpath.outline.length < MAX_OUTLINE_LETTERS) subpath.outline += ` ${x.toFixed(2)} ${y.toFixed(2)}`;
      last = [x, y];
    }
  };

  return {
    start: (x: number, y: number): void => {
      if (subpaths.length < MAX_SUBPATHS) {
        last = [x, y];
        const outline = `${x.toFixed(2)} ${y.toFixed(2)}`;
        subpaths.push({ box: [x, y, x, y], isStraight: true, points: 1, outline });
      } else add([[x, y]], true);
    },
    add,
    /** The parts so far. The next path starts anew. */
    take: (): readonly Subpath[] => {
      const taken = subpaths;
      subpaths = [];
      return taken;
    },
  };
}
