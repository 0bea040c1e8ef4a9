import { completeSignedData } from '../cms/signed-data.ts';
import { type Stamp, stampSignature } from '../cms/stamp.ts';
import { fillContents } from './contents-placeholder.ts';
import type { PadesState } from './prepare.ts';

export type PadesCompletion = {
  /** The increment that preparePades returned. */
  readonly increment: Buffer;
  /** A timestamp authority: the signature becomes B-T. Without one it is B-B. */
  readonly stamp?: Stamp | undefined;
  readonly crls?: readonly Buffer[] | undefined;
};

/**
 * The second step: returns the bytes to append to the original file. Throws SignatureMismatch for a signature by another
 * key, and ContentsTooSmall for one that does not fit.
 * @example const signed = Buffer.concat([original, await completePades(state, signature, { increment })]);
 */
export async function completePades(
  state: PadesState,
  signature: Buffer,
  { increment, stamp, crls }: PadesCompletion,
): Promise<Buffer> {
  const timestampToken = stamp && (await stampSignature(state.signer, signature, stamp));
  const certificates = state.certificates.map((text) => ({ der: Buffer.from(text, 'base64') }));
  const der = completeSignedData(state.signer, signature, { certificates, crls, timestampToken });
  return fillContents(increment, state.fileBytes, state, der);
}
