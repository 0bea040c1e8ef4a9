import { deadlineIn } from '../../../../../shared/async/deadline.ts';
import { isPermanent, PlatformRefused, PlatformUnreachable } from '../../../../../shared/platform/errors.ts';
import type { PlatformDocument } from '../../../../../shared/platform/shapes.ts';
import type { Work } from '../../../../../shared/queue/work.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../../shared/store/refusals.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { externalService, hasExternalService } from '../../../config/external-service.ts';
import { failJob, JobFailure } from '../../../jobs/domain/engine/end-job.ts';
import { settleFiles } from '../../../jobs/domain/engine/settle-files.ts';
import { type Dispatch, type Job, jobs } from '../../../jobs/domain/job/job.ts';
import { type JobEvent, jobStates } from '../../../jobs/domain/job/states.ts';
import { cancelingDocument } from '../../../jobs/domain/job/tasks.ts';
import { counting } from '../../../operations/domain/metrics.ts';
import { settings } from '../../../settings.ts';
import { concludeJob } from './conclude-job.ts';

export type Poller = Work & {
  /** One job at a time is concluded. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Whether a conclusion that begins now has the time that it may take. */
  readonly mayConclude: () => boolean;
};

/** The external service wants a pause, of so long as it said. */
export type Busy = { readonly retryAfterMs: number };

type Waiting = { readonly job: Stored<Job>; readonly dispatch: Dispatch; readonly documentId: string };

// The specification's limit of one read.
const READ_WITHIN_MS = 10_000;
const HOUR_MS = 3_600_000;

/** Looks at the document of one job, and moves the job on where the document did. */
export async function pollJob(job: Stored<Job>, poller: Poller): Promise<Busy | undefined> {
  const { dispatch } = job;
  if (!jobStates.accepts(job.state, 'concluded') || !dispatch?.documentId) return undefined;
  const waiting = { job, dispatch, documentId: dispatch.documentId };
  let op: Op = 'poll';
  try {
    const document = await readDocument(waiting, poller);
    if (document.status === 'Concluded') {
      op = 'download';
      await poller.inTurn(async () => poller.mayConclude() && (await conclude(waiting, poller)));
    } else await judge(waiting, document, poller);
    return undefined;
  } catch (error) {
    const busy = busyOf(error);
    if (busy) await recordBusy(waiting, op, poller);
    else if (error instanceof PlatformRefused || error instanceof PlatformUnreachable)
      await recordFailure(waiting, { error, op }, poller);
    // With RaceLost another has moved the job on.
    else if (op === 'download' && !(error instanceof RaceLost))
      await recordOwnFailure(waiting, error, poller);
    else throw error;
    return busy;
  }
}

function readDocument({ documentId }: Waiting, { now }: Poller): Promise<PlatformDocument> {
  if (!hasExternalService())
    throw new PlatformUnreachable('No external service is configured: Signer:ApiKey is empty.');
  return externalService.readDocument(documentId, deadlineIn(READ_WITHIN_MS, now));
}

/** Concludes the job. One that is overdue and cannot be concluded, for want of a slot or the work share, fails. */
async function conclude(waiting: Waiting, poller: Poller): Promise<void> {
  if (await concludeJob(waiting.job, waiting, poller)) return;
  if (isOverdue(waiting, poller)) await timeOut(waiting, poller, { isSigned: true });
}

function busyOf(error: unknown): Busy | undefined {
  if (!(error instanceof PlatformUnreachable)) return undefined;
  return error.status === 429 ? { retryAfterMs: error.retryAfterMs ?? 0 } : undefined;
}

// Nobody will sign the document any more.
const REJECTED: ReadonlySet<string> = new Set(['Refused', 'Expired', 'Canceled']);

async function judge(
  waiting: Waiting,
  { status, statusUpdateReason }: PlatformDocument,
  poller: Poller,
): Promise<void> {
  const { job, dispatch } = waiting;
  if (REJECTED.has(status)) {
    const why = statusUpdateReason ? `: ${statusUpdateReason}` : '.';
    const message = `The document is ${status} at the external service${why}`;
    return end(waiting, 'rejectedBySigner', new JobFailure('signer.document-rejected', message), poller);
  }
  if (isOverdue(waiting, poller)) return timeOut(waiting, poller);
  if (dispatch.failedPolls > 0) await jobs.change(job, { dispatch: { ...dispatch, failedPolls: 0 } });
}

