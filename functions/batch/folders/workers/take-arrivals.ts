import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { type Logger, logger } from '../../../../shared/log/logger.ts';
import { consume } from '../../../../shared/queue/consume.ts';
import { bucketName } from '../../../../shared/settings/names.ts';
import { recordEnqueues, takeArrival } from '../domain/take-arrival.ts';

/** Only the bucket sends to it. */
const ARRIVALS_QUEUE = 'arrivals';

/** What the bucket sends. Its test event, and shapes of later versions, have no records that are of use here. */
const Notification = z.object({ Records: z.array(z.unknown()).default([]) });

const Record = z.object({
  eventName: z.string(),
  s3: z.object({ bucket: z.object({ name: z.string() }), object: z.object({ key: z.string() }) }),
});

/** One batch at a time in a process, and several in the local engine: each keeps its own folders. */
export const handler = async (event: SQSEvent): Promise<SQSBatchResponse> => {
  const enqueued = new Set<string>();
  const takeAll = consume(
    { service: 'batch', queue: ARRIVALS_QUEUE, message: Notification, maxReceives: 5 },
    async ({ Records }, incoming) => {
      // A record that fails must not hide the others of its message. All come again, and those that are done do nothing.
      const taken = Records.map((record) => take(record, incoming.logger, enqueued));
      const failed = (await Promise.allSettled(taken)).find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    },
  );
  const answer = await takeAll(event);
  await recordEnqueues(enqueued, logger('batch'), Date.now());
  return answer;
};

async function take(record: unknown, log: Logger, enqueued: Set<string>): Promise<void> {
  const { success, data } = Record.safeParse(record);
  const key = success ? decodeKey(data.s3.object.key) : undefined;
  if (!success || key === undefined) {
    log.warn('A notification is not one of S3, and is left out.');
    return;
  }
  if (!/^(?:s3:)?ObjectCreated:/.test(data.eventName) || data.s3.bucket.name !== bucketName('batch')) return;
  const folder = await takeArrival(key, { logger: log, now: Date.now, hasTime: () => true });
  if (folder) enqueued.add(folder.name);
}

/** S3 encodes keys as a form does: a space is a plus. */
function decodeKey(key: string): string | undefined {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
