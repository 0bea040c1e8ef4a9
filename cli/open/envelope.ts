import { createReadStream } from 'node:fs';
import type { Pkcs12Entry } from '../../shared/pki/pkcs12/entries.ts';
import { decodePem } from '../../shared/signing/cms/pem.ts';
import { DecryptionFailed } from '../../shared/signing/encryption/errors.ts';
import { openEnveloped } from '../../shared/signing/encryption/open-enveloped.ts';
import { openWithPassword, passwordKey } from '../../shared/signing/encryption/password-envelope.ts';
import { formatOfBytes } from '../../shared/signing/format.ts';
import { readChunks } from '../../shared/signing/read-chunks.ts';
import { isCms } from '../../shared/signing/verification/detect.ts';
import { verifySignedFile } from '../../shared/signing/verification/verify-signed-file.ts';
import { writeWhole } from '../../shared/signing/write-whole.ts';
import { headOf } from '../arguments/named-file.ts';

export type EnvelopeKind = 'password' | 'certificate';

/** The kind of a file by its first bytes; undefined for one that is no envelope. */
export function envelopeKindOf(head: Buffer): EnvelopeKind | undefined {
  if (head.subarray(0, 5).toString('latin1') === 'BSENC') return 'password';
  return isCms(head) ? 'certificate' : undefined;
}

/** The envelope's tag is checked before the first byte is written. */
export async function openPasswordEnvelope(
  file: string,
  out: string,
  { password, salt }: { readonly password: string; readonly salt: Buffer },
): Promise<void> {
  const key = await passwordKey(password, salt);
  await writeWhole(
    out,
    openWithPassword(() => readChunks(file), key),
  );
}

type CertificateEnvelopeOptions = {
  readonly entries: readonly Pkcs12Entry[];
  readonly unverified: boolean;
  readonly nowMs: number;
};

/**
 * Opens with the first key that the envelope is for, and returns it. Ciphertext malleability (EFAIL, 2018): the envelope
 * authenticates nothing, so a draft without an intact signature is not kept.
 */
export async function openCertificateEnvelope(
  file: string,
  out: string,
  { entries, unverified, nowMs }: CertificateEnvelopeOptions,
): Promise<Pkcs12Entry> {
  const check = unverified ? undefined : (draft: string) => requireIntactSignature(draft, nowMs);
  for (const entry of entries) {
    try {
      await writeWhole(out, openEnveloped(decodePem(createReadStream(file)), entry), check);
      return entry;
    } catch (error) {
      if (!(error instanceof DecryptionFailed) || error.reason !== 'not-for-this-key') throw error;
    }
  }
  throw new DecryptionFailed(
    'not-for-this-key',
    'It is encrypted for other certificates than those of --key.',
  );
}

async function requireIntactSignature(draft: string, nowMs: number): Promise<void> {
  const result = await verifySignedFile(draft, { format: formatOfBytes(headOf(draft)), atMs: nowMs });
  if (result.ok) return;
  throw new Error(
    `What came out carries no intact signature, so the envelope may have been changed: ${result.reasons[0]} To keep it all the same: --unverified`,
  );
}
