import type { Place } from './appearance/place.ts';
import { createLocator } from './locate.ts';
import { openForUpdate } from './open-for-signing.ts';
import { startIncrement } from './pdf/increment.ts';
import { sourceOf } from './pdf/source.ts';
import { PdfRefused } from './refused.ts';

/**
 * Those whose place is on a page of the file: a signature that is shown elsewhere too is refused as a whole.
 * @example const visible = onPages(bytes, appearances);
 */
export function onPages<Shown extends { readonly place: Place }>(
  file: Uint8Array,
  shown: readonly Shown[],
): readonly Shown[] {
  if (shown.length === 0) return [];
  const signable = openForUpdate(sourceOf(file));
  const locate = createLocator(startIncrement(signable.pdf), signable);
  return shown.filter(({ place }) => {
    try {
      locate(place);
      return true;
    } catch (error) {
      if (error instanceof PdfRefused) return false;
      throw error;
    }
  });
}
