import { type Digest, hashOf } from '../digest.ts';
import { checkSignature, type SignerState } from './signer-info.ts';

/** Gets a timestamp token over a hash: an RFC 3161 authority, asked through the client. */
export type Stamp = (digest: Digest, hash: Buffer) => Promise<Buffer>;

/**
 * A timestamp over a signature, which is checked first: an authority is not paid for a wrong one.
 * @example const timestampToken = await stampSignature(state, signature, stamp);
 */
export function stampSignature(state: SignerState, signature: Buffer, stamp: Stamp): Promise<Buffer> {
  checkSignature(state, signature);
  return stamp(state.digest, hashOf(state.digest, signature));
}
