import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { TrustOptions } from '../../shared/signing/verification/judged-certificates.ts';
import type { VerificationReport } from '../../shared/signing/verification/report.ts';
import { verifyFile } from '../../shared/signing/verification/verify-file.ts';
import { headOf } from '../common/head.ts';
import { about } from '../common/named-file.ts';
import { counted, type Progress } from '../common/progress.ts';
import { checkFormat } from './format.ts';
import type { Target } from './targets.ts';

type Run = {
  readonly trust: TrustOptions;
  readonly atMs: number;
  readonly covers: readonly string[];
  readonly bar: Progress;
};

/** The report on one file. Whatever stands in the way is an Error with one line that names the file. */
export async function verifyTarget(
  { file, content }: Target,
  { trust, atMs, covers, bar }: Run,
): Promise<VerificationReport> {
  const head = headOf(file);
  checkFormat({ file, head, content });
  const stream = (path: string) => counted(createReadStream(path), bar);
  const source = {
    name: file,
    head,
    stream: () => stream(file),
    async bytes() {
      const bytes = await readFile(file);
      bar.add(bytes.length);
      return bytes;
    },
  };
  try {
    return await verifyFile(source, {
      ...{ trust, atMs, covers },
      content: content === undefined ? undefined : { name: content, stream: () => stream(content) },
    });
  } catch (error) {
    throw about(file, 'could not be verified', error);
  }
}
