import { UPLOADS_QUEUE } from '../../../../functions/documents/domain/uploads/upload.ts';
import { handler as collectUpload } from '../../../../functions/documents/workers/collect-upload.ts';
import { files } from '../../../../shared/files/files.ts';
import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { drainQueue } from '../../drain-queue.ts';

/** Runs the sweep of this time, and the collection of each message that it sent. Answers the number of messages. */
export async function collectAt(atMs: number): Promise<number> {
  await scheduleHandler('documents', 'send-due', sendDueMessages('documents'), () => atMs)();
  return (await drainQueue('documents', UPLOADS_QUEUE, collectUpload)).length;
}

/** The keys of all stored files of uploads. */
export const storedFiles = async (): Promise<string[]> =>
  (await files('documents').list('uploads/')).files.map(({ key }) => key);
