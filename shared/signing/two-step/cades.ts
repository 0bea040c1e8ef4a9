import { completeAttached, completeDetached } from '../cades/complete.ts';
import { type DigestedContent, measure } from '../cades/content.ts';
import { contentOf, readExisting } from '../cades/existing.ts';
import { type CadesState, prepareCades } from '../cades/prepare.ts';
import type { SplitSignedData } from '../cms/split.ts';
import { stampSignature } from '../cms/stamp.ts';
import { ContentMismatch } from '../errors.ts';
import { ContentMissing, type Format, type SignatureInput } from './format.ts';
import { policyIn } from './options.ts';

/**
 * Any other file: CAdES, attached unless the options say otherwise, further signers beside the first. Content of any size
 * is streamed.
 */
export const cades: Format<CadesState> = {
  async prepare(input) {
    const { certificate, chain, signingTimeMs, options } = input;
    const { onto, content } = await readContent(input);
    return prepareCades(content, { certificate, chain, signingTimeMs, onto, policy: policyIn(options) });
  },
  async complete(input, { state, signature, stamp }) {
    const { file } = input;
    const onto = file.isSigned ? (await readExisting(file.stream(), 'sha256')).split : undefined;
    const timestampToken = stamp && (await stampSignature(state.signer, signature, stamp));
    if (isDetached(input, onto)) return completeDetached(state, signature, { onto, timestampToken });
    const content = onto ? contentOf(file.stream()) : file.stream();
    return completeAttached(state, signature, content, { onto, timestampToken });
  },
};

type Content = { readonly onto?: SplitSignedData; readonly content: DigestedContent };

async function readContent({ file, options }: SignatureInput): Promise<Content> {
  const given = options?.cades?.contentHash;
  const hash = given === undefined ? undefined : Buffer.from(given, 'base64');
  if (!file.isSigned) return { content: hash ? { hash } : await measure(file.stream(), 'sha256') };
  const { split: onto, content } = await readExisting(file.stream(), 'sha256');
  if (onto.contentBytes !== undefined) {
    if (hash && !hash.equals(content.hash))
      throw new ContentMismatch('The signature to add to holds other content than the one that was given.');
    return { onto, content };
  }
  if (!hash)
    throw new ContentMissing(
      'The signature to add to is apart from its content. Give the content too, or its SHA-256.',
    );
  return { onto, content: { hash } };
}

// Without the content, by its hash alone, nothing else can be made.
const isDetached = ({ options }: SignatureInput, onto: SplitSignedData | undefined): boolean =>
  onto
    ? onto.contentBytes === undefined
    : Boolean(options?.cades?.detached) || options?.cades?.contentHash !== undefined;
