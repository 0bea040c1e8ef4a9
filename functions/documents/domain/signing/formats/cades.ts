import { completeAttached } from '../../../../../shared/signing/cades/complete.ts';
import { measure } from '../../../../../shared/signing/cades/content.ts';
import { contentOf, readExisting } from '../../../../../shared/signing/cades/existing.ts';
import { type CadesState, prepareCades } from '../../../../../shared/signing/cades/prepare.ts';
import { stampSignature } from '../../../../../shared/signing/cms/stamp.ts';
import { streamOf } from '../newest-file.ts';
import type { Format, Subject } from './format.ts';

/** Anything else: the content inside its signature, and every further signer beside the first. It flows, whatever its size. */
export const cades: Format<CadesState> = {
  async prepare(subject) {
    const { certificate, chain, signingTimeMs } = subject;
    const { split: onto, content } = await readSoFar(subject);
    return prepareCades(content, { certificate, chain, signingTimeMs, onto });
  },
  async complete(subject, { state, signature, stamp }) {
    const { original, signed } = subject.document;
    const { split: onto } = signed ? await readSoFar(subject) : { split: undefined };
    const timestampToken = stamp && (await stampSignature(state.signer, signature, stamp));
    const content = signed ? contentOf(streamOf(signed.key)) : streamOf(original.key);
    return completeAttached(state, signature, content, { onto, timestampToken });
  },
};

async function readSoFar({ document: { original, signed } }: Subject) {
  if (signed) return readExisting(streamOf(signed.key), 'sha256');
  return { split: undefined, content: await measure(streamOf(original.key), 'sha256') };
}
