import { completeAttached } from '../cades/complete.ts';
import { measure } from '../cades/content.ts';
import { contentOf, readExisting } from '../cades/existing.ts';
import { type CadesState, prepareCades } from '../cades/prepare.ts';
import { stampSignature } from '../cms/stamp.ts';
import type { Format, SignableFile } from './format.ts';

/** Any other file: attached CAdES, further signers beside the first. Content of any size is streamed. */
export const cades: Format<CadesState> = {
  async prepare({ file, certificate, chain, signingTimeMs }) {
    const { split: onto, content } = await readContent(file);
    return prepareCades(content, { certificate, chain, signingTimeMs, onto });
  },
  async complete({ file }, { state, signature, stamp }) {
    const { split: onto } = file.isSigned ? await readContent(file) : { split: undefined };
    const timestampToken = stamp && (await stampSignature(state.signer, signature, stamp));
    const content = file.isSigned ? contentOf(file.stream()) : file.stream();
    return completeAttached(state, signature, content, { onto, timestampToken });
  },
};

async function readContent({ isSigned, stream }: SignableFile) {
  if (isSigned) return readExisting(stream(), 'sha256');
  return { split: undefined, content: await measure(stream(), 'sha256') };
}
