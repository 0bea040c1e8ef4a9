import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { toRecord } from '../../infra/runtime/events/lambda-batch.ts';
import { queueUrl, sqs } from '../../shared/queue/client.ts';
import { queueName, type ServiceName } from '../../shared/settings/names.ts';

/**
 * Hands all messages of a queue to its function, and those that the function sends to it. Answers their bodies. A message
 * that fails, fails the test.
 * @example const tasks = await drainQueue<{ task: string }>('documents', 'tasks', runTask);
 */
export async function drainQueue<Body>(
  service: ServiceName,
  queue: string,
  handler: (event: SQSEvent) => Promise<SQSBatchResponse>,
): Promise<Body[]> {
  const QueueUrl = await queueUrl(queueName(service, queue));
  const bodies: Body[] = [];
  for (;;) {
    const { Messages = [] } = await sqs().send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
    );
    if (Messages.length === 0) return bodies;
    const { batchItemFailures } = await handler({
      Records: Messages.map((message) => toRecord(message, '')),
    });
    if (batchItemFailures.length > 0) throw new Error(`${batchItemFailures.length} messages failed.`);
    for (const { ReceiptHandle, Body = '' } of Messages) {
      await sqs().send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      bodies.push(JSON.parse(Body) as Body);
    }
  }
}
