// A witness writes without pause in a process of its own, notes only what was answered, and after a kill says what is not
// as noted.
import {
  DynamoDBClient,
  PutItemCommand,
  paginateScan,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { answeredBy } from '../../../../shared/embedded/provided.ts';
import type { Stores } from '../../../../shared/embedded/stores.ts';
import { createThings, type Item, key, TABLE } from '../tables/started.ts';

/** Something that was answered. */
export type Noted = Readonly<Record<string, string | number>>;
export type Witness = {
  prepare(clients: Clients): Promise<unknown>;
  /** Makes the nth write; numbers only grow. Gives what is to be noted of its answer. */
  write(clients: Clients, n: number, name: string): Promise<Noted | undefined>;
  /** What is wrong, given everything that was noted. */
  wrongs(clients: Clients, noted: readonly Noted[], name: string): Promise<string[]>;
};

export type Clients = ReturnType<typeof clientsOf>;

export const clientsOf = ({ tables, objects, queues }: Stores) => ({
  dynamo: answeredBy(() => tables, new DynamoDBClient({})),
  s3: answeredBy(() => objects, new S3Client({})),
  sqs: answeredBy(() => queues, new SQSClient({ useQueueUrlAsEndpoint: false })),
});

/** Made by an earlier round. */
const unlessThere = (made: Promise<unknown>) =>
  made.catch((error) => {
    if (!['ResourceInUseException', 'BucketAlreadyOwnedByYou'].includes(error.name)) throw error;
  });
const createTable = ({ dynamo }: Clients) => unlessThere(createThings(dynamo));

async function scanned({ dynamo: client }: Clients, IndexName?: string): Promise<Map<string, Item>> {
  const items = new Map<string, Item>();
  for await (const { Items = [] } of paginateScan({ client }, { TableName: TABLE, IndexName })) {
    for (const item of Items) items.set(String(item.pk?.S), item);
  }
  return items;
}

/** Single writes: each is there with its entry in the index, which holds nothing else. */
const single: Witness = {
  prepare: createTable,
  async write({ dynamo }, n) {
    const pk = `single ${n}`;
    await dynamo.send(new PutItemCommand({ TableName: TABLE, Item: { ...key(pk), duePk: { S: 'today' } } }));
    return { pk };
  },
  async wrongs(clients, noted) {
    const [items, entries] = [await scanned(clients), await scanned(clients, 'due')];
    const lost = noted.filter(({ pk }) => !items.has(String(pk))).map(({ pk }) => `lost item ${pk}`);
    const torn = [...new Set([...items.keys(), ...entries.keys()])]
      .filter((pk) => JSON.stringify(items.get(pk)) !== JSON.stringify(entries.get(pk)))
      .map((pk) => `item and index entry of ${pk} differ`);
    return [...lost, ...torn];
  },
};

const isDoomed = (n: number): boolean => n % 5 === 0;

/** Two items that every transaction sets alike: they are never seen apart, nor older than answered. */
const pair: Witness = {
  prepare: createTable,
  async write({ dynamo }, n, name) {
    const set = (pk: string, ConditionExpression?: string) => ({
      Update: {
        TableName: TABLE,
        Key: key(pk),
        UpdateExpression: 'SET n = :n, duePk = :due, filler = :filler',
        ExpressionAttributeValues: {
          ':n': { N: String(n) },
          ':due': { S: `day ${n % 3}` },
          ':filler': { S: 'x'.repeat(1000) },
        },
        ConditionExpression,
      },
    });
    // Every fifth is refused because of its second item.
    const refused = isDoomed(n) ? 'attribute_exists(nothing)' : undefined;
    const TransactItems = [set(`${name} left`), set(`${name} right`, refused)];
    try {
      await dynamo.send(new TransactWriteItemsCommand({ TransactItems }));
      return { n };
    } catch (error) {
      if (!(refused && error instanceof TransactionCanceledException)) throw error;
      return undefined;
    }
  },
  async wrongs(clients, noted, name) {
    const items = await scanned(clients);
    const answered = Math.max(0, ...noted.map(({ n }) => Number(n)));
    const [left = 0, right = 0] = ['left', 'right'].map((side) =>
      Number(items.get(`${name} ${side}`)?.n?.N ?? 0),
    );
    return [
      ...(left === right ? [] : [`${name} is torn: ${left} and ${right}`]),
      ...(left >= answered ? [] : [`${name} lost ${answered}, has ${left}`]),
      ...(isDoomed(left) && left !== 0 ? [`${name} has the refused ${left}`] : []),
    ];
  },
};

const QueueName = 'jobs';

/** Messages: what was sent is there unless its deletion was asked for, what was deleted is not. */
const messages: Witness = {
  prepare: ({ sqs }) =>
    sqs.send(new CreateQueueCommand({ QueueName, Attributes: { VisibilityTimeout: '0' } })),
  async write({ sqs }, n): Promise<Noted | undefined> {
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    if (n % 3) {
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: `message ${n}` }));
      return { sent: `message ${n}` };
    }
    const taken = await sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 600 }));
    const [message] = taken.Messages ?? [];
    if (!message) return undefined;
    // From here on it may or may not be there, until the answer.
    process.send?.({ name: 'messages', noted: { doomed: String(message.Body) } });
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
    return { deleted: String(message.Body) };
  },
  async wrongs({ sqs }, noted) {
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    const there = new Set<string>();
    for (;;) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 600 }),
      );
      if (Messages.length === 0) break;
      for (const { Body } of Messages) there.add(String(Body));
    }
    const all = (kind: 'sent' | 'doomed' | 'deleted') =>
      new Set(noted.flatMap(({ [kind]: body }) => (body === undefined ? [] : [String(body)])));
    const [sent, doomed, deleted] = [all('sent'), all('doomed'), all('deleted')];
    return [
      ...[...sent].filter((body) => !there.has(body) && !doomed.has(body)).map((body) => `lost ${body}`),
      ...[...deleted].filter((body) => there.has(body)).map((body) => `the deleted ${body} is back`),
    ];
  },
};

const OBJECTS = 5;
const contentOf = (n: number): string => `${n} `.repeat(20_000);

/** Objects that are overwritten again and again: each is whole, and not older than answered. */
const objects: Witness = {
  prepare: ({ s3 }) => unlessThere(s3.send(new CreateBucketCommand({ Bucket: 'files' }))),
  async write({ s3 }, n) {
    const Key = `folder/${n % OBJECTS}`;
    await s3.send(new PutObjectCommand({ Bucket: 'files', Key, Body: contentOf(n) }));
    return { Key, n };
  },
  async wrongs({ s3 }, noted) {
    const newest = new Map<string, number>();
    for (const { Key, n } of noted)
      newest.set(String(Key), Math.max(Number(n), newest.get(String(Key)) ?? 0));
    const looked = [...newest].map(async ([Key, answered]) => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'files', Key }));
      const text = (await Body?.transformToString()) ?? '';
      const found = Number.parseInt(text, 10);
      if (text !== contentOf(found)) return [`object ${Key} is torn`];
      return found < answered ? [`object ${Key} lost ${answered}, has ${found}`] : [];
    });
    return (await Promise.all(looked)).flat();
  },
};

export const WITNESSES: Readonly<Record<string, Witness>> = { single, pair, messages, objects };
