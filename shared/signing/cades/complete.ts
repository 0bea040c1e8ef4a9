import { chunksOf, type Source } from '../cms/input.ts';
import { frame, type SignedDataParts, signedDataParts } from '../cms/signed-data.ts';
import type { SplitSignedData } from '../cms/split.ts';
import type { SigningDigest } from '../digest.ts';
import { ContentMismatch } from '../errors.ts';
import { type MeasuredContent, passUnchanged } from './content.ts';
import { appendSigner } from './existing.ts';
import { type CadesState, signedDigestOf } from './prepare.ts';

export type CadesCompletion = {
  /** A timestamp over the signature (see stampSignature), which makes it B-T. */
  readonly timestampToken?: Buffer | undefined;
  readonly crls?: readonly Buffer[] | undefined;
  /** The existing signature that was given to prepareCades. */
  readonly onto?: SplitSignedData | undefined;
};

/**
 * The second step for a detached signature, in DER.
 * @example await writeFile('contract.pdf.p7s', completeDetached(state, signature));
 */
export function completeDetached(
  state: CadesState,
  signature: Buffer,
  completion: CadesCompletion = {},
): Buffer {
  if (completion.onto && completion.onto.contentBytes !== undefined)
    throw new ContentMismatch('The existing signature holds its content: add to it with completeAttached.');
  return frame(assembleParts(state, signature, completion)).head;
}

/**
 * The second step for an attached signature, in DER. The content is read again and streamed. Content that differs from
 * the measured one ends the stream with ContentMismatch.
 * @example await pipeline(completeAttached(state, signature, createReadStream('a.bin')), createWriteStream('a.bin.p7m'));
 */
export async function* completeAttached(
  state: CadesState,
  signature: Buffer,
  content: Source,
  completion: CadesCompletion = {},
): AsyncGenerator<Uint8Array> {
  const expected = requireMeasured(state);
  if (completion.onto && completion.onto.contentBytes !== expected.bytes)
    throw new ContentMismatch(
      'The existing signature does not hold this content: add to it with completeDetached.',
    );
  const { head, tail } = frame(assembleParts(state, signature, completion), expected.bytes);
  yield head;
  yield* passUnchanged(content, state.signer.digest, expected);
  yield tail;
}

/** The finished part of one of several signers. */
export type CadesSignature = {
  readonly state: CadesState;
  readonly signature: Buffer;
  readonly timestampToken?: Buffer | undefined;
};

/**
 * The second step for an attached signature of several signers who prepared theirs side by side, in DER. The content is
 * streamed. A signer of other content, or content that differs from what they signed, ends the stream with
 * ContentMismatch.
 * @example await pipeline(completeAttachedBy([ofAna, ofBruno], createReadStream('a.bin')), createWriteStream('a.bin.p7m'));
 */
export async function* completeAttachedBy(
  signatures: readonly CadesSignature[],
  content: Source,
): AsyncGenerator<Uint8Array> {
  const contents = contentsOf(signatures.map(({ state }) => state));
  const [first, ...others] = signatures.map(({ state, signature, timestampToken }) =>
    assembleParts(state, signature, { timestampToken }),
  );
  const [measured] = contents.values();
  if (!first || !measured) throw new ContentMismatch('Nobody signed the content.');
  const { head, tail } = frame(others.reduce(appendSigner, first), measured.bytes);
  let passed: AsyncIterable<Uint8Array> | Iterable<Uint8Array> = chunksOf(content);
  for (const [digest, expected] of contents) passed = passUnchanged(passed, digest, expected);
  yield head;
  yield* passed;
  yield tail;
}

/** What the signers signed, for each digest that they use. Refuses those who did not sign the same. */
function contentsOf(states: readonly CadesState[]): ReadonlyMap<SigningDigest, MeasuredContent> {
  const found = new Map<SigningDigest, MeasuredContent>();
  for (const state of states) {
    const { digest, contentType } = state.signer;
    const own = requireMeasured(state);
    const [first = own] = found.values();
    const { hash } = found.get(digest) ?? own;
    const isSame =
      own.hash.equals(hash) && own.bytes === first.bytes && contentType === states[0]?.signer.contentType;
    // The state names the content beside the attributes that were signed: a state that was changed may name another.
    if (!isSame || !signedDigestOf(state)?.equals(hash))
      throw new ContentMismatch('One of the signers signed other content than the others.');
    found.set(digest, own);
  }
  return found;
}

function requireMeasured({ content: { hash, bytes } }: CadesState): MeasuredContent {
  if (bytes === undefined)
    throw new ContentMismatch(
      'Only the digest of the content was given when the signature was prepared: complete it with completeDetached.',
    );
  return { hash: Buffer.from(hash, 'base64'), bytes };
}

function assembleParts(state: CadesState, signature: Buffer, completion: CadesCompletion): SignedDataParts {
  const certificates = state.certificates.map((text) => ({ der: Buffer.from(text, 'base64') }));
  const added = signedDataParts(state.signer, signature, { ...completion, certificates });
  return completion.onto ? appendSigner(completion.onto, added) : added;
}
