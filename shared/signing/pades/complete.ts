import { completeSignedData } from '../cms/signed-data.ts';
import { type Stamp, stampSignature } from '../cms/stamp.ts';
import { fillContents } from './contents-placeholder.ts';
import type { PadesState } from './prepare.ts';

export type PadesCompletion = {
  /** The increment that preparePades gave. */
  readonly increment: Buffer;
  /** With an authority to ask, the signature is B-T; without, B-B. */
  readonly stamp?: Stamp | undefined;
  readonly crls?: readonly Buffer[] | undefined;
};

/**
 * The second step: what to append to the original file so that it is signed. A signature that is not the
 * certificate's is refused with SignatureMismatch, one that does not fit with ContentsTooSmall.
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
