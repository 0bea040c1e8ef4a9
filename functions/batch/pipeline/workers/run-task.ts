import { consume } from '../../../../shared/queue/consume.ts';
import { continueClearing } from '../../jobs/domain/clear-jobs.ts';
import { settleFilesOf } from '../../jobs/domain/job/settle-files.ts';
import { TASKS_QUEUE, Task } from '../../jobs/domain/job/tasks.ts';

export const handler = consume(
  { service: 'batch', queue: TASKS_QUEUE, message: Task, maxReceives: 5 },
  async (task, { logger }) => {
    if (task.task === 'settleFiles') await settleFilesOf(task.jobId, Date.now());
    else await continueClearing(task, Date.now());
    logger.info('task done', { task: task.task });
  },
);
