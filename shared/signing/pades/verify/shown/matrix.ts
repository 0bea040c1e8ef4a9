import type { Matrix } from '../../appearance/display.ts';
import { arrayOf, type Pdf, resolve } from '../../pdf/document.ts';
import { numberOf, type PdfValue } from '../../pdf/values.ts';

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Both, the first applied first (ISO 32000-2, 8.3.4). */
export const times = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + b * i,
  a * h + b * j,
  c * g + d * i,
  c * h + d * j,
  e * g + f * i + k,
  e * h + f * j + l,
];

export const moved = (x: number, y: number, matrix: Matrix): Matrix => times([1, 0, 0, 1, x, y], matrix);

/** A point in the units around. */
export const pointAt = (x: number, y: number, [a, b, c, d, e, f]: Matrix): readonly [number, number] => [
  x * a + y * c + e,
  x * b + y * d + f,
];

/** A matrix of the file; that which changes nothing where there is none. */
export function matrixOf(pdf: Pdf, value: PdfValue | undefined): Matrix {
  const [a, b, c, d, e, f] = arrayOf(pdf, value).map((item) => numberOf(resolve(pdf, item)) ?? 0);
  return f === undefined ? IDENTITY : [a ?? 1, b ?? 0, c ?? 0, d ?? 1, e ?? 0, f];
}
