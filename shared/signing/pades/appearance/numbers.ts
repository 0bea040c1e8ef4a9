import type { PdfValue } from '../pdf/values.ts';
import type { Box } from './box.ts';

/** A number as PDF writes it: without an exponent, to a hundredth of a point. */
export const decimal = (number: number): string => String(Number(number.toFixed(2)));

export const realNumber = (number: number): PdfValue => ({ kind: 'real', text: decimal(number) });

/** The operator that adds a box to the path. */
export const rectangle = ({ x, y, width, height }: Box): string =>
  `${[x, y, width, height].map(decimal).join(' ')} re`;
