import type { PdfValue } from '../pdf/values.ts';

/** A number as PDF writes it: without an exponent, to a hundredth of a point. */
export const decimal = (number: number): string => String(Number(number.toFixed(2)));

export const realNumber = (number: number): PdfValue => ({ kind: 'real', text: decimal(number) });
