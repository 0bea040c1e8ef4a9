import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { VERDICTS_QUEUE } from '../../../../functions/session/domain/renew-verdicts.ts';
import { handler as renewVerdicts } from '../../../../functions/session/workers/renew-verdicts.ts';
import { handler as sendDueVerdicts } from '../../../../functions/session/workers/send-due-verdicts.ts';
import { toRecord } from '../../../../infra/local/events/lambda-batch.ts';
import { queueUrl, sqs } from '../../../../shared/queue/client.ts';
import { queueName } from '../../../../shared/settings/names.ts';

/** Runs the schedule, and the consumer on all that it sent. Answers the fingerprints that were sent. */
export async function runRenewals(): Promise<string[]> {
  await sendDueVerdicts();
  return deliverRenewals();
}

export async function deliverRenewals(): Promise<string[]> {
  const QueueUrl = await queueUrl(queueName('session', VERDICTS_QUEUE));
  const delivered: string[] = [];
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
    const { batchItemFailures } = await renewVerdicts({
      Records: Messages.map((message) => toRecord(message, '')),
    });
    if (batchItemFailures.length > 0) throw new Error(`${batchItemFailures.length} messages failed.`);
    for (const { ReceiptHandle, Body = '' } of Messages) {
      await sqs().send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      delivered.push((JSON.parse(Body) as { sha256: string }).sha256);
    }
  }
}
