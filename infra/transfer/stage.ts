import { setTimeout as pause } from 'node:timers/promises';
import { DescribeTableCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { HeadBucketCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { GetQueueAttributesCommand, GetQueueUrlCommand } from '@aws-sdk/client-sqs';
import { readInstances, stateOf } from '../../functions/batch/installation/cluster/domain/instance.ts';
import { CommandRefusal } from '../../shared/command-line/reason.ts';
import { s3 } from '../../shared/files/client.ts';
import { sqs } from '../../shared/queue/client.ts';
import { stage } from '../../shared/settings/names.ts';
import { dynamo } from '../../shared/store/client.ts';
import { readDeclared } from '../runtime/resources/read.ts';
import type { Section } from './format.ts';

/** A table, bucket or queue of a stage. Its id is its name in infra/*.yml. */
export type Resource = Section & {
  /** The name that it has on the stage, or the URL of a queue. */
  readonly name: string;
};

/**
 * The resources of this process's stage that exist, in the order of an export: items are there before the messages
 * about them, and dead letters come last. The sandbox stands for other systems and is left out.
 */
export async function resourcesOf(root: string): Promise<Resource[]> {
  const { tables, buckets, queues } = readDeclared(root, stage());
  const isDead = ({ name }: { name: string }) => name.endsWith('-dead');
  const declared: Resource[] = [
    ...tables.map(({ logicalId: id, name }) => ({ kind: 'table' as const, id, name })),
    ...buckets.map(({ logicalId: id, name }) => ({ kind: 'bucket' as const, id, name })),
    ...queues
      .toSorted((a, b) => Number(isDead(a)) - Number(isDead(b)))
      .map(({ logicalId: id, name }) => ({ kind: 'queue' as const, id, name })),
  ].filter(({ id }) => !id.startsWith('Sandbox'));
  const found: Resource[] = [];
  for (const resource of declared) {
    const name = await find(resource);
    if (name !== undefined) found.push({ ...resource, name });
  }
  if (found.length === 0)
    throw new CommandRefusal(`The stage ${stage()} has no tables, buckets or queues here. Deploy it first.`);
  return found;
}

const MISSING = new Set([
  'ResourceNotFoundException',
  'NotFound',
  'NoSuchBucket',
  'QueueDoesNotExist',
  'AWS.SimpleQueueService.NonExistentQueue',
]);

async function find({ kind, name }: Resource): Promise<string | undefined> {
  try {
    if (kind === 'table') await dynamo().send(new DescribeTableCommand({ TableName: name }));
    else if (kind === 'bucket') await s3().send(new HeadBucketCommand({ Bucket: name }));
    else return (await sqs().send(new GetQueueUrlCommand({ QueueName: name }))).QueueUrl;
    return name;
  } catch (error) {
    if (MISSING.has((error as Error).name)) return undefined;
    throw error;
  }
}

const NOT_DELIVERED = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

export async function messageCounts(url: string) {
  const { Attributes = {} } = await sqs().send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...NOT_DELIVERED] }),
  );
  const [waiting = 0, inWork = 0, delayed = 0] = NOT_DELIVERED.map((name) => Number(Attributes[name] ?? 0));
  return { waiting, inWork, delayed };
}

// No message of SQS is delayed for longer than 15 minutes.
const MAX_LOOKS = 16 * 60;
const LOOK_EVERY_MS = 1_000;

/**
 * Refuses a stage that seems to be running, and waits for messages that are delayed: nobody can read them before. It
 * cannot be proven that a stage is stopped: requests leave no trace until they write.
 */
export async function requireStopped(
  resources: readonly Resource[],
  nowMs: number,
  say: (line: string) => void,
): Promise<void> {
  if (resources.some(({ id }) => id === 'BatchTable')) await requireNoHeartbeat(nowMs);
  for (const { kind, id, name } of resources) {
    if (kind !== 'queue') continue;
    for (let looks = 0; ; looks += 1) {
      const { inWork, delayed } = await messageCounts(name);
      if (inWork + delayed === 0) break;
      if (inWork > 0 || looks === MAX_LOOKS)
        throw new CommandRefusal(
          `The queue ${id} of the stage ${stage()} has ${inWork} messages in work and ${delayed} that are delayed. Stop the stage. Messages of a process that was killed are in work for some minutes: npm run admin -- queues list`,
        );
      if (looks === 0) say(`${id}: waiting for ${delayed} messages that are delayed`);
      await pause(LOOK_EVERY_MS);
    }
  }
}

async function requireNoHeartbeat(nowMs: number): Promise<void> {
  for (const instance of (await readInstances()).values())
    if (stateOf(instance, nowMs) === 'Live')
      throw new CommandRefusal(
        `The stage ${stage()} is running: its instance ${instance.name} sent a heartbeat at ${new Date(instance.heartbeatAtMs).toISOString()}. Stop it first. One that was killed is taken for running for a minute.`,
      );
}

/** Refuses a stage that holds anything. */
export async function requireEmpty(resources: readonly Resource[]): Promise<void> {
  for (const resource of resources) {
    const found = await firstIn(resource);
    if (found !== undefined)
      throw new CommandRefusal(
        `The stage ${stage()} holds data: ${resource.id} has ${found}. Import into an empty stage, or add --force: items and objects by the same keys are replaced, the others stay.`,
      );
  }
}

async function firstIn({ kind, name }: Resource): Promise<string | undefined> {
  if (kind === 'table') {
    const { Items = [] } = await dynamo().send(
      new ScanCommand({ TableName: name, ConsistentRead: true, Limit: 1 }),
    );
    return Items[0] && `the item ${Items[0].pk?.S} ${Items[0].sk?.S}`;
  }
  if (kind === 'bucket') {
    const { Contents = [] } = await s3().send(new ListObjectsV2Command({ Bucket: name, MaxKeys: 1 }));
    return Contents[0] && `the object ${Contents[0].Key}`;
  }
  const { waiting, inWork, delayed } = await messageCounts(name);
  return waiting + inWork + delayed > 0 ? `${waiting + inWork + delayed} messages` : undefined;
}
