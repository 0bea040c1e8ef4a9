import { type Deadline, deadlineIn, leftMs } from '../../../../../shared/async/deadline.ts';
import { PlatformRefused, PlatformUnreachable } from '../../../../../shared/platform/errors.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { failJob, JobFailure, unlessRaceLost } from '../../../jobs/domain/engine/end-job.ts';
import { type ClaimedJob, slots } from '../../../jobs/domain/engine/slots.ts';
import { wakeWorker } from '../../../jobs/domain/job/create-job.ts';
import type { FolderDocument } from '../../../jobs/domain/job/job.ts';
import { movingJob } from '../../../jobs/domain/job/move-job.ts';
import type { Recovery } from '../../../jobs/domain/job/recovery.ts';
import { jobStates } from '../../../jobs/domain/job/states.ts';
import { say } from '../../../sentences/sentences.ts';
import { makePass } from '../pass.ts';
import { type DocumentState, readState } from './document-state.ts';
import { cancelMovedOn, completeJob, countingOutcome, markSigned } from './end-folder-job.ts';

/** The specification's limits: of one read, and of all reads of one recovery. */
const READ_MS = 10_000;
const RECOVERY_MS = 30_000;

// A job may kill its worker, or have a failure that cannot be recorded. It is not claimed for ever.
const MAX_CLAIMS = 5;

/** A job of a signer folder whose worker is gone, and the slot that it left. */
export type Stranded = ClaimedJob & { readonly document: FolderDocument; readonly recovery: Recovery };

/**
 * Recovers jobs of signer folders whose workers are gone. Nothing is signed: a job that never reached the key returns to
 * the queue, a few times, and a job past it ends on the answer of the external service. Those that the time does not
 * suffice for stay until the next recovery.
 */
export async function recoverFolderJobs(stranded: readonly Stranded[], now: () => number): Promise<void> {
  const asked: Stranded[] = [];
  for (const one of stranded) {
    if (needsAnswer(one)) asked.push(one);
    else await unlessRaceLost(() => recoverAtOnce(one, now()));
  }
  if (asked.length > 0) await endOnAnswers(asked, now);
}

/** Whether only the external service knows if the document is signed. */
const needsAnswer = ({ job, document }: Stranded): boolean =>
  document.keyReachedAtMs !== null && jobStates.accepts(job.state, 'signed');

async function recoverAtOnce(stranded: Stranded, nowMs: number): Promise<void> {
  const { job, document } = stranded;
  if (document.keyReachedAtMs !== null) {
    // The service has taken the signature already.
    await complete(stranded, nowMs);
    return;
  }
  if (job.fence >= MAX_CLAIMS) {
    const sentence = `${job.fence} workers in a row were gone before they reached the key. The log of the service may tell why.`;
    await fail(stranded, new JobFailure('signer-folder.signature-failed', sentence), nowMs);
    return;
  }
  const message = say('job.returned');
  const { writes } = movingJob(job, { event: 'returned', message }, nowMs);
  await commit([...writes, ...ending(stranded)]);
  await wakeWorker();
}

// Workers that look for jobs meet the same stranded ones. One of them asks, and the others go on with their jobs.

const endOnAnswers = (asked: readonly Stranded[], now: () => number): Promise<boolean> =>
  makePass('recovery', { now }, async (pass) => {
    const whole = deadlineIn(RECOVERY_MS, now);
    try {
      for (const one of asked) {
        if (leftMs(whole) === 0) break;
        await unlessRaceLost(() => endOnAnswer(one, whole));
      }
    } finally {
      await pass.end({ cursor: null, failures: 0, lastError: null });
    }
  });

async function endOnAnswer(stranded: Stranded, whole: Deadline): Promise<void> {
  const { job, slot, recovery } = stranded;
  const { now } = whole;
  const own = deadlineIn(READ_MS, now);
  const deadline = own.atMs <= whole.atMs ? own : whole;
  const state = await readOrUndefined(stranded, deadline);
  // It had less than its own time.
  if (state === undefined && deadline === whole) return;
  if (state === 'signed') {
    const message = 'Its worker is gone. The external service has the signature.';
    const signed = await markSigned(job, message, [slots.unchanged(slot), ...recovery.guards], now());
    await complete({ ...stranded, job: signed }, now());
  } else if (state === 'moved on') {
    await cancelMovedOn(job, ending(stranded), now());
  } else {
    await fail(stranded, new JobFailure('signer-folder.interrupted'), now());
  }
}

/** The writes of the commit that takes a job out of flight. */
const ending = ({ slot, recovery }: Stranded): Write[] => [slots.deleting(slot), ...recovery.endings];

const complete = (stranded: Stranded, nowMs: number) =>
  completeJob(stranded.job, say('job.not-read-back'), ending(stranded), nowMs);

const fail = ({ job, slot, recovery }: Stranded, { code, sentence }: JobFailure, nowMs: number) =>
  failJob(
    { job },
    new JobFailure(code, sentence, { also: [countingOutcome('failed'), ...recovery.endings] }),
    { event: 'interrupted', freeing: slots.deleting(slot) },
    nowMs,
  );

async function readOrUndefined(
  { document }: Stranded,
  deadline: Deadline,
): Promise<DocumentState['state'] | undefined> {
  try {
    return (await readState(document, document.cpf ?? undefined, deadline)).state;
  } catch (error) {
    if (error instanceof PlatformUnreachable || error instanceof PlatformRefused) return undefined;
    throw error;
  }
}
