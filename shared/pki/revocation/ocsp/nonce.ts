import { DerError, expectTag, readDer } from '../../../der/read.ts';
import { TAG } from '../../../der/tags.ts';
import { OCSP_NONCE } from './request.ts';
import type { OcspResponse } from './response.ts';

/**
 * Whether a response may answer the request with this nonce. Responders that sign in advance leave it out, and
 * their dates alone speak for them; another nonce than ours is an answer to somebody else.
 */
export function acceptsNonce({ extensions }: OcspResponse, nonce: Buffer): boolean {
  const extension = extensions.get(OCSP_NONCE);
  if (!extension) return true;
  try {
    return expectTag(readDer(extension.value), TAG.OCTET_STRING).content.equals(nonce);
  } catch (error) {
    // Early responders wrote the bytes bare.
    if (error instanceof DerError) return extension.value.equals(nonce);
    throw error;
  }
}
