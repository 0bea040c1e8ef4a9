import type { FoundSignature } from '../../../../shared/signing/verification/found.ts';
import { settings } from '../../settings.ts';

const own = (signatures: readonly FoundSignature[]) => signatures.filter(({ kind }) => kind === 'signature');

/**
 * When the timestamps in a signed file can no longer be verified: its authority's certificate expires. Of several
 * timestamps of one signature the last to expire counts, of several signatures the first. Undefined for a file without
 * timestamps: none expires.
 */
export function timestampsEndMs(signatures: readonly FoundSignature[]): number | undefined {
  const ends = own(signatures).flatMap(({ timestamps, archiveTimestamps }) => {
    const certified = [...timestamps, ...archiveTimestamps].flatMap(({ valid, authority }) =>
      valid && authority ? [authority.notAfterMs] : [],
    );
    return certified.length > 0 ? [Math.max(...certified)] : [];
  });
  return ends.length > 0 ? Math.min(...ends) : undefined;
}

/** When the first certificate of a signer expires: until then a signature without a timestamp can be verified. */
export function signersEndMs(signatures: readonly FoundSignature[]): number {
  const ends = own(signatures).flatMap(({ certificate }) => (certificate ? [certificate.notAfterMs] : []));
  if (ends.length === 0)
    throw new Error('A signed file was taken, and no signature of it has a certificate.');
  return Math.min(...ends);
}

/** The newest proof of a file: until when it can be verified, and when it was made if it is one of our tokens. */
export type NewestProof = { readonly endsAtMs: number; readonly madeAtMs?: number };

const MIN_GAP_MS = 86_400_000;

/**
 * When a file is to be stamped again: Restamps:BeforeExpiry before its newest proof expires. An authority may itself be
 * that near to its expiry. Then the file waits for half of the time that is left, and a day at least: every stamp of the
 * same certificate would make the next one due at once.
 */
export function restampDueAtMs({ endsAtMs, madeAtMs }: NewestProof): number {
  const dueAtMs = endsAtMs - settings['Restamps:BeforeExpiry'] * 1000;
  if (madeAtMs === undefined) return dueAtMs;
  return Math.max(dueAtMs, madeAtMs + Math.max(MIN_GAP_MS, (endsAtMs - madeAtMs) / 2));
}
