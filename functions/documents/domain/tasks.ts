import * as z from 'zod';
import { sending } from '../../../shared/queue/outbox.ts';
import { canceling } from '../../../shared/store/due/message.ts';

/** The queue of work that continues after a response. A task may be delivered twice; the second run does nothing. */
export const TASKS_QUEUE = 'tasks';

export const Task = z.discriminatedUnion('task', [
  z.object({ task: z.literal('create'), creationId: z.string() }),
  z.object({ task: z.literal('expire'), documentId: z.string(), expiresAtMs: z.number() }),
  z.object({ task: z.literal('conclude'), documentId: z.string() }),
  z.object({ task: z.literal('forgetSignature'), documentId: z.string(), tokenHash: z.string() }),
  z.object({ task: z.literal('removeFiles'), keys: z.array(z.string()) }),
  z.object({
    task: z.literal('forgetDocuments'),
    documents: z.array(z.object({ documentId: z.string(), keys: z.array(z.string()) })),
  }),
  z.object({ task: z.literal('deleteFolder'), folderId: z.string() }),
  z.object({ task: z.literal('emptyFolder'), folderId: z.string() }),
  z.object({ task: z.literal('deleteOrganization'), organizationId: z.string() }),
]);
export type Task = z.infer<typeof Task>;

type TaskOptions = Pick<Parameters<typeof sending>[0], 'dueAtMs' | 'id' | 'isFallback' | 'kind'>;

/**
 * A task as a write, to be committed with the change that causes it.
 * @example const task = taskMessage({ task: 'conclude', documentId });
 */
export const taskMessage = (task: Task, options: TaskOptions = {}) =>
  sending({ service: 'documents', queue: TASKS_QUEUE, body: task, ...options });

const expiryIdOf = (documentId: string): string => `expire:${documentId}`;

/** The task that expires a document at its date. A document has one date for its whole life. */
export const expiryMessage = (documentId: string, expiresAtMs: number) =>
  taskMessage(
    { task: 'expire', documentId, expiresAtMs },
    { dueAtMs: expiresAtMs, id: expiryIdOf(documentId) },
  );

/** The write that cancels it, for the change after which a document cannot expire any more. */
export const cancelingExpiry = (documentId: string) => canceling('documents', expiryIdOf(documentId));
