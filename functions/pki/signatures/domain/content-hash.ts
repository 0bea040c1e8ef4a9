import type * as z from 'zod';
import { hashBytes, hashOf } from '../../../../shared/signing/digest.ts';
import { errors } from '../../errors.ts';
import type { DigestRequest } from '../../files/contract.ts';

type Digest = z.output<typeof DigestRequest>;

/** The SHA-256 among the digests of a content, in base64. New signatures use no other. */
export function contentHashOf(digests: readonly Digest[]): string {
  const found = digests.find(({ algorithm }) => algorithm === 'SHA256');
  if (!found)
    throw errors.refuse('MissingDataHash', {
      required: 'SHA256',
      given: digests.map(({ algorithm }) => algorithm).join(', '),
    });
  const bytes = found.value ? Buffer.from(found.value, 'base64') : Buffer.from(found.hexValue ?? '', 'hex');
  if (bytes.length !== hashBytes('sha256'))
    throw errors.refuse('BadDigest', { algorithm: 'SHA256', length: bytes.length });
  return bytes.toString('base64');
}

export const hashOfContent = (bytes: Buffer): string => hashOf('sha256', bytes).toString('base64');
