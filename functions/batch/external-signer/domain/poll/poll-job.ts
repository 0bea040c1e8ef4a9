import { deadlineIn } from '../../../../../shared/async/deadline.ts';
import { isPermanent, PlatformRefused, PlatformUnreachable } from '../../../../../shared/platform/errors.ts';
import type { PlatformDocument } from '../../../../../shared/platform/shapes.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { externalService } from '../../../external-service.ts';
import { failJob, JobFailure } from '../../../jobs/domain/job/end-job.ts';
import { type Dispatch, type Job, jobs } from '../../../jobs/domain/job/job.ts';
import { settleFiles } from '../../../jobs/domain/job/settle-files.ts';
import { type JobEvent, jobStates } from '../../../jobs/domain/job/states.ts';
import { cancelingDocument } from '../../../jobs/domain/job/tasks.ts';
import { counting } from '../../../operations/domain/metrics.ts';
import { settings } from '../../../settings.ts';
import type { Looker } from '../looker.ts';
import { concludeJob } from './conclude-job.ts';

/** One job at a time is concluded. */
export type Poller = Looker & { readonly inTurn: <T>(work: () => Promise<T>) => Promise<T> };

type Waiting = { readonly job: Stored<Job>; readonly dispatch: Dispatch; readonly documentId: string };

// The specification's limit of one read.
const READ_WITHIN_MS = 10_000;
const HOUR_MS = 3_600_000;

/** Looks at the document of one job, and moves the job on where the document did. 'busy': the service wants a pause. */
export async function pollJob(job: Stored<Job>, poller: Poller): Promise<'busy' | undefined> {
  const { dispatch } = job;
  if (!jobStates.accepts(job.state, 'concluded') || !dispatch?.documentId) return undefined;
  const waiting = { job, dispatch, documentId: dispatch.documentId };
  let op: 'poll' | 'download' = 'poll';
  try {
    const document = await externalService.readDocument(
      waiting.documentId,
      deadlineIn(READ_WITHIN_MS, poller.now),
    );
    if (document.status === 'Concluded') {
      op = 'download';
      await poller.inTurn(async () => poller.hasTime() && (await concludeJob(job, waiting, poller)));
    } else await judge(waiting, document, poller);
    return undefined;
  } catch (error) {
    if (!(error instanceof PlatformRefused) && !(error instanceof PlatformUnreachable)) throw error;
    await recordFailure(waiting, { error, op }, poller);
    return error instanceof PlatformUnreachable && error.retryAfterMs !== undefined ? 'busy' : undefined;
  }
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

type Failure = {
  readonly error: PlatformRefused | PlatformUnreachable;
  readonly op: 'poll' | 'download';
};

/** Counts a failed poll with the job. Too many in a row, or one that would fail again, fail the job. */
async function recordFailure(waiting: Waiting, { error, op }: Failure, poller: Poller): Promise<void> {
  const { job, dispatch, documentId } = waiting;
  const also = [counting('bulk_signer_api_errors_total', { op })];
  const failedPolls = dispatch.failedPolls + 1;
  const fail = (message: string): Promise<void> =>
    end(waiting, 'signerUnreachable', new JobFailure('signer.unreachable', message, { also }), poller);
  if (isPermanent(error))
    return fail(`The external service has no answer about document ${documentId}: ${error.message}`);
  if (isOverdue(waiting, poller)) return timeOut(waiting, poller, also);
  if (failedPolls > settings['Signer:MaxConsecutiveApiFailures'])
    return fail(
      `The external service failed ${failedPolls} polls in a row: ${error.message} Retry when it answers; the document is taken over.`,
    );
  await jobs.change(job, { dispatch: { ...dispatch, failedPolls } }, { also });
}

function timeOut(waiting: Waiting, poller: Poller, also: readonly Write[] = []): Promise<void> {
  const message = `The document was not signed within ${settings['Signer:TimeoutHours']} hours.`;
  const failure = new JobFailure('signer.timeout', message, {
    also: [...also, ...cancelingDocument(waiting.job, message)],
  });
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
