import { createReadStream, statSync } from 'node:fs';
import { measure } from '../../shared/signing/cades/content.ts';
import { readExisting } from '../../shared/signing/cades/existing.ts';
import { cosignAttached, signDetached } from '../../shared/signing/cades/sign.ts';
import type { Source } from '../../shared/signing/cms/input.ts';
import { encodePem } from '../../shared/signing/cms/pem.ts';
import { isCms, isPem } from '../../shared/signing/verification/detect.ts';
import { headOf, requireFile } from '../arguments/named-file.ts';
import { countBytes, showProgress } from '../terminal/progress.ts';
import type { Job } from './job.ts';

/** The signature with one more signer, in chunks. Those in it do not change, and PEM text stays text. */
export async function* addSigner(job: Job): AsyncGenerator<Uint8Array> {
  const { file, pem, content } = job.options;
  if (content !== undefined) requireFile(content, { option: '--content' });
  const contentBytes = content === undefined ? 0 : statSync(content).size;
  const bar = showProgress({ label: `Signing ${file}`, totalBytes: statSync(file).size * 3 + contentBytes });
  try {
    const der = await cosign(job, (path) => countBytes(createReadStream(path), bar));
    if (pem || isPem(headOf(file))) yield* encodePem(der);
    else if (der instanceof Uint8Array) yield der;
    else yield* der;
  } finally {
    bar.end();
  }
}

async function cosign(
  { options: { file, content, digest }, key, common }: Job,
  open: (path: string) => Source,
) {
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
