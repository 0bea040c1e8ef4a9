import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { files } from '../../../../shared/files/files.ts';
import { type Job, type MeasuredFile, stagedKey } from '../../jobs/domain/job/job.ts';
import { JobFailure } from './end-job.ts';

/** The staged copy of an input on this worker's disk, and its measures. */
export type StagedInput = { readonly path: string; readonly measured: MeasuredFile };

/** Copies the input to processing/, and the copy to disk, measured: what is signed is what was measured. */
export async function stageInput(job: Job, folder: string): Promise<StagedInput> {
  const store = files('batch');
  const copied = job.inputKey === null ? 'gone' : await store.copy(job.inputKey, stagedKey(job));
  const opened = copied === 'gone' ? undefined : await store.get(stagedKey(job));
  if (!opened) throw new JobFailure('job.input-missing');
  const path = join(folder, 'input');
  const hash = createHash('sha256');
  let length = 0;
  await pipeline(
    opened.stream,
    async function* measure(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        length += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(path),
  );
  return { path, measured: { length, sha256: hash.digest('hex'), etag: opened.etag } };
}
