import type { Margins } from '../pades/appearance/box.ts';
import type { Paper } from '../pades/appearance/place.ts';

export type MeasurementUnits = 'Centimeters' | 'PdfPoints';

type Maybe = number | null | undefined;

/** A rectangle by its distances from the edges, in units. */
export type Rectangle = {
  readonly [Side in 'left' | 'top' | 'right' | 'bottom' | 'width' | 'height']?: Maybe;
};

export type RectangleSize = { readonly width: number; readonly height: number };

const POINTS: Readonly<Record<MeasurementUnits, number>> = { Centimeters: 72 / 2.54, PdfPoints: 1 };

/** @example pointsIn('Centimeters')(2.54) // 72 */
export const pointsIn =
  (units: MeasurementUnits) =>
  (length: number): number =>
    length * POINTS[units];

export function marginsOf(units: MeasurementUnits, rectangle: Rectangle): Margins {
  const points = (length: Maybe) => (typeof length === 'number' ? pointsIn(units)(length) : undefined);
  const { left, top, right, bottom, width, height } = rectangle;
  return {
    ...{ left: points(left), top: points(top), right: points(right) },
    ...{ bottom: points(bottom), width: points(width), height: points(height) },
  };
}

export const PAPER_SIZES = [
  ...(['Custom', 'A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8'] as const),
  ...(['Letter', 'Legal', 'Ledger'] as const),
] as const;

export type PageOptimization = {
  readonly paperSize?: (typeof PAPER_SIZES)[number] | null | undefined;
  readonly customPaperSize?: RectangleSize | null | undefined;
  readonly pageOrientation?: 'Auto' | 'Portrait' | 'Landscape' | null | undefined;
};

const MILLIMETRE = 72 / 25.4;
const ORIENTATIONS = { Auto: 'auto', Portrait: 'portrait', Landscape: 'landscape' } as const;

/** The paper that measures are for; undefined where they are for any. */
export function paperOf(
  units: MeasurementUnits,
  optimization: PageOptimization | null | undefined,
): Paper | undefined {
  if (!optimization) return undefined;
  const { paperSize, customPaperSize, pageOrientation } = optimization;
  const orientation = ORIENTATIONS[pageOrientation ?? 'Auto'];
  if (customPaperSize && (!paperSize || paperSize === 'Custom')) {
    const points = pointsIn(units);
    return { width: points(customPaperSize.width), height: points(customPaperSize.height), orientation };
  }
  const [width, height] = PAPERS[paperSize && paperSize !== 'Custom' ? paperSize : 'A4'];
  return { width: width * MILLIMETRE, height: height * MILLIMETRE, orientation };
}

// Millimetres: ISO 216, and inches of ANSI.
const PAPERS: Readonly<Record<Exclude<(typeof PAPER_SIZES)[number], 'Custom'>, readonly [number, number]>> = {
  ...{ A0: [841, 1189], A1: [594, 841], A2: [420, 594], A3: [297, 420], A4: [210, 297] },
  ...{ A5: [148, 210], A6: [105, 148], A7: [74, 105], A8: [52, 74] },
  ...{ Letter: [215.9, 279.4], Legal: [215.9, 355.6], Ledger: [279.4, 431.8] },
};
