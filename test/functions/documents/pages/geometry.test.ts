import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterKey,
  centeredAt,
  copiesOf,
  fromLowerLeft,
  keepInside,
  type Place,
  pointsOf,
  resizeBy,
  styleOf,
} from '../../../../functions/documents/pages/browser/placing/geometry.ts';
import { runs } from '../../../faults/fuzz.ts';

const A4 = { width: 595, height: 842 };
const MARK: Place = { page: 1, x: 100, y: 200, width: 180, height: 60 };

describe('a place on a page', () => {
  test('is inside of the page and has a size that can be read, whatever it was', () => {
    const number = fc.double({ min: -5_000, max: 5_000, noNaN: true });
    const side = fc.double({ min: 30, max: 3_000, noNaN: true });
    fc.assert(
      fc.property(number, number, number, number, side, side, (x, y, width, height, across, down) => {
        const page = { width: across, height: down };
        for (const place of [
          keepInside({ page: 1, x, y, width, height }, page),
          resizeBy(keepInside(MARK, page), { x, y }, page),
          centeredAt(1, { x, y }, { width, height }, page),
        ]) {
          expect(Math.min(place.x, place.y)).toBeGreaterThanOrEqual(0);
          expect(Math.min(place.width, place.height)).toBeGreaterThanOrEqual(20);
          // Rounded to tenths.
          expect(place.x + place.width).toBeLessThanOrEqual(across + 0.11);
          expect(place.y + place.height).toBeLessThanOrEqual(down + 0.11);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  test.each([
    [{ key: 'ArrowRight' }, { x: 110 }],
    [{ key: 'ArrowUp' }, { y: 190 }],
    [{ key: 'ArrowDown', altKey: true }, { y: 201 }],
    [{ key: 'ArrowRight', shiftKey: true }, { width: 190 }],
    [{ key: 'ArrowUp', shiftKey: true, altKey: true }, { height: 59 }],
  ])('moves and resizes by arrow keys: %o', (key, expected) => {
    expect(afterKey({ shiftKey: false, altKey: false, ...key }, MARK, A4)).toEqual({ ...MARK, ...expected });
  });

  test('is changed by no other key', () => {
    expect(afterKey({ key: 'a', shiftKey: false, altKey: false }, MARK, A4)).toBeUndefined();
  });

  test('is the same at every zoom', () => {
    for (const zoom of [0.5, 1, 3.7])
      expect(
        pointsOf({ x: 100 * zoom, y: 200 * zoom }, { width: 595 * zoom, height: 842 * zoom }, A4),
      ).toEqual({
        x: expect.closeTo(100),
        y: expect.closeTo(200),
      });
    expect(styleOf({ ...MARK, x: 297.5, y: 421 }, A4)).toMatchObject({ left: '50%', top: '50%' });
  });

  test('from the lower left corner is the same from the upper left one', () => {
    expect(fromLowerLeft({ ...MARK, y: 72 }, A4)).toEqual({ ...MARK, y: 842 - 72 - 60 });
  });

  test('is copied to every other page, inside of those that are smaller', () => {
    const copies = copiesOf(MARK, [A4, A4, { width: 200, height: 100 }]);
    expect(copies).toEqual([
      { ...MARK, page: 2 },
      { page: 3, x: 20, y: 40, width: 180, height: 60 },
    ]);
  });
});
