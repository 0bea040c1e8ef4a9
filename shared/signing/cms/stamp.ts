import { type Digest, hashOf } from '../digest.ts';
import { checkSignature, type SignerState } from './signer-info.ts';

/** Requests a timestamp token over a hash from an RFC 3161 authority. */
export type Stamp = (digest: Digest, hash: Buffer) => Promise<Buffer>;

/**
 * Requests a timestamp over a signature, which is checked first: authorities charge for each token.
 * @example const timestampToken = await stampSignature(state, signature, stamp);
 */
export function stampSignature(state: SignerState, signature: Buffer, stamp: Stamp): Promise<Buffer> {
  checkSignature(state, signature);
  return stamp(state.digest, hashOf(state.digest, signature));
}
