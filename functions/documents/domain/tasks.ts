import * as z from 'zod';
import { dueMessage } from '../../../shared/store/due/message.ts';

/** The queue of work that continues after a response. A task may be delivered twice; the second run does nothing. */
export const TASKS_QUEUE = 'tasks';

export const Task = z.discriminatedUnion('task', [
  z.object({ task: z.literal('create'), creationId: z.string() }),
  z.object({ task: z.literal('expire'), documentId: z.string(), expiresAtMs: z.number() }),
  z.object({ task: z.literal('conclude'), documentId: z.string() }),
  z.object({ task: z.literal('forgetSignature'), documentId: z.string(), tokenHash: z.string() }),
  z.object({ task: z.literal('removeFiles'), keys: z.array(z.string()) }),
  z.object({ task: z.literal('forgetDocument'), documentId: z.string(), keys: z.array(z.string()) }),
  z.object({ task: z.literal('deleteFolder'), folderId: z.string() }),
  z.object({ task: z.literal('deleteOrganization'), organizationId: z.string() }),
]);
export type Task = z.infer<typeof Task>;

/**
 * A task as a write, to be committed with the change that causes it.
 * @example const task = taskMessage({ task: 'conclude', documentId });
 */
export const taskMessage = (task: Task, options: { readonly dueAtMs?: number; readonly id?: string } = {}) =>
  dueMessage({ service: 'documents', queue: TASKS_QUEUE, body: task, ...options });
