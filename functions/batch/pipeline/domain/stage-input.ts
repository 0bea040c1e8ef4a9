import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Files } from '../../../../shared/files/files.ts';
import { type InputPlace, inputOf } from '../../jobs/domain/job/inputs.ts';
import { type Job, type MeasuredFile, stagedKey } from '../../jobs/domain/job/job.ts';
import { InputHeld, whileInputHeld } from '../../storage/domain/input-lease.ts';
import { inputFiles, isWorkStore, workFiles } from '../../storage/domain/stores.ts';
import { JobFailure } from './end-job.ts';

/** The staged copy of an input on this worker's disk, and its measures. */
export type StagedInput = { readonly path: string; readonly measured: MeasuredFile };

/**
 * Copies the input to processing/ and to disk, measured: what is signed is what was measured. A file of a folder is held
 * meanwhile; one that another process holds fails the job.
 */
export async function stageInput(job: Job, folder: string, now: () => number): Promise<StagedInput> {
  const input = inputOf(job);
  if (!input) throw new JobFailure('job.input-missing');
  const path = join(folder, 'input');
  const stage = async () => ({ path, measured: await copyInput(job, input, path) });
  // Uploads have keys that nobody else knows.
  if (job.folder === null) return stage();
  try {
    return await whileInputHeld(await inputFiles(input.share), input.key, stage, now);
  } catch (error) {
    throw error instanceof InputHeld ? new JobFailure('job.input-held', error.message) : error;
  }
}

async function copyInput(job: Job, input: InputPlace, path: string): Promise<MeasuredFile> {
  const source = await inputFiles(input.share);
  const work = await workFiles();
  const copied = stagedKey(job);
  if (isWorkStore(input.share)) {
    // In one bucket nothing passes through this process but the copy.
    if ((await work.copy(input.key, copied)) === 'gone') throw new JobFailure('job.input-missing');
    return download(work, copied, path);
  }
  const measured = await download(source, input.key, path);
  await work.put(copied, createReadStream(path), { contentType: 'application/octet-stream' });
  return measured;
}

async function download(store: Files, key: string, path: string): Promise<MeasuredFile> {
  const opened = await store.get(key);
  if (!opened) throw new JobFailure('job.input-missing');
  return { ...(await writeMeasured(opened.stream, path)), etag: opened.etag };
}

async function writeMeasured(stream: Readable, path: string): Promise<Omit<MeasuredFile, 'etag'>> {
  const hash = createHash('sha256');
  let length = 0;
  await pipeline(
    stream,
    async function* measure(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        length += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(path),
  );
  return { length, sha256: hash.digest('hex') };
}
