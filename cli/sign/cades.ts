import { createReadStream, statSync } from 'node:fs';
import { measure } from '../../shared/signing/cades/content.ts';
import { readExisting } from '../../shared/signing/cades/existing.ts';
import { cosignAttached, signAttached, signDetached } from '../../shared/signing/cades/sign.ts';
import type { Source } from '../../shared/signing/cms/input.ts';
import { encodePem } from '../../shared/signing/cms/pem.ts';
import { isCms, isPem } from '../../shared/signing/verification/detect.ts';
import { headOf, requireFile } from '../arguments/named-file.ts';
import { countBytes, showProgress } from '../terminal/progress.ts';
import type { Job, Signed } from './job.ts';

type Open = (path: string) => Source;

/** Content is streamed: read once for its digest and, when attached, once more to be written. */
export async function* signAsCades(job: Job): Signed {
  const { file, detached, pem, cosign, content } = job.options;
  if (content !== undefined) requireFile(content, { option: '--content' });
  const contentBytes = content === undefined ? 0 : statSync(content).size;
  const bar = showProgress({
    label: `Signing ${file}`,
    totalBytes: statSync(file).size * (cosign ? 3 : detached ? 1 : 2) + contentBytes,
  });
  const open = (path: string) => countBytes(createReadStream(path), bar);
  try {
    const der = cosign ? await addSignature(job, open) : await signFirst(job, open);
    if (pem || (cosign && isPem(headOf(file)))) yield* encodePem(der);
    else if (der instanceof Uint8Array) yield der;
    else yield* der;
  } finally {
    bar.end();
  }
}

async function signFirst({ options: { file, detached, digest }, key, common }: Job, open: Open) {
  return detached
    ? signDetached(await measure(open(file), digest), key, common)
    : signAttached(() => open(file), key, common);
}

/** Adds a signature beside those in a file, which do not change. */
async function addSignature({ options: { file, content, digest }, key, common }: Job, open: Open) {
  if (!isCms(headOf(file)))
    throw new Error(
      `${file} is no CMS signature, such as .p7m or .p7s, to add to. PDF and XML are signed again without --cosign.`,
    );
  const { split } = await readExisting(open(file), digest);
  const isDetached = split.contentBytes === undefined;
  if (isDetached && content === undefined)
    throw new Error(`${file} is a detached signature. Name its content: --content FILE`);
  if (content === undefined) return cosignAttached(() => open(file), key, common);
  if (!isDetached) throw new Error(`${file} holds its content: leave out --content.`);
  return signDetached(await measure(open(content), digest), key, { ...common, onto: split });
}
