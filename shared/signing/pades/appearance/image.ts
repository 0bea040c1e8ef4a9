import type { PdfValue } from '../pdf/values.ts';
import { PdfRefused } from '../refused.ts';

/** An image XObject. `mask` holds the opacity of each point. */
export type Image = {
  readonly width: number;
  readonly height: number;
  /** The points that had to be unpacked: none of a JPEG. */
  readonly unpackedPoints: number;
  readonly entries: Readonly<Record<string, PdfValue>>;
  readonly content: Buffer;
  readonly mask?: { readonly entries: Readonly<Record<string, PdfValue>>; readonly content: Buffer };
};

export const refuseImage = (what: string): never => {
  throw new PdfRefused('image-unreadable', `The image cannot be used: ${what} Send a PNG or JPEG.`);
};

// A PNG is unpacked here, and some kilobytes of it can unpack to any size. A JPEG goes into the PDF as it is, at the
// size that a camera gives it.
const MAX_POINTS = { PNG: 4_000_000, JPEG: 25_000_000 };

/** By the header alone, before anything is unpacked. */
export function refuseUnlessDrawable(kind: keyof typeof MAX_POINTS, width: number, height: number): void {
  if (width === 0 || height === 0) refuseImage('it has no points.');
  if (width * height > MAX_POINTS[kind])
    refuseImage(`it has ${width} by ${height} points; the limit of a ${kind} is ${MAX_POINTS[kind]} in all.`);
}
