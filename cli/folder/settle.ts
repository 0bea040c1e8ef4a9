import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { CommandRefusal, causeOf } from '../../shared/command-line/reason.ts';
import { fileNameIn, safeFileName } from '../../shared/files/safe-name.ts';
import { fileReason } from '../arguments/named-file.ts';
import type { Progress } from '../terminal/progress.ts';
import { type Api, Refused, Unavailable } from './api.ts';
import { hashOf, removeIfSame } from './directory.ts';
import type { Place } from './place.ts';
import type { Entry } from './state.ts';
import { fail, type Work } from './work.ts';

/** Fetches the signed file of a completed job, and then removes the original. It may be killed anywhere and run again. */
export async function settle(entry: Entry, jobId: string, work: Work, { api }: Place): Promise<void> {
  const { options, report, state } = work;
  try {
    const { inputSha256, errorCode } = await api.job(jobId);
    if (inputSha256 !== entry.sha256)
      fail(report, entry, 'another program put a file of its name into the folder, and that one was signed.');
    else {
      const { output } = options;
      const signed = await download(api, { jobId, output, transfer: report.transfer });
      await release(entry, errorCode, work);
      // A person may end the command when it has said this: all is done, and recorded.
      await state.save();
      report.say(`${entry.name}: signed, ${join(output, signed)}`);
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    fail(report, entry, `${error.code}: ${error.sentence}`);
  }
  await state.save();
}

/** Removes the original, unless it is to stay, was changed, or is in doubt (job.input-diverged). */
async function release(entry: Entry, errorCode: string | null, work: Work): Promise<void> {
  const { options, report, state } = work;
  const { name, sha256 } = entry;
  if (errorCode !== null) report.complain(`${name}: stays, because of ${errorCode}.`);
  if (options.keep || errorCode !== null) {
    entry.state = 'signed';
    return;
  }
  const outcome = await removeIfSame(options.dir, name, sha256);
  if (outcome === 'changed') report.complain(`${name}: was changed after its upload, and stays.`);
  state.files.delete(name);
}

type Download = {
  readonly jobId: string;
  readonly output: string;
  readonly transfer: (totalBytes: number) => Progress;
};

/**
 * Downloads the signed file of a job under the service's name for it, whole or not at all, and gives that name. A file of
 * the name that is there stays: the same content counts as downloaded, and beside another one it becomes "name (2)".
 */
async function download(api: Api, { jobId, output, transfer }: Download): Promise<string> {
  const answer = await api.output(jobId);
  const name = safeFileName(fileNameIn(answer.headers.get('content-disposition')) ?? `${jobId}.signed`);
  const announced = answer.headers.get('content-length');
  const draft = join(output, `.${jobId}.part`);
  const bar = transfer(Number(announced ?? 0));
  try {
    await mkdir(output, { recursive: true });
    const { length, sha256 } = await write(draft, answer, bar);
    if (announced !== null && !answer.headers.has('content-encoding') && length !== Number(announced))
      throw new Unavailable(`The signed file of job ${jobId} ended after ${length} of ${announced} bytes`);
    return await publish(draft, { output, name, sha256 });
  } catch (error) {
    if (error instanceof Unavailable || !(error as NodeJS.ErrnoException).syscall) throw error;
    throw new CommandRefusal(`${output} cannot be written: ${fileReason(error)}`, { cause: error });
  } finally {
    bar.end();
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

async function write(
  draft: string,
  { body }: Response,
  bar: Progress,
): Promise<{ length: number; sha256: string }> {
  const hash = createHash('sha256');
  let length = 0;
  const handle = await open(draft, 'w');
  try {
    const chunks = body?.[Symbol.asyncIterator]();
    for (;;) {
      const next = await chunks?.next().catch((error: unknown) => {
        throw new Unavailable(`The download broke off (${causeOf(error)})`, { cause: error });
      });
      if (!next || next.done) break;
      const chunk: Uint8Array = next.value;
      hash.update(chunk);
      length += chunk.byteLength;
      bar.add(chunk.byteLength);
      await handle.write(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { length, sha256: hash.digest('hex') };
}

type Published = { readonly output: string; readonly name: string; readonly sha256: string };

/** Gives the draft its name. A link is refused where the name is taken, so that no file is ever replaced. */
async function publish(draft: string, { output, name, sha256 }: Published): Promise<string> {
  const { name: stem, ext } = parse(name);
  for (let number = 1; ; number++) {
    const tried = number === 1 ? name : `${stem} (${number})${ext}`;
    const path = join(output, tried);
    const isTaken = await linkTo(draft, path);
    if (!isTaken) return tried;
    // A command that was killed after its download comes here again.
    if ((await lstat(path)).isFile() && (await hashOf(createReadStream(path))) === sha256) return tried;
  }
}

/** Answers whether the name was taken. */
async function linkTo(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return true;
  }
  // A file system without links. Two programs that write one name at the same moment are not covered there.
  if (await lstat(path).catch(() => undefined)) return true;
  await rename(draft, path);
  return false;
}
