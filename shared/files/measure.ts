import { createHash } from 'node:crypto';
import { HashMismatch, TooLarge } from './errors.ts';

/** What was seen of a file while it flowed. Hashes are in lower-case hexadecimal. */
export type Measure = { readonly length: number; readonly sha256: string; readonly md5: string };

export type MeasureOptions = { readonly maxBytes?: number | undefined; readonly sha256?: string | undefined };

/** Counts and hashes chunks, and refuses at the first byte too many or at a wrong hash. */
export function startMeasuring(key: string, { maxBytes = Number.POSITIVE_INFINITY, sha256 }: MeasureOptions) {
  const sha256Hash = createHash('sha256');
  const md5Hash = createHash('md5');
  let length = 0;
  return {
    add(chunk: Uint8Array): void {
      length += chunk.byteLength;
      if (length > maxBytes) throw new TooLarge(key, maxBytes, length);
      sha256Hash.update(chunk);
      md5Hash.update(chunk);
    },
    end(): Measure {
      const measure = { length, sha256: sha256Hash.digest('hex'), md5: md5Hash.digest('hex') };
      if (sha256 !== undefined && sha256.toLowerCase() !== measure.sha256) {
        throw new HashMismatch(key, sha256, measure.sha256);
      }
      return measure;
    },
  };
}
