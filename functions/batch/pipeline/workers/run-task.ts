import { consume } from '../../../../shared/queue/consume.ts';
import { expireApproval } from '../../approvals/domain/expire-approval.ts';
import { endAttempt } from '../../approvals/domain/signatures/attempt.ts';
import { cancelDocumentOf } from '../../external-signer/domain/dispatch/cancel-document.ts';
import { continueCleanup } from '../../installation/retention/domain/run.ts';
import { runBulk } from '../../jobs/domain/bulk/run-bulk.ts';
import { continueClearing } from '../../jobs/domain/clear-jobs.ts';
import { settleFilesOf } from '../../jobs/domain/engine/settle-files.ts';
import { TASKS_QUEUE, Task } from '../../jobs/domain/job/tasks.ts';

// A part of the function's time: one that goes on is sent again, and others come between.
const LONG_TASK_MS = 60_000;

// Best effort: a service that is away for half a minute has its document canceled, no other.
const CANCEL_ATTEMPTS = 3;

export const handler = consume(
  { service: 'batch', queue: TASKS_QUEUE, message: Task, maxReceives: 5 },
  async (task, { logger, attempt }) => {
    if (task.task === 'settleFiles') await settleFilesOf(task.jobId, Date.now());
    else if (task.task === 'clearJobs') await continueClearing(task, Date.now());
    else if (task.task === 'expireApproval') await expireApproval(task.jobId, Date.now());
    else if (task.task === 'expireSignature') await endAttempt(task.attemptId, 'abandoned');
    else if (task.task === 'cancelDocument')
      await cancelDocumentOf(task, attempt >= CANCEL_ATTEMPTS, Date.now);
    else if (task.task === 'bulkJobs') {
      const endsAtMs = Date.now() + LONG_TASK_MS;
      await runBulk(task, { logger, now: Date.now, hasTime: () => Date.now() < endsAtMs });
    } else await continueCleanup({ deadlineAtMs: Date.now() + LONG_TASK_MS }, Date.now);
    logger.info('task done', { task: task.task });
  },
);
