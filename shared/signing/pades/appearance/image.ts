import type { PdfValue } from '../pdf/values.ts';
import { PdfRefused } from '../refused.ts';

/** An image XObject. `mask` holds the opacity of each point. */
export type Image = {
  readonly width: number;
  readonly height: number;
  readonly entries: Readonly<Record<string, PdfValue>>;
  readonly content: Buffer;
  readonly mask?: { readonly entries: Readonly<Record<string, PdfValue>>; readonly content: Buffer };
};

export const refuseImage = (what: string): never => {
  throw new PdfRefused('image-unreadable', `The image cannot be used: ${what} Send a PNG or JPEG.`);
};
