import { TASKS_QUEUE, type Task } from '../../../../functions/documents/domain/tasks.ts';
import { handler as runTask } from '../../../../functions/documents/workers/run-task.ts';
import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { drainQueue } from '../../drain-queue.ts';

/** Runs every task on the queue, and the tasks that these record. Answers their names. */
export const runTasks = async (): Promise<string[]> =>
  (await drainQueue<Task>('documents', TASKS_QUEUE, runTask)).map(({ task }) => task);

/** The same, after the sweep of that time has sent the due messages. */
export async function runTasksAt(atMs: number): Promise<string[]> {
  await scheduleHandler('documents', 'send-due', sendDueMessages('documents'), () => atMs)();
  return runTasks();
}
