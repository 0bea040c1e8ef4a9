import * as z from 'zod';
import { sending } from '../../../../shared/queue/outbox.ts';

/** The queue of background tasks. A repeated task does nothing. */
export const SIGNATURE_SESSIONS_QUEUE = 'signature-sessions';

export const SignatureSessionTask = z.object({
  task: z.enum(['makeFiles', 'forget']),
  sessionId: z.uuid(),
});
type Task = z.output<typeof SignatureSessionTask>;

/**
 * A task as a write, for the change that causes it. Without a time it is due at once.
 * @example const making = taskMessage({ task: 'makeFiles', sessionId });
 */
export const taskMessage = (task: Task, dueAtMs?: number) =>
  sending({ service: 'pki', queue: SIGNATURE_SESSIONS_QUEUE, body: task, dueAtMs });
