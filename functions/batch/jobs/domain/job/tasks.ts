import * as z from 'zod';
import { sending } from '../../../../../shared/queue/outbox.ts';
import { tableName } from '../../../../../shared/settings/names.ts';
import { getBatch } from '../../../../../shared/store/collection.ts';
import { canceling, dueKey } from '../../../../../shared/store/due/message.ts';
import type { Job } from './job.ts';

/** Work that goes on after a job or a call has ended. A task may be delivered twice; the second run does nothing. */
export const TASKS_QUEUE = 'tasks';

export const Task = z.discriminatedUnion('task', [
  z.object({ task: z.literal('settleFiles'), jobId: z.string() }),
  z.object({ task: z.literal('clearJobs'), clearingId: z.string() }),
  z.object({ task: z.literal('bulkJobs'), bulkId: z.string() }),
  z.object({ task: z.literal('cleanUp') }),
  z.object({ task: z.literal('expireApproval'), jobId: z.string() }),
  z.object({ task: z.literal('expireSignature'), attemptId: z.string() }),
  z.object({
    task: z.literal('cancelDocument'),
    jobId: z.string(),
    documentId: z.string(),
    reason: z.string(),
  }),
]);
export type Task = z.infer<typeof Task>;

type TaskOptions = Pick<Parameters<typeof sending>[0], 'dueAtMs' | 'isFallback'>;

/** A task as a write, to be committed with the change that causes it. */
export const taskMessage = (task: Task, options: TaskOptions & { readonly id?: string } = {}) =>
  sending({ service: 'batch', queue: TASKS_QUEUE, body: task, ...options });

/** The task of a dispatched job that has ended here: nobody shall sign its document any more. */
export const cancelingDocument = (
  { id: jobId, dispatch }: Pick<Job, 'id' | 'dispatch'>,
  reason: string,
): ReturnType<typeof taskMessage>[] =>
  dispatch?.documentId
    ? [taskMessage({ task: 'cancelDocument', jobId, documentId: dispatch.documentId, reason })]
    : [];

const settlingIdOf = (jobId: string): string => `settle:${jobId}`;

/** The outbox entry of a job that has ended, for the files that it leaves in input/ and processing/. */
export const settlingMessage = (jobId: string, options: TaskOptions = {}) =>
  taskMessage({ task: 'settleFiles', jobId }, { id: settlingIdOf(jobId), ...options });

/** The same of a job in its commit. One that signs a document of the external service leaves no files. */
export const settlingMessages = ({ id, folderDocument }: Pick<Job, 'id' | 'folderDocument'>) =>
  folderDocument ? [] : [settlingMessage(id, { isFallback: true })];

/** The write that removes it, when the files are in their places. */
export const cancelingSettling = (jobId: string) => canceling('batch', settlingIdOf(jobId));

/** The outbox entry that cancels a parked job when its window has passed. */
export const expiringApproval = (jobId: string, dueAtMs: number) =>
  taskMessage({ task: 'expireApproval', jobId }, { id: `expire:${jobId}`, dueAtMs });

/** Which of these jobs, all of them ended, still have that entry: their files are not in their places. */
export async function findUnsettled(jobIds: readonly string[]): Promise<ReadonlySet<string>> {
  const keys = jobIds.map((jobId) => dueKey(settlingIdOf(jobId)));
  const found = new Set((await getBatch(tableName('batch'), keys)).map(({ pk }) => pk?.S));
  return new Set(jobIds.filter((jobId) => found.has(dueKey(settlingIdOf(jobId)).pk)));
}
