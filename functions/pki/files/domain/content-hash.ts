import type * as z from 'zod';
import { hashBytes, hashOf } from '../../../../shared/signing/digest.ts';
import { digestNamed } from '../../domain/digest-names.ts';
import { errors } from '../../errors.ts';
import type { DigestRequest } from '../contract.ts';

type Digest = z.output<typeof DigestRequest>;

export const hashIn = ({ value, hexValue }: Digest): Buffer =>
  value ? Buffer.from(value, 'base64') : Buffer.from(hexValue ?? '', 'hex');

/**
 * The SHA-256 among the digests of a content, in base64. New signatures use no other. Where the content is there, all
 * digests must be of it.
 */
export function contentHashOf(digests: readonly Digest[], content?: Buffer): string {
  const [found, ...others] = digests.filter(({ algorithm }) => algorithm === 'SHA256').map(hashIn);
  if (!found)
    throw errors.refuse('MissingDataHash', {
      required: 'SHA256',
      given: digests.map(({ algorithm }) => algorithm).join(', '),
    });
  if (found.length !== hashBytes('sha256') || others.some((other) => !other.equals(found)))
    throw errors.refuse('BadDigest', { algorithm: 'SHA256', length: found.length });
  if (content) refuseOtherDigests(content, digests);
  return found.toString('base64');
}

/** Refuses a digest that is not of this content, or of an algorithm that is not computed here. */
export function refuseOtherDigests(content: Buffer, digests: readonly Digest[]): void {
  const other = digests.find((digest) => !isDigestOf(content, digest));
  if (other)
    throw errors.refuse('BadDigest', {
      algorithm: other.algorithm,
      reason: 'It is not the digest of the content.',
    });
}

/** Whether a digest is of this content. Refuses one of an algorithm that is not computed here. */
export function isDigestOf(content: Buffer, digest: Digest): boolean {
  const { algorithm } = digest;
  const known = digestNamed(algorithm);
  if (!known)
    throw errors.refuse('BadDigest', { algorithm, reason: 'Digests of this algorithm are not compared.' });
  return hashOf(known, content).equals(hashIn(digest));
}

export const hashOfContent = (bytes: Buffer): string => hashOf('sha256', bytes).toString('base64');
