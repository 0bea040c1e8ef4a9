import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { UPLOADS_QUEUE } from '../../../functions/documents/domain/uploads/upload.ts';
import { handler as collectUpload } from '../../../functions/documents/workers/collect-upload.ts';
import { toRecord } from '../../../infra/local/events/lambda-batch.ts';
import { files } from '../../../shared/files/files.ts';
import { queueUrl, sqs } from '../../../shared/queue/client.ts';
import { sendDueMessages } from '../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../shared/queue/schedule.ts';
import { queueName } from '../../../shared/settings/names.ts';

/** Runs the sweep of this time, and the collection of each message that it sent. Answers the number of messages. */
export async function collectAt(atMs: number): Promise<number> {
  await scheduleHandler('documents', 'send-due', sendDueMessages('documents'), () => atMs)();
  return deliverAll();
}

async function deliverAll(): Promise<number> {
  const QueueUrl = await queueUrl(queueName('documents', UPLOADS_QUEUE));
  let delivered = 0;
  for (;;) {
    const { Messages = [] } = await sqs().send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
    );
    if (Messages.length === 0) return delivered;
    const { batchItemFailures } = await collectUpload({
      Records: Messages.map((message) => toRecord(message, '')),
    });
    if (batchItemFailures.length > 0) throw new Error(`${batchItemFailures.length} messages failed.`);
    for (const { ReceiptHandle } of Messages)
      await sqs().send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    delivered += Messages.length;
  }
}

/** The keys of all stored files of uploads. */
export const storedFiles = async (): Promise<string[]> =>
  (await files('documents').list('uploads/')).files.map(({ key }) => key);
