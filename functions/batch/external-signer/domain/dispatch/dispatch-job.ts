import { open } from 'node:fs/promises';
import { type Deadline, deadlineIn } from '../../../../../shared/async/deadline.ts';
import { PlatformRefused, PlatformUnreachable } from '../../../../../shared/platform/errors.ts';
import { LOOKED_AT_BYTES } from '../../../../../shared/signing/format.ts';
import { type ContentKind, contentKindOf } from '../../../../../shared/signing/format-of.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../../shared/store/refusals.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { JobFailure } from '../../../jobs/domain/engine/end-job.ts';
import type { Progress } from '../../../jobs/domain/engine/run-claimed.ts';
import { releasingSlot } from '../../../jobs/domain/engine/slots.ts';
import {
  type Dispatch,
  type Job,
  type JobFormat,
  jobs,
  type MeasuredFile,
} from '../../../jobs/domain/job/job.ts';
import { movingJob } from '../../../jobs/domain/job/move-job.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { counting } from '../../../operations/domain/metrics.ts';
import type { Profile } from '../../../profiles/domain/profile.ts';
import { ofFile, say } from '../../../sentences/sentences.ts';
import { cancelQuietly, dispatchedBefore, openOf } from './adopt-document.ts';
import { createDocumentOnce, type Handover } from './create-document.ts';

// All attempts together. A job that is claimed last has five minutes.
const BUDGET_MS = 120_000;
const CANCEL_WITHIN_MS = 10_000;

/** A job past its gates, and what it counts when it is handed over. */
type Passed = { readonly profile: Profile; readonly counted: readonly Write[] };
type Staged = { readonly path: string; readonly measured: MeasuredFile };

// A worker may be killed anywhere:
//
//   worker    |--job: dispatch begun--|--upload--create--|--job: AwaitingSigner, document id, slot freed--|
//   platform                                   |--document with the job's tag--|
//
// After the first write the job fails with job.interrupted, and its retry looks for the tag. After the last one it waits.

/** Hands a staged file to the external service, where others sign it. The job waits in AwaitingSigner. */
export async function dispatchJob(
  progress: Progress,
  { profile, counted }: Passed,
  staged: Staged,
  now: () => number,
): Promise<void> {
  const { externalSigner } = profile;
  if (!externalSigner) throw new JobFailure('profile.degraded', `Profile ${profile.name} names no signers.`);
  await requireFormat(progress.job, staged);
  const earlier = await dispatchedBefore(progress.job);
  const begun: Dispatch = {
    begunAtMs: now(),
    documentId: null,
    waitingSinceMs: null,
    failedPolls: 0,
    cpfs: externalSigner.signers.map(({ cpf }) => cpf),
    isCanceledThere: null,
    open: openOf(earlier),
  };
  const { state, fence } = progress.job;
  progress.job = await jobs.change(
    progress.job,
    { ...progress.found, dispatch: begun },
    { when: { state, fence } },
  );
  const deadline = deadlineIn(BUDGET_MS, now);
  const { job } = progress;
  const { begunAtMs } = begun;
  const documentId = await handOver({ job, externalSigner, staged, begunAtMs, earlier }, deadline);
  try {
    await markDispatched(progress, { ...begun, documentId }, counted, now());
  } catch (error) {
    // Another has failed the job meanwhile, often because the time of the dispatch was over: nobody waits for this
    // document.
    if (error instanceof RaceLost)
      await cancelQuietly(documentId, 'The job was interrupted.', deadlineIn(CANCEL_WITHIN_MS, now));
    throw error;
  }
}

const KINDS: Readonly<Partial<Record<JobFormat, readonly ContentKind[]>>> = {
  Pades: ['pdf', 'pdf-inside'],
  Xades: ['xml'],
};

/** Refuses a file that the external service would sign in another format than the job's: people would sign in vain. */
async function requireFormat({ format }: Job, { path }: Staged): Promise<void> {
  const kinds = KINDS[format];
  if (!kinds || kinds.includes(contentKindOf(await readHead(path)))) return;
  const what = format === 'Pades' ? 'a PDF' : 'XML that can be signed';
  throw new JobFailure(
    'job.signing-failed',
    `The file is not ${what}. Upload it again with the format Cades, or correct the file.`,
  );
}

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LOOKED_AT_BYTES), 0, LOOKED_AT_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function handOver(handover: Handover, deadline: Deadline): Promise<string> {
  try {
    return await createDocumentOnce(handover, deadline);
  } catch (error) {
    const message = explain(error);
    if (message === undefined) throw error;
    const { id: jobId, fileName, profileName } = handover.job;
    const code = 'signer.unreachable';
    const also = recordingEvent(
      { type: 'SignerDispatchFailed', message: ofFile(fileName, message), jobId, profileName, code },
      deadline.now(),
    );
    throw new JobFailure(code, message, { also, cause: error });
  }
}

function explain(error: unknown): string | undefined {
  if (error instanceof PlatformRefused)
    return `The external service refused the document: ${error.message} Correct the profile or the file, then retry.`;
  if (error instanceof PlatformUnreachable)
    return `The document could not be handed to the external service: ${error.message} Retry when the service answers; a document that it has created nevertheless is found again.`;
  return undefined;
}

async function markDispatched(
  progress: Progress,
  begun: Dispatch,
  counted: readonly Write[],
  nowMs: number,
): Promise<void> {
  const { job, slot } = progress;
  const { id: jobId, fileName, profileName } = job;
  const message = say('job.dispatched', { id: begun.documentId ?? '' });
  const dispatch = { ...begun, waitingSinceMs: nowMs };
  const { after, writes } = movingJob(job, { event: 'dispatched', message, patch: { dispatch } }, nowMs);
  await commit([
    ...writes,
    releasingSlot(slot),
    ...recordingEvent(
      { type: 'JobDispatched', message: ofFile(fileName, message), jobId, profileName },
      nowMs,
    ),
    counting('bulk_jobs_dispatched_to_signer_total', { profile: profileName }),
    ...counted,
  ]);
  progress.job = after;
}
