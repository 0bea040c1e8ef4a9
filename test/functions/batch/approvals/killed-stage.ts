import { expect, vi } from 'vitest';
import { listRows } from '../../../../functions/batch/jobs/domain/job/approver-lists.ts';
import { TASKS_QUEUE, type Task } from '../../../../functions/batch/jobs/domain/job/tasks.ts';
import { claimJob } from '../../../../functions/batch/pipeline/domain/claim-job.ts';
import { readFlight } from '../../../../functions/batch/pipeline/domain/flight.ts';
import { handler as runTask } from '../../../../functions/batch/pipeline/workers/run-task.ts';
import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { drainQueue } from '../../drain-queue.ts';
import { ANA } from './approval-stage.ts';
import { signingStage } from './signing-stage.ts';

const LATER_MS = 600_000;

/** The stage of approvers who sign, and what happens after a process was killed. */
export async function killedStage() {
  const stage = await signingStage();
  vi.stubEnv('Pipeline__MaxConcurrency', '32');
  const runTasks = () => drainQueue<Task>('batch', TASKS_QUEUE, runTask);
  return {
    ...stage,
    runTasks,
    /** What happens when a process is gone: its lease ends, and the sweeper runs the tasks that it recorded. */
    async recover(): Promise<void> {
      const atMs = Date.now() + LATER_MS;
      await claimJob(atMs).then((claimed) => claimed && stage.process(claimed));
      await scheduleHandler('batch', 'send-due', sendDueMessages('batch'), () => atMs)();
      await runTasks();
      expect((await readFlight()).slots).toEqual([]);
    },
    isListed: async (jobId: string, list: 'pending' | 'decided', { email } = ANA): Promise<boolean> => {
      const { rows } = await listRows(email, list, { limit: 200, nowMs: Date.now() });
      return rows.some((row) => row.jobId === jobId);
    },
  };
}

/** Runs a case for every write, until a run is not killed any more. Answers the number of writes. */
export async function atEveryWrite(run: (write: number) => Promise<boolean>): Promise<number> {
  for (let write = 1; ; write++) if (!(await run(write))) return write - 1;
}
