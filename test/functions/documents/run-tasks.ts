import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { TASKS_QUEUE } from '../../../functions/documents/domain/tasks.ts';
import { handler as runTask } from '../../../functions/documents/workers/run-task.ts';
import { toRecord } from '../../../infra/local/events/lambda-batch.ts';
import { queueUrl, sqs } from '../../../shared/queue/client.ts';
import { sendDueMessages } from '../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../shared/queue/schedule.ts';
import { queueName } from '../../../shared/settings/names.ts';

/** Runs every task on the queue, and the tasks that these record. Answers their names. */
export async function runTasks(): Promise<string[]> {
  const QueueUrl = await queueUrl(queueName('documents', TASKS_QUEUE));
  const ran: string[] = [];
  for (;;) {
    const { Messages = [] } = await sqs().send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
    );
    if (Messages.length === 0) return ran;
    const { batchItemFailures } = await runTask({
      Records: Messages.map((message) => toRecord(message, '')),
    });
    if (batchItemFailures.length > 0) throw new Error(`${batchItemFailures.length} tasks failed.`);
    for (const { ReceiptHandle, Body = '' } of Messages) {
      await sqs().send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      ran.push((JSON.parse(Body) as { task: string }).task);
    }
  }
}

/** The same, after the sweep of that time has sent the due messages. */
export async function runTasksAt(atMs: number): Promise<string[]> {
  await scheduleHandler('documents', 'send-due', sendDueMessages('documents'), () => atMs)();
  return runTasks();
}
