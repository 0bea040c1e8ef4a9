import { createReadStream, statSync } from 'node:fs';
import { verifyCades } from '../../shared/signing/cades/verify.ts';
import type { Judge } from '../../shared/signing/cms/judge.ts';
import { CmsMalformed } from '../../shared/signing/errors.ts';
import { counted, progress } from '../sign/progress.ts';
import type { Options } from './options.ts';
import type { Shown } from './shown.ts';

/** Content of any size passes by. */
export async function showCades({ file, content, atMs }: Options, judge: Judge): Promise<Shown> {
  const totalBytes = [file, content].reduce((sum, each) => sum + (each ? statSync(each).size : 0), 0);
  const bar = progress({ label: `Verifying ${file}`, totalBytes });
  const open = (path: string) => counted(createReadStream(path), bar);
  try {
    const report = await verifyCades(open(file), {
      ...(content !== undefined && { content: open(content) }),
      judge,
      atMs,
    });
    if (!report.attached && content === undefined)
      throw new Error(`${file} is a detached signature. Name what it is over: --content FILE`);
    return {
      format: 'CAdES',
      valid: report.valid,
      results: report.results,
      signatures: report.signers.map((signer) => ({
        ...signer,
        covers: [content ?? 'the content inside it'],
      })),
    };
  } catch (error) {
    if (!(error instanceof CmsMalformed)) throw error;
    throw new Error(`${error.message} Ask its sender for the file again.`, { cause: error });
  } finally {
    bar.end();
  }
}
