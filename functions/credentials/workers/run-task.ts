import { consume } from '../../../shared/queue/consume.ts';
import { handOver } from '../flows/domain/hand-over.ts';
import { lookAtDocuments, type SignedEffects } from '../flows/domain/take-signed.ts';
import { type Forgotten, TASKS_QUEUE, Task } from '../flows/domain/tasks.ts';
import { withdraw } from '../flows/domain/withdraw.ts';
import { generateInspectionFile } from '../inspection-files/domain/generate-inspection-file.ts';
import { concludeDegree } from '../registrations/domain/conclude-degree.ts';
import { applyRestamp } from '../restamps/domain/apply-restamp.ts';
import { restampWhenDue } from '../restamps/domain/restamp-when-due.ts';

/** A task that replaces or deletes its outbox record itself answers so. Other outcomes are for the log alone. */
type TaskRunners = {
  readonly [Name in Task['task']]: (
    task: Extract<Task, { task: Name }>,
    now: () => number,
  ) => Promise<unknown>;
};

const FORGOTTEN: Forgotten = 'forgotten';

/** What a signature changes in other items. */
const SIGNED_EFFECTS: SignedEffects = { registration: concludeDegree };

const RUNNERS: TaskRunners = {
  handOver: ({ waitSeconds, ...item }, now) => handOver(item, waitSeconds, now),
  look: ({ waitSeconds, ...item }, now) => lookAtDocuments(item, { waitSeconds }, now, SIGNED_EFFECTS),
  event: (item, now) => lookAtDocuments(item, 'event', now, SIGNED_EFFECTS),
  withdraw: ({ waitSeconds, ...item }, now) => withdraw(item, waitSeconds, now),
  generate: (item, now) => generateInspectionFile(item, now),
  restamp: ({ id }, now) => applyRestamp(id, now),
  restampFile: (file, now) => restampWhenDue(file, now),
};

export const handler = consume(
  // A look holds signed files whole, some of them several times: two at once fit in the memory.
  { service: 'credentials', queue: TASKS_QUEUE, message: Task, maxReceives: 5, concurrency: 2 },
  async (task, { logger }) => {
    const run = RUNNERS[task.task] as (task: Task, now: () => number) => Promise<unknown>;
    const outcome = await run(task, Date.now);
    logger.info('A task was done.', { ...task, outcome });
    return outcome === FORGOTTEN ? FORGOTTEN : undefined;
  },
);
