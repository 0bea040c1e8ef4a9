import * as z from 'zod';
import { recordAndSend } from '../../../../shared/queue/outbox.ts';

/** One message is one scan of one folder, so that a folder that hangs delays no other. */
export const SCANS_QUEUE = 'scans';

export const ScanMessage = z.object({
  folder: z.string(),
  /** When the schedule wanted the scan. Without it, the message goes on with a scan that was out of time. */
  dueAtMs: z.number().optional(),
  /** Where that scan stopped. */
  cursor: z.string().optional(),
  /** When the rescan began that the scan belongs to. Without it, it is one of the watcher's. */
  rescanAtMs: z.number().optional(),
  /** The instance that watches the folder, and the one that did when the message was sent. */
  watcher: z.string().optional(),
  insteadOf: z.string().optional(),
});
export type ScanMessage = z.infer<typeof ScanMessage>;

// All the time that the function has. A copy that is sent while a part runs would go on beside it, to the end of the
// folder.
const PART_MS = 300_000;

/** Goes on with a scan in a further message. One that is lost with its worker is sent again. */
export const continueScan = (message: ScanMessage, now: () => number): Promise<void> =>
  recordAndSend('batch', SCANS_QUEUE, message, {
    id: `scan:${message.folder}:${message.rescanAtMs ?? ''}`,
    headStartMs: PART_MS,
    now,
  });
