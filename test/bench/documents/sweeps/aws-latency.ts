import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { DUE_MESSAGES, type DueKind } from '../../../../shared/store/due/message.ts';
import type { Minute } from './day.ts';

// Run by run.ts in a process of its own: a due index in memory that answers as late as AWS does. It knows the three
// calls of a sweep, and counts them.

const DYNAMO_MS = 5;
const SQS_MS = 10;

type Row = Record<string, { S: string } | { N: string }>;
type Query = {
  Limit: number;
  ExclusiveStartKey?: { at: { N: string } };
  ExpressionAttributeValues: { ':partition': { S: string } };
};
type Batch = { QueueUrl: string; Entries: { Id: string; MessageBody: string }[] };

const minute = JSON.parse(process.argv[2] ?? '') as Minute;
const partitions = new Map<string, Row[]>();
const counts = { Query: 0, UpdateItem: 0, SendMessageBatch: 0, sent: 0 };
/** The calls, and the messages that were sent by them. */
export type Counts = typeof counts;

for (const kind of ['work', 'garbage'] as const) for (let n = 0; n < minute[kind]; n++) addRow(kind, n);

function addRow(kind: DueKind, dueAt: number): void {
  const id = randomUUID();
  const partition = DUE_MESSAGES[kind].of(id);
  const rows = partitions.get(partition) ?? [];
  partitions.set(partition, rows);
  const body = JSON.stringify({ task: 'expire', documentId: id, expiresAtMs: dueAt });
  const texts = {
    pk: `DUE#${id}`,
    sk: 'DUE',
    id,
    token: randomUUID(),
    duePk: partition,
    queue: 'tasks',
    body,
  };
  rows.push({
    ...Object.fromEntries(Object.entries(texts).map(([name, S]) => [name, { S }])),
    dueAt: { N: String(dueAt) },
  });
}

const ANSWERS: Record<string, (input: never) => object> = {
  Query({ Limit, ExclusiveStartKey, ExpressionAttributeValues }: Query) {
    const rows = partitions.get(ExpressionAttributeValues[':partition'].S) ?? [];
    const from = Number(ExclusiveStartKey?.at.N ?? 0);
    const LastEvaluatedKey = from + Limit < rows.length ? { at: { N: String(from + Limit) } } : undefined;
    return { Items: rows.slice(from, from + Limit), LastEvaluatedKey };
  },
  UpdateItem: () => ({}),
  GetQueueUrl: () => ({ QueueUrl: 'http://127.0.0.1/000000000000/tasks' }),
  SendMessageBatch({ Entries }: Batch) {
    counts.sent += Entries.length;
    const Successful = Entries.map(({ Id, MessageBody }) => ({
      Id,
      MessageId: Id,
      MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
    }));
    return { Successful, Failed: [] };
  },
};

const server = createServer(async (request, response) => {
  const [, call = ''] = String(request.headers['x-amz-target']).split('.');
  const answeredAt = pause(call.includes('Queue') || call.includes('Message') ? SQS_MS : DYNAMO_MS);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  if (call in counts) counts[call as keyof typeof counts] += 1;
  const answer = ANSWERS[call]?.(JSON.parse(Buffer.concat(chunks).toString()) as never);
  await answeredAt;
  response.writeHead(answer ? 200 : 400, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify(answer ?? {}));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('message', () => process.send?.(counts));
process.on('disconnect', () => process.exit(0));
