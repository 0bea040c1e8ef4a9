import { expect, vi } from 'vitest';
import { cleanUp } from '../../../../../functions/batch/installation/retention/domain/run.ts';
import { jobs } from '../../../../../functions/batch/jobs/domain/job/job.ts';
import { TASKS_QUEUE, type Task } from '../../../../../functions/batch/jobs/domain/job/tasks.ts';
import { listJobs } from '../../../../../functions/batch/jobs/domain/list-jobs.ts';
import { listEvents } from '../../../../../functions/batch/operations/domain/list-events.ts';
import type { EventType } from '../../../../../functions/batch/operations/event-types.ts';
import { handler as runTask } from '../../../../../functions/batch/pipeline/workers/run-task.ts';
import { files } from '../../../../../shared/files/files.ts';
import { sendDueMessages } from '../../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../../shared/queue/schedule.ts';
import { drainQueue } from '../../../drain-queue.ts';

export const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** So many days from now. */
export const inDays = (days: number): number => Date.now() + days * DAY_MS;

/** Runs retention as an operator does, so many days from now. */
export const cleanUpIn = (days: number, by: string | null = 'operator') => {
  const nowMs = inDays(days);
  return cleanUp({ deadlineAtMs: nowMs + MINUTE_MS, by }, () => nowMs);
};

export type Kind = 'Job' | 'Output' | 'Error' | 'Event';

/** Keeps everything forever but what is named, in days. */
export function keep(days: Partial<Record<Kind, number>>): void {
  for (const kind of ['Job', 'Output', 'Error', 'Event'] as const)
    vi.stubEnv(`Retention__${kind}Days`, String(days[kind] ?? 0));
}

export const NOTHING = {
  jobsDeleted: 0,
  outputFilesDeleted: 0,
  errorFilesDeleted: 0,
  operationalEventsDeleted: 0,
  filesMissing: 0,
  errors: 0,
};

export const exists = async (key: string | null): Promise<boolean> =>
  (await files('batch').head(key ?? '')) !== undefined;

export const outputOf = ({ outputName }: { readonly outputName: string | null }): string =>
  `output/${outputName}`;

export const keysOf = async (folder: string): Promise<string[]> =>
  (await files('batch').list(`${folder}/`)).files.map(({ key }) => key);

export const totalOf = async (filter: Parameters<typeof listJobs>[0] = {}): Promise<number> =>
  (await listJobs(filter, { page: 1, pageSize: 1 })).totalCount;

export const eventsOf = async (type?: EventType): Promise<number> =>
  (await listEvents({ ...(type && { type }), page: 1, pageSize: 1 })).totalCount;

/** The messages of the runs that were recorded, newest first. */
export const recordedRuns = async () =>
  (await listEvents({ type: 'CleanupRan', page: 1, pageSize: 200 })).items;

/** Runs the tasks that a process has recorded, as the sweeper and the workers do when it is gone. */
export async function runTasks(atMs: number): Promise<string[]> {
  await scheduleHandler('batch', 'send-due', sendDueMessages('batch'), () => atMs)();
  return (await drainQueue<Task>('batch', TASKS_QUEUE, runTask)).map(({ task }) => task);
}

/** Fails unless these jobs, and no others of the list, are there. */
export async function expectJobs(present: readonly string[], gone: readonly string[]): Promise<void> {
  expect((await jobs.getMany(present)).map(({ id }) => id)).toEqual(present);
  expect(await jobs.getMany(gone)).toEqual([]);
}
