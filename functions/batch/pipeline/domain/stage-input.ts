import { createHash, hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Files } from '../../../../shared/files/files.ts';
import type { OpenFile } from '../../../../shared/files/get.ts';
import type { LocalFile } from '../../../../shared/signing/read-chunks.ts';
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
import type { WorkFolder } from './work-folder.ts';

/** An input in this worker's memory or on its disk, and its measures. */
export type StagedInput = { readonly file: LocalFile; readonly measured: MeasuredFile };

// What is this small stays in memory from here to its output. Pipeline:MaxConcurrency says how many there are at once.
const MAX_IN_MEMORY_BYTES = 1_024 * 1_024;

// A link may put a file again while it is valid, and the job has been made of the first:
//
//   sender  |--puts v1--|                          |--puts v2--|
//   job                   |--created: tag of v1--|               |--staged if its tag is that of v1: job.input-changed--|
//
// The owner of a file in a folder may rewrite it until it is staged: it is theirs, and the newest is signed.

/**
 * Copies the input to this worker, measured: what is signed is what was measured. A file of a folder is copied to processing/ too
 * and held meanwhile; one that another process holds fails the job. An upload stays where it is, and is taken only as it
 * was when its job was created.
 */
export async function stageInput(job: Job, folder: WorkFolder, now: () => number): Promise<StagedInput> {
  const input = inputOf(job);
  if (!input) throw new JobFailure('job.input-missing');
  // The key of an upload is known to nobody else, or to its sender.
  if (job.folder === null && isWorkStore(input.share)) {
    const { file, measured } = await downloadUpload(job, input, folder);
    return { file, measured: { ...measured, isInput: true } };
  }
  const stage = () => copyInput(job, input, folder);
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

/** The staged copy of a job that people approved: what is signed is what they approved. */
export async function reopenApproved(
  job: Job,
  { contentSha256 }: JobApproval,
  folder: WorkFolder,
): Promise<StagedInput> {
  const opened = await (await workFiles()).get(stagedKey(job));
  const found = opened && (await takeMeasured(opened, folder));
  if (found?.measured.sha256 === contentSha256 && job.staged)
    return { file: found.file, measured: job.staged };
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

async function copyInput(job: Job, input: InputPlace, folder: WorkFolder): Promise<StagedInput> {
  const source = await inputFiles(input.share);
  const work = await workFiles();
  const copied = stagedKey(job);
  if (isWorkStore(input.share)) {
    // In one bucket nothing passes through this process but the copy.
    const etag = await copyInBucket(work, input.key, copied, job);
    const { file, measured } = await download(work, copied, folder);
    return { file, measured: { ...measured, etag } };
  }
  const staged =
    job.folder === null
      ? await downloadUpload(job, input, folder)
      : await download(source, input.key, folder);
  await onShare(settings['Storage:Work']?.share, () =>
    work.put(copied, typeof staged.file === 'string' ? createReadStream(staged.file) : staged.file, {
      contentType: 'application/octet-stream',
    }),
  );
  return staged;
}

async function downloadUpload(
  { found }: Job,
  { share, key }: InputPlace,
  folder: WorkFolder,
): Promise<StagedInput> {
  const staged = await download(await inputFiles(share), key, folder);
  if (staged.measured.etag !== found?.etag) throw new JobFailure('job.input-changed');
  return staged;
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

async function download(store: Files, key: string, folder: WorkFolder): Promise<StagedInput> {
  const opened = await store.get(key);
  if (!opened) throw new JobFailure('job.input-missing');
  return takeMeasured(opened, folder);
}

async function takeMeasured({ stream, length, etag }: OpenFile, folder: WorkFolder): Promise<StagedInput> {
  if (length <= MAX_IN_MEMORY_BYTES) {
    const file = await buffer(stream);
    return { file, measured: { length: file.length, sha256: hash('sha256', file), etag } };
  }
  const file = join(await folder(), INPUT_NAME);
  return { file, measured: { ...(await writeMeasured(stream, file)), etag } };
}

const INPUT_NAME = 'input';

/** Reads a staged input from its start. */
export const openStaged = ({ file }: StagedInput): Readable =>
  typeof file === 'string' ? createReadStream(file) : Readable.from([file], { objectMode: false });

/** The path of a staged input, for those who read it more than once. */
export async function onDisk({ file }: StagedInput, folder: WorkFolder): Promise<string> {
  if (typeof file === 'string') return file;
  const path = join(await folder(), INPUT_NAME);
  await writeFile(path, file);
  return path;
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
