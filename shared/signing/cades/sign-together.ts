import type { SignaturePolicy } from '../cms/policy.ts';
import { type Stamp, stampSignature } from '../cms/stamp.ts';
import type { SigningKey } from '../key.ts';
import { type LocalFile, readChunks } from '../read-chunks.ts';
import { type CadesSignature, completeAttachedBy } from './complete.ts';
import { measure } from './content.ts';
import { prepareCades } from './prepare.ts';

export type SignTogetherOptions = {
  /** Those who signed already, each from a state of prepareCades. */
  readonly signatures: readonly CadesSignature[];
  /** A key that signs too, now. */
  readonly key?: SigningKey | undefined;
  readonly signingTimeMs: number;
  readonly policy?: SignaturePolicy | undefined;
  /** A timestamp authority: every signature is B-T. */
  readonly stamp?: Stamp | undefined;
  /** PEM text. */
  readonly pem?: boolean | undefined;
};

/**
 * The pieces of one attached CAdES file of several signers. Content of any size takes the same memory. SignatureMismatch
 * or ContentMismatch for a signer who did not sign this content.
 * @example await writeWhole('data.p7m', signTogether('data.bin', { signatures: [ofAna, ofBruno], key, signingTimeMs: nowMs }));
 */
export async function* signTogether(
  input: LocalFile,
  options: SignTogetherOptions,
): AsyncGenerator<Uint8Array> {
  const all = [...options.signatures, ...(options.key ? [await signOwn(input, options.key, options)] : [])];
  const signed = completeAttachedBy(await stampAll(all, options.stamp), readChunks(input));
  if (!options.pem) return yield* signed;
  const { encodePem } = await import('../cms/pem.ts');
  yield* encodePem(signed);
}

async function signOwn(
  input: LocalFile,
  key: SigningKey,
  { signingTimeMs, policy }: SignTogetherOptions,
): Promise<CadesSignature> {
  const { certificate, chain } = key;
  const content = await measure(readChunks(input), 'sha256');
  const { digest, hash, toSign, state } = prepareCades(content, {
    certificate,
    chain,
    signingTimeMs,
    policy,
  });
  return { state, signature: await key.signHash(digest, hash, toSign) };
}

/** Requests one timestamp after another: an authority that refuses the first is not asked for the rest. */
async function stampAll(
  signatures: readonly CadesSignature[],
  stamp: Stamp | undefined,
): Promise<readonly CadesSignature[]> {
  if (!stamp) return signatures;
  const stamped: CadesSignature[] = [];
  for (const one of signatures)
    stamped.push({ ...one, timestampToken: await stampSignature(one.state.signer, one.signature, stamp) });
  return stamped;
}
