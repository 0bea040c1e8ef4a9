import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Files } from '../../../../shared/files/files.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { JobFailure } from '../../jobs/domain/engine/end-job.ts';
import { onShare } from '../../jobs/domain/engine/on-share.ts';
import type { JobApproval } from '../../jobs/domain/job/approval.ts';
import { type InputPlace, inputOf, recordingRewrite } from '../../jobs/domain/job/inputs.ts';
import { type Job, type MeasuredFile, stagedKey } from '../../jobs/domain/job/job.ts';
import { counting } from '../../operations/domain/metrics.ts';
import { settings } from '../../settings.ts';
import { InputHeld, whileInputHeld } from '../../storage/domain/input-lease.ts';
import { inputFiles, isWorkStore, workFiles } from '../../storage/domain/stores.ts';

/** An input on this worker's disk, and its measures. */
export type StagedInput = { readonly path: string; readonly measured: MeasuredFile };

// A link may put a file again while it is valid, and the job has been made of the first:
//
//   sender  |--puts v1--|                          |--puts v2--|
//   job                   |--created: tag of v1--|               |--staged if its tag is that of v1: job.input-changed--|
//
// The owner of a file in a folder may rewrite it until it is staged: it is theirs, and the newest is signed.

/**
 * Copies the input to disk, measured: what is signed is what was measured. A file of a folder is copied to processing/ too
 * and held meanwhile; one that another process holds fails the job. An upload stays where it is, and is taken only as it
 * was when its job was created.
 */
export async function stageInput(job: Job, folder: string, now: () => number): Promise<StagedInput> {
  const input = inputOf(job);
  if (!input) throw new JobFailure('job.input-missing');
  const path = join(folder, 'input');
  // The key of an upload is known to nobody else, or to its sender.
  if (job.folder === null && isWorkStore(input.share))
    return { path, measured: { ...(await downloadUpload(job, input, path)), isInput: true } };
  const stage = async () => ({ path, measured: await copyInput(job, input, path) });
  if (job.folder === null) return stage();
  const startedAtMs = now();
  const staged = await stageHeld(input, stage, now);
  const { length, etag } = staged.measured;
  if (length !== job.found?.length || etag !== job.found.etag)
    await commit([recordingRewrite(input, { length, etag, seenAtMs: startedAtMs }, job.id)]);
  return staged;
}

/** Copies an upload to processing/: its job is to wait for people, and its link may put another file meanwhile. */
export async function keepCopy(job: Job, staged: StagedInput): Promise<StagedInput> {
  const { isInput, ...measured } = staged.measured;
  const input = inputOf(job);
  if (!isInput || !input) return staged;
  const outcome = await (await workFiles()).copy(input.key, stagedKey(job), measured.etag);
  if (outcome !== 'copied')
    throw new JobFailure(outcome === 'gone' ? 'job.input-missing' : 'job.input-changed');
  return { ...staged, measured };
}

/** The staged copy of a job that people approved, on disk: what is signed is what they approved. */
export async function reopenApproved(
  job: Job,
  { contentSha256 }: JobApproval,
  folder: string,
): Promise<StagedInput> {
  const path = join(folder, 'input');
  const opened = await (await workFiles()).get(stagedKey(job));
  const found = opened && (await writeMeasured(opened.stream, path));
  if (found?.sha256 === contentSha256 && job.staged) return { path, measured: job.staged };
  const also = [counting('bulk_jobs_content_changed_total', { profile: job.profileName })];
  throw new JobFailure('approval.content-changed', undefined, { also });
}

async function stageHeld<T>(input: InputPlace, stage: () => Promise<T>, now: () => number): Promise<T> {
  try {
    return await onShare(input.share, async () =>
      whileInputHeld(await inputFiles(input.share), input.key, stage, now),
    );
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
    const etag = await copyInBucket(work, input.key, copied, job);
    return { ...(await download(work, copied, path)), etag };
  }
  const measured =
    job.folder === null ? await downloadUpload(job, input, path) : await download(source, input.key, path);
  await onShare(settings['Storage:Work']?.share, () =>
    work.put(copied, createReadStream(path), { contentType: 'application/octet-stream' }),
  );
  return measured;
}

async function downloadUpload(
  { found }: Job,
  { share, key }: InputPlace,
  path: string,
): Promise<MeasuredFile> {
  const measured = await download(await inputFiles(share), key, path);
  if (measured.etag !== found?.etag) throw new JobFailure('job.input-changed');
  return measured;
}

const MAX_COPIES = 5;

/** Copies the file of a folder as it was found, or as it was rewritten since. Answers the tag of what was copied. */
async function copyInBucket(store: Files, from: string, to: string, job: Job): Promise<string> {
  let etag = job.found?.etag;
  for (let copies = 0; copies < MAX_COPIES; copies++) {
    etag ??= (await store.head(from))?.etag;
    const outcome = etag === undefined ? 'gone' : await store.copy(from, to, etag);
    if (outcome === 'gone') throw new JobFailure('job.input-missing');
    if (outcome === 'copied' && etag !== undefined) return etag;
    etag = undefined;
  }
  throw new JobFailure(
    'job.signing-failed',
    'The input is being rewritten again and again. Retry when it is complete.',
  );
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