const isOverdue = ({ dispatch }: Waiting, { now }: Poller): boolean =>
  (dispatch.waitingSinceMs ?? dispatch.begunAtMs) + settings['Signer:TimeoutHours'] * HOUR_MS <= now();

type Op = 'poll' | 'download';
type Failure = { readonly error: PlatformRefused | PlatformUnreachable; readonly op: Op };

const countingError = (op: Op): Write => counting('bulk_signer_api_errors_total', { op });

/** A service that wants a pause has not failed: it says when to come back. The job waits no longer than it may. */
async function recordBusy(waiting: Waiting, op: Op, poller: Poller): Promise<void> {
  const also = [countingError(op)];
  if (isOverdue(waiting, poller)) await timeOut(waiting, poller, { isSigned: op === 'download', also });
  else await commit(also);
}

/** Counts a failed poll with the job. Too many in a row, or one that would fail again, fail the job. */
async function recordFailure(waiting: Waiting, { error, op }: Failure, poller: Poller): Promise<void> {
  const also = [countingError(op)];
  const message = `The external service has no answer about document ${waiting.documentId}: ${error.message}`;
  if (isPermanent(error)) return fail(waiting, { message, also }, poller);
  const explain = (polls: number): string =>
    `The external service failed ${polls} polls in a row: ${error.message} Retry when it answers; the document is taken over.`;
  await countFailure(waiting, { explain, isSigned: op === 'download', also }, poller);
}

/** A signed document that this installation cannot store, on a full disk for example, is a failed poll too. */
async function recordOwnFailure(waiting: Waiting, error: unknown, poller: Poller): Promise<void> {
  poller.logger.error('A signed document could not be taken over.', { jobId: waiting.job.id, error });
  const explain = (polls: number): string =>
    `The signed document could not be stored here in ${polls} polls in a row. The log of the service has the reason under the id of the job. Retry when it is corrected; the document is taken over.`;
  await countFailure(waiting, { explain, isSigned: true, also: [] }, poller);
}

type Counted = {
  readonly explain: (polls: number) => string;
  readonly isSigned: boolean;
  readonly also: readonly Write[];
};

async function countFailure(
  waiting: Waiting,
  { explain, isSigned, also }: Counted,
  poller: Poller,
): Promise<void> {
  const { job, dispatch } = waiting;
  if (isOverdue(waiting, poller)) return timeOut(waiting, poller, { isSigned, also });
  const failedPolls = dispatch.failedPolls + 1;
  if (failedPolls > settings['Signer:MaxConsecutiveApiFailures'])
    return fail(waiting, { message: explain(failedPolls), also }, poller);
  await jobs.change(job, { dispatch: { ...dispatch, failedPolls } }, { also });
}

const fail = (
  waiting: Waiting,
  { message, also }: { readonly message: string; readonly also: readonly Write[] },
  poller: Poller,
): Promise<void> =>
  end(waiting, 'signerUnreachable', new JobFailure('signer.unreachable', message, { also }), poller);

function timeOut(
  waiting: Waiting,
  poller: Poller,
  { isSigned = false, also = [] }: { readonly isSigned?: boolean; readonly also?: readonly Write[] } = {},
): Promise<void> {
  const hours = settings['Signer:TimeoutHours'];
  const message = isSigned
    ? `The document is signed, but could not be taken over within ${hours} hours. Retry: the document is taken over.`
    : `The document was not signed within ${hours} hours.`;
  // A signed document cannot be canceled, and serves the retry.
  const canceling = isSigned ? [] : cancelingDocument(waiting.job, message);
  const failure = new JobFailure('signer.timeout', message, { also: [...also, ...canceling] });
  return end(waiting, 'signerTimedOut', failure, poller);
}

async function end(
  { job }: Waiting,
  event: JobEvent,
  failure: JobFailure,
  { now, logger }: Poller,
): Promise<void> {
  const failed = await failJob({ job }, failure, { event, hasNoOutput: true }, now());
  await settleFiles(failed, now()).catch((error) =>
    logger.warn('The files of a job are not in their places yet. The sweeper settles them.', {
      jobId: job.id,
      error,
    }),
  );
}
