import { createHash } from 'node:crypto';
import { files } from '../../../../shared/files/files.ts';
import { findSignatures, inMemory } from '../../../../shared/signing/verification/verify-file.ts';
import { assumeTrusted } from '../../../../shared/signing/verification/verify-signed-file.ts';
import { type NewestProof, signersEndMs, timestampsEndMs } from '../../flows/domain/proof.ts';
import { type Item, signedKey } from '../../items/domain/item.ts';
import { settings } from '../../settings.ts';
import type { Chain } from './chain.ts';
import { StampedFileChanged } from './imprint.ts';

/** The newest proof of a signed file, and whether it is a timestamp, which can be renewed before it expires. */
export type FileProof = NewestProof & { readonly isTimestamp: boolean };

/**
 * The newest proof of a signed file: its newest token, or else the timestamps in it, or else its signatures. Read anew
 * every time: an expiry that was recorded wrongly once stays wrong no longer than until the next look. Throws
 * StampedFileChanged.
 */
export async function newestProof(
  document: Item,
  name: string,
  chain: Chain | undefined,
  nowMs: number,
): Promise<FileProof> {
  const newest = chain?.applied.at(-1);
  if (newest) return { endsAtMs: newest.endsAtMs, madeAtMs: newest.timeMs, isTimestamp: true };
  const signed = document.files.find((file) => file.name === name)?.signed;
  if (!signed) throw new StampedFileChanged(`The file ${name} is not signed.`);
  const key = signedKey(document, name, signed);
  const bytes = await files('credentials').read(key, 2 * settings['Xml:MaxBytes']);
  if (!bytes || createHash('sha256').update(bytes).digest('hex') !== signed.sha256)
    throw new StampedFileChanged(`The file ${key} in the bucket is not the one that was stored.`);
  const options = { judge: assumeTrusted, atMs: nowMs };
  const { signatures } = await findSignatures('XAdES', inMemory(bytes), options);
  const stampedUntilMs = timestampsEndMs(signatures);
  return stampedUntilMs === undefined
    ? { endsAtMs: signersEndMs(signatures), isTimestamp: false }
    : { endsAtMs: stampedUntilMs, isTimestamp: true };
}
