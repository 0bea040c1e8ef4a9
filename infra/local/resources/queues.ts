import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { DeclaredQueue } from './read.ts';

export async function createQueue(sqs: SQSClient, { name, attributes }: DeclaredQueue) {
  try {
    await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }));
  } catch (error) {
    // It is there with other attributes. Each emulator spells the name of this error in its own way.
    if (!/Queue(Name|Already)Exists$/.test((error as Error).name)) throw error;
    await change(sqs, name, attributes);
  }
}

async function change(sqs: SQSClient, name: string, attributes: DeclaredQueue['attributes']) {
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: name }));
  const found = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  const now: Record<string, string | undefined> = found.Attributes ?? {};
  const different = Object.entries(attributes).filter(([key, value]) => now[key] !== value);
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: Object.fromEntries(different) }));
}
