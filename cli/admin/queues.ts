import {
  GetQueueAttributesCommand,
  paginateListQueues,
  type QueueAttributeName,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { AdminRefusal } from '../../shared/access/administration.ts';
import { sqs } from '../../shared/queue/client.ts';
import { deadLetterName, isLocal, queueName, type ServiceName } from '../../shared/settings/names.ts';
import { moveByHand, type Queue, startMove } from './redrive.ts';

type Service = { readonly service: ServiceName };

const DEAD = deadLetterName('session', '').slice(queueName('session', '').length);

/** Every queue of a service with its dead letters: how many messages they have, and since when the dead ones are there. */
export async function listQueues({ service }: Service): Promise<string> {
  const queues = await queuesOf(service);
  const names = new Set(queues.map(({ name }) => name));
  // The dead letters of a queue stand in its own line. Those of schedules have no queue.
  const isShownWithQueue = ({ name }: Queue) => name.endsWith(DEAD) && names.has(name.slice(0, -DEAD.length));
  const lines = await Promise.all(
    queues
      .filter((queue) => !isShownWithQueue(queue))
      .map((queue) =>
        lineOf(
          service,
          queue,
          queues.find(({ name }) => name === `${queue.name}${DEAD}`),
        ),
      ),
  );
  return lines.length > 0 ? lines.join('\n') : `The ${service} service has no queues.`;
}

async function lineOf(service: ServiceName, queue: Queue, dead: Queue | undefined): Promise<string> {
  const name = `${service} ${queue.name.slice(queueName(service, '').length)}`;
  if (queue.name.endsWith(DEAD)) return `${name}  ${await deadText(queue)}`;
  const { waiting, inWork, delayed } = queue;
  const counts = `${waiting} waiting, ${inWork} in work, ${delayed} delayed`;
  return `${name}  ${counts}; dead letters: ${dead ? await deadText(dead) : 'no queue for them'}`;
}

async function deadText(dead: Queue): Promise<string> {
  const count = dead.waiting + dead.inWork;
  const oldestMs = count > 0 ? await oldestOf(dead) : undefined;
  return `${count}${oldestMs === undefined ? '' : ` (oldest seen: ${new Date(oldestMs).toISOString()})`}`;
}

/**
 * When the oldest of some dead letters was sent there. SQS has no call for the age; a receive that hides nothing shows
 * a few. Only for dead letters: on a queue of work it would count as a delivery.
 */
async function oldestOf({ url }: Queue): Promise<number | undefined> {
  const { Messages = [] } = await sqs().send(
    new ReceiveMessageCommand({
      QueueUrl: url,
      MaxNumberOfMessages: 10,
      VisibilityTimeout: 0,
      MessageSystemAttributeNames: ['SentTimestamp'],
    }),
  );
  const times = Messages.map(({ Attributes }) => Number(Attributes?.SentTimestamp));
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** Moves the dead letters of a queue back to it, to be tried again. */
export async function redrive(
  { service, dryRun = false }: Service & { readonly dryRun?: boolean | undefined },
  queue: string,
): Promise<string> {
  const queues = await queuesOf(service);
  const [from, to] = [deadLetterName(service, queue), queueName(service, queue)].map((name) =>
    queues.find((each) => each.name === name),
  );
  if (from && !to)
    throw new AdminRefusal(
      `${from.name} keeps scheduled runs that failed. They are not run again: a later run does the work.`,
    );
  if (!from || !to)
    throw new AdminRefusal(
      `There is no queue "${queue}" with dead letters in ${service}. See: queues list --service ${service}`,
    );
  const count = from.waiting;
  const what = `${messages(count)} of ${from.name} back to ${to.name}`;
  if (count === 0) return `${from.name} is empty: there is nothing to move.`;
  if (dryRun) return `Would move ${what}.`;
  if (isLocal()) return `Moved ${messages(await moveByHand(from, to))} of ${from.name} back to ${to.name}.`;
  await startMove(from, to);
  return `SQS is moving ${what}. What is left: queues list --service ${service}`;
}

const messages = (count: number): string => `${count} ${count === 1 ? 'message' : 'messages'}`;

const ATTRIBUTES = [
  'QueueArn',
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const satisfies QueueAttributeName[];

async function queuesOf(service: ServiceName): Promise<Queue[]> {
  const urls: string[] = [];
  const prefix = { QueueNamePrefix: queueName(service, '') };
  for await (const { QueueUrls = [] } of paginateListQueues({ client: sqs() }, prefix))
    urls.push(...QueueUrls);
  return Promise.all(urls.toSorted().map(describe));
}

async function describe(url: string): Promise<Queue> {
  const asked = new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...ATTRIBUTES] });
  const { Attributes = {} } = await sqs().send(asked);
  const [arn = '', waiting, inWork, delayed] = ATTRIBUTES.map((name) => Attributes[name]);
  return {
    name: arn.slice(arn.lastIndexOf(':') + 1),
    url,
    arn,
    waiting: Number(waiting ?? 0),
    inWork: Number(inWork ?? 0),
    delayed: Number(delayed ?? 0),
  };
}
