// A witness writes without pause, notes only what was answered, and after a restart says what is not as noted.
import {
  type DynamoDBClient,
  PutItemCommand,
  paginateScan,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { createThings, type Item, key, TABLE } from '../stores/dynamo/started.ts';
import type { Served } from './served.ts';

export type Witness = {
  prepare(served: Served): Promise<unknown>;
  write(served: Served): Promise<void>;
  wrongs(served: Served): Promise<string[]>;
};

async function scanned(client: DynamoDBClient, IndexName?: string): Promise<Map<string, Item>> {
  const items = new Map<string, Item>();
  for await (const { Items = [] } of paginateScan({ client }, { TableName: TABLE, IndexName })) {
    for (const item of Items) items.set(String(item.pk?.S), item);
  }
  return items;
}

/** Single writes: each is there with its entry in the index, which holds nothing else. */
export function singleWrites(): Witness {
  const written = new Set<string>();
  return {
    prepare: ({ dynamo }) => createThings(dynamo),
    async write({ dynamo }) {
      const pk = crypto.randomUUID();
      await dynamo.send(
        new PutItemCommand({ TableName: TABLE, Item: { ...key(pk), duePk: { S: 'today' } } }),
      );
      written.add(pk);
    },
    async wrongs({ dynamo }) {
      const [items, entries] = [await scanned(dynamo), await scanned(dynamo, 'due')];
      const lost = [...written].filter((pk) => !items.has(pk)).map((pk) => `lost item ${pk}`);
      const torn = [...new Set([...items.keys(), ...entries.keys()])]
        .filter((pk) => JSON.stringify(items.get(pk)) !== JSON.stringify(entries.get(pk)))
        .map((pk) => `item and index entry of ${pk} differ`);
      return [...lost, ...torn];
    },
  };
}

/** Two items that every transaction sets alike: they are never seen apart, nor older than answered. */
export function pairedWrites(name: string): Witness {
  let tried = 0;
  let answered = 0;
  const set = (pk: string, ConditionExpression?: string) => ({
    Update: {
      TableName: TABLE,
      Key: key(pk),
      UpdateExpression: 'SET n = :n, duePk = :due, filler = :filler',
      ExpressionAttributeValues: {
        ':n': { N: String(tried) },
        ':due': { S: `day ${tried % 3}` },
        ':filler': { S: 'x'.repeat(1000) },
      },
      ConditionExpression,
    },
  });
  return {
    prepare: async () => {},
    async write({ dynamo }) {
      tried += 1;
      // Every fifth is refused because of its second item.
      const doomed = tried % 5 === 0;
      const items = [
        set(`${name} left`),
        set(`${name} right`, doomed ? 'attribute_exists(nothing)' : undefined),
      ];
      try {
        await dynamo.send(new TransactWriteItemsCommand({ TransactItems: items }));
        answered = tried;
      } catch (error) {
        if (!(doomed && error instanceof TransactionCanceledException)) throw error;
      }
    },
    async wrongs({ dynamo }) {
      const items = await scanned(dynamo);
      const [left, right] = ['left', 'right'].map((side) => Number(items.get(`${name} ${side}`)?.n?.N ?? 0));
      return [
        ...(left === right ? [] : [`${name} is torn: ${left} and ${right}`]),
        ...(Number(left) >= answered ? [] : [`${name} lost ${answered}, has ${left}`]),
        ...(Number(left) % 5 === 0 && left !== 0 ? [`${name} has the refused ${left}`] : []),
      ];
    },
  };
}

/** Messages: what was sent is there, what was deleted is not. */
export function messages(): Witness {
  const sent = new Set<string>();
  const deleted = new Set<string>();
  const url = ({ sqsEndpoint }: Served) => `${sqsEndpoint}/000000000000/jobs`;
  return {
    prepare: ({ sqs }) => sqs.send(new CreateQueueCommand({ QueueName: 'jobs' })),
    async write(served) {
      const QueueUrl = url(served);
      const body = crypto.randomUUID();
      await served.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: body }));
      sent.add(body);
      if (sent.size % 3) return;
      const { Messages: [message] = [] } = await served.sqs.send(new ReceiveMessageCommand({ QueueUrl }));
      if (!message?.Body) return;
      // From here on it may or may not be there, until the answer.
      sent.delete(message.Body);
      await served.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
      deleted.add(message.Body);
    },
    async wrongs({ sqsEndpoint }) {
      type Queue = { messages: { ready: { body: string }[]; inflight: { message: { body: string } }[] } };
      const queue = (await (await fetch(`${sqsEndpoint}/_fauxqs/queues/jobs`)).json()) as Queue;
      const { ready, inflight } = queue.messages;
      const there = new Set([...ready, ...inflight.map(({ message }) => message)].map(({ body }) => body));
      return [
        ...[...sent].filter((body) => !there.has(body)).map((body) => `lost message ${body}`),
        ...[...deleted].filter((body) => there.has(body)).map((body) => `deleted message ${body} is back`),
      ];
    },
  };
}

/** Objects that are overwritten again and again: each is whole, and not older than answered. */
export function objects(): Witness {
  const KEYS = 5;
  const newest = new Map<string, number>();
  let n = 0;
  return {
    prepare: ({ s3 }) => s3.send(new CreateBucketCommand({ Bucket: 'files' })),
    async write({ s3 }) {
      n += 1;
      const Key = `folder/${n % KEYS}`;
      await s3.send(new PutObjectCommand({ Bucket: 'files', Key, Body: `${n} `.repeat(20_000) }));
      newest.set(Key, n);
    },
    async wrongs({ s3 }) {
      const looked = [...newest].map(async ([Key, answered]) => {
        const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'files', Key }));
        const text = (await Body?.transformToString()) ?? '';
        const found = Number.parseInt(text, 10);
        if (text !== `${found} `.repeat(20_000)) return [`object ${Key} is torn`];
        return found < answered ? [`object ${Key} lost ${answered}, has ${found}`] : [];
      });
      return (await Promise.all(looked)).flat();
    },
  };
}
