import * as z from 'zod';
import { sending } from '../../../shared/queue/outbox.ts';

/** The queue of background tasks. A repeated task does nothing. */
export const SIGNATURE_SESSIONS_QUEUE = 'signature-sessions';

// A task removes files below these alone.
const FOLDER = /^(?:uploads|signatures)\/[\da-f-]{36}\/$|^signature-sessions\/[\da-f-]{36}\/[\da-f-]{36}\/$/;

export const SignatureSessionTask = z.union([
  z.object({ task: z.enum(['makeFiles', 'announce', 'forget']), sessionId: z.uuid() }),
  z.object({ task: z.literal('removeFiles'), folder: z.string().regex(FOLDER) }),
]);
type Task = z.output<typeof SignatureSessionTask>;

/**
 * A task as a write, for the change that causes it. Without a time it is due at once.
 * @example const making = taskMessage({ task: 'makeFiles', sessionId });
 */
export const taskMessage = (task: Task, dueAtMs?: number) =>
  sending({ service: 'pki', queue: SIGNATURE_SESSIONS_QUEUE, body: task, dueAtMs });

/**
 * The removal of all files of a folder, as a write. A later one for the same folder takes its place.
 * @example await blobs.create(blob, { also: [removingLater(folder, blob.expiresAtMs)] });
 */
export const removingLater = (folder: string, dueAtMs: number) =>
  sending({
    service: 'pki',
    queue: SIGNATURE_SESSIONS_QUEUE,
    body: { task: 'removeFiles', folder },
    id: `files:${folder}`,
    kind: 'garbage',
    dueAtMs,
  });
