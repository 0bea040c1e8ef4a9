import type { Source } from '../cms/input.ts';
import { type Stamp, stampSignature } from '../cms/stamp.ts';
import type { SigningKey } from '../key.ts';
import { type CadesCompletion, completeAttached, completeDetached } from './complete.ts';
import { type DigestedContent, measure } from './content.ts';
import { contentOf, readExisting } from './existing.ts';
import { type CadesOptions, type CadesState, prepareCades } from './prepare.ts';

export type SignCadesOptions = CadesOptions & {
  readonly crls?: readonly Buffer[] | undefined;
  /** With a timestamp authority the signature is B-T; without, B-B. */
  readonly stamp?: Stamp | undefined;
};

/**
 * A detached signature in one step, of content or of its digest alone.
 * @example const der = await signDetached({ hash }, key, { signingTimeMs: now() });
 */
export async function signDetached(
  content: DigestedContent,
  key: SigningKey,
  options: SignCadesOptions,
): Promise<Buffer> {
  const { state, signature, completion } = await signContent(content, key, options);
  return completeDetached(state, signature, completion);
}

/**
 * An attached signature in one step. The content is opened twice: to measure it and to stream it.
 * @example await pipeline(signAttached(() => createReadStream(path), key, { signingTimeMs: now() }), output);
 */
export async function* signAttached(
  open: () => Source,
  key: SigningKey,
  options: SignCadesOptions,
): AsyncGenerator<Uint8Array> {
  const content = await measure(open(), options.digest ?? 'sha256');
  const { state, signature, completion } = await signContent(content, key, options);
  yield* completeAttached(state, signature, open(), completion);
}

/**
 * Adds a signature to an attached one, which is opened twice. The earlier signatures stay unchanged.
 * @example await pipeline(cosignAttached(() => createReadStream('a.p7m'), key, { signingTimeMs: now() }), output);
 */
export async function* cosignAttached(
  open: () => Source,
  key: SigningKey,
  options: Omit<SignCadesOptions, 'onto'>,
): AsyncGenerator<Uint8Array> {
  const { split, content } = await readExisting(open(), options.digest ?? 'sha256');
  const { state, signature, completion } = await signContent(content, key, { ...options, onto: split });
  yield* completeAttached(state, signature, contentOf(open()), completion);
}

type SigningResult = {
  readonly state: CadesState;
  readonly signature: Buffer;
  readonly completion: CadesCompletion;
};

async function signContent(
  content: DigestedContent,
  key: SigningKey,
  options: SignCadesOptions,
): Promise<SigningResult> {
  const { certificate, chain } = key;
  const { digest, hash, toSign, state } = prepareCades(content, { ...options, certificate, chain });
  const signature = await key.signHash(digest, hash, toSign);
  const { stamp, onto, crls } = options;
  const timestampToken = stamp && (await stampSignature(state.signer, signature, stamp));
  return { state, signature, completion: { timestampToken, onto, crls } };
}
