import { checkImage } from '../../../../shared/signing/pades/appearance/read-image.ts';
import { PdfRefused } from '../../../../shared/signing/pades/refused.ts';
import { errors } from '../../errors.ts';
import { MAX_IMAGE_BYTES } from '../document/evidence.ts';

const refuse = (reason: string) => errors.refuse('SignatureImageNotUsable', { reason });

export function requireImageSize(bytes: number): void {
  if (bytes > MAX_IMAGE_BYTES) throw refuse(`It is larger than ${MAX_IMAGE_BYTES} bytes.`);
}

/** Refuses what is no image of a signature: it is drawn on the final file, when nobody can be asked any more. */
export function requireImage(bytes: Uint8Array): void {
  requireImageSize(bytes.length);
  try {
    checkImage(bytes);
  } catch (error) {
    if (!(error instanceof PdfRefused)) throw error;
    throw refuse(error.message);
  }
}
