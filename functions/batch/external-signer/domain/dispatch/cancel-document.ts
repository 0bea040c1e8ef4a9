import { deadlineIn } from '../../../../../shared/async/deadline.ts';
import { PlatformRefused, PlatformUnreachable } from '../../../../../shared/platform/errors.ts';
import { retryOnConflict } from '../../../../../shared/store/retry-on-conflict.ts';
import { externalService } from '../../../config/external-service.ts';
import { jobs } from '../../../jobs/domain/job/job.ts';
import { withHistory } from '../../../jobs/domain/job/move-job.ts';
import { say } from '../../../sentences/sentences.ts';

type CancelDocument = { readonly jobId: string; readonly documentId: string; readonly reason: string };

const CANCEL_WITHIN_MS = 10_000;
// The platform takes no longer one.
const MAX_REASON_CHARACTERS = 512;

/**
 * Cancels the document of a job that has ended here, as far as that succeeds, and writes the answer into the history of
 * the job. An outage is thrown, to be tried again, unless this is the last try. A repeat does nothing.
 */
export async function cancelDocumentOf(
  task: CancelDocument,
  isLastTry: boolean,
  now: () => number,
): Promise<void> {
  const problem = await cancel(task, now).catch((error: unknown) => {
    if (!(error instanceof PlatformUnreachable) || !isLastTry) throw error;
    return error.message;
  });
  const message =
    problem === undefined ? say('job.document-canceled') : say('job.document-not-canceled', { problem });
  await retryOnConflict(async () => {
    const job = await jobs.get(task.jobId);
    if (!job?.dispatch || job.dispatch.isCanceledThere !== null) return;
    const dispatch = { ...job.dispatch, isCanceledThere: problem === undefined };
    await jobs.change(job, { dispatch, ...withHistory(job, job.state, message, now()) });
  });
}

/** Answers why the document was not canceled; undefined when it was. */
async function cancel(
  { documentId, reason }: CancelDocument,
  now: () => number,
): Promise<string | undefined> {
  const deadline = deadlineIn(CANCEL_WITHIN_MS, now);
  try {
    await externalService.cancelDocument(documentId, reason.slice(0, MAX_REASON_CHARACTERS), deadline);
    return undefined;
  } catch (error) {
    if (!(error instanceof PlatformRefused)) throw error;
    // A repeat is refused: it was canceled before.
    const status = await externalService.statusOf(documentId, deadline).catch(() => undefined);
    return status === 'Canceled' ? undefined : error.message;
  }
}
