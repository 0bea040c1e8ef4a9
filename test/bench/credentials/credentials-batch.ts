import { Readable } from 'node:stream';
import {
  DynamoDBClient,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
} from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, type PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3';
import { SendMessageBatchCommand, type SendMessageBatchCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import { createBatch } from '../../../functions/credentials/degrees/batches/domain/create-batch.ts';
import { runBatch } from '../../../functions/credentials/degrees/batches/domain/run-batch.ts';
import { readLine } from '../../../functions/credentials/degrees/batches/read-line.ts';
import { forEachConcurrently } from '../../../shared/async/for-each-concurrently.ts';
import { answeredBy } from '../../../shared/embedded/provided.ts';
import type { Stores } from '../../../shared/embedded/stores.ts';
import { s3 } from '../../../shared/files/client.ts';
import { logger } from '../../../shared/log/logger.ts';
import { sqs } from '../../../shared/queue/client.ts';
import { dynamo } from '../../../shared/store/client.ts';
import { fileOf, ownStage, type Stage } from '../../functions/credentials/degrees/batches/stage.ts';
import { type Figure, median } from '../measure/figures.ts';
import { startStores } from '../measure/stores.ts';

const DEGREES = 1_000;
const ROUNDS = 3;
// As many lines as a batch has in work.
const AT_ONCE = 16;

/** Degrees of a batch a second, from its file to its end, against a bare loop of the same writes. */
export async function figures(): Promise<Figure[]> {
  // Every hand-over is sent at once, so that both have the same to do.
  Object.assign(process.env, { Log__Level: 'ERROR', Batches__HandOversPerSecond: '1000' });
  const bare = await startStores();
  const ours = await startStores();
  const clients = clientsOf(bare.stores);
  const stage = await ownStage();
  await runDegrees(stage, AT_ONCE);
  const rounds: { batch: number; loop: number }[] = [];
  // Turn by turn, so that whatever else the machine does falls on both alike.
  for (let n = 0; n < ROUNDS; n++) {
    const { seconds, writes } = await runDegrees(stage, DEGREES);
    rounds.push({ batch: DEGREES / seconds, loop: DEGREES / (await repeat(writes, clients)) });
  }
  await ours.stop();
  await bare.stop();
  const shown = (of: 'batch' | 'loop') => Math.round(median(rounds.map((round) => round[of])));
  return [
    {
      name: "degrees of a batch, from its file to its end, against a bare loop of the same degrees' writes",
      ratio: median(rounds.map(({ batch, loop }) => batch / loop)),
      promised: { atLeast: 0.5 },
      detail: `${shown('batch')} and ${shown('loop')} a second, ${AT_ONCE} at once, each two files and a transaction`,
    },
  ];
}

type Clients = ReturnType<typeof clientsOf>;

/** Clients of stores that are not those of this process. */
const clientsOf = ({ tables, objects, queues }: Stores) => ({
  dynamo: answeredBy(() => tables, new DynamoDBClient({})),
  s3: answeredBy(() => objects, new S3Client({})),
  sqs: answeredBy(() => queues, new SQSClient({ useQueueUrlAsEndpoint: false })),
});

type Writes = {
  readonly files: PutObjectCommandInput[];
  readonly degrees: TransactWriteItemsCommandInput[];
  readonly messages: SendMessageBatchCommandInput[];
};

const nowSeconds = (): number => performance.now() / 1000;

/** Creates so many degrees by one batch. Answers how long it took, and the writes of the degrees. */
async function runDegrees({ caller, organizationId, degree }: Stage, count: number) {
  const content = fileOf(Array.from({ length: count }, (_, n) => degree(n)));
  const writes: Writes = { files: [], degrees: [], messages: [] };
  const stopWatching = watch(writes);
  const startedAt = nowSeconds();
  const request = { organizationId, content: Readable.from([content]) };
  const { id } = await createBatch(caller, request, Date.now());
  const outcome = await runBatch(id, { readLine, now: Date.now, logger: logger('credentials') });
  const seconds = nowSeconds() - startedAt;
  stopWatching();
  if (outcome !== 'finished' || writes.degrees.length !== count || writes.files.length !== 2 * count)
    throw new Error(`The batch is ${outcome}: ${writes.degrees.length} degrees of ${count}.`);
  return { seconds, writes };
}

type Next = (args: never) => Promise<unknown>;
type Stack = {
  add(
    middleware: (next: Next, context: { readonly commandName?: string }) => Next,
    options: { readonly step: 'initialize'; readonly name: string },
  ): void;
  remove(name: string): boolean;
};

/** Notes the writes of degrees, and not those of their batch. */
function watch({ files, degrees, messages }: Writes): () => void {
  const stacks = [dynamo(), s3(), sqs()].map((client) => client.middlewareStack as unknown as Stack);
  const isDegree = ({ TransactItems = [] }: TransactWriteItemsCommandInput): boolean =>
    TransactItems.some(({ Put }) => Put?.Item?.pk?.S?.startsWith('ITEM#degree#'));
  const note = (command: string, input: object): void => {
    if (command === 'PutObjectCommand' && 'Key' in input && String(input.Key).startsWith('degree/'))
      files.push(input as PutObjectCommandInput);
    if (command === 'TransactWriteItemsCommand' && isDegree(input as TransactWriteItemsCommandInput))
      degrees.push(input as TransactWriteItemsCommandInput);
    if (command === 'SendMessageBatchCommand') messages.push(input as SendMessageBatchCommandInput);
  };
  for (const stack of stacks)
    stack.add(
      (next, { commandName = '' }) =>
        (args) => {
          note(commandName, (args as { readonly input: object }).input);
          return next(args);
        },
      { step: 'initialize', name: 'note writes' },
    );
  return () => {
    for (const stack of stacks) stack.remove('note writes');
  };
}

/** The same writes in a bare loop, in stores that have seen none of them. Answers how long it took. */
async function repeat({ files, degrees, messages }: Writes, clients: Clients): Promise<number> {
  const startedAt = nowSeconds();
  await forEachConcurrently(AT_ONCE, degrees.entries(), async ([n, degree]) => {
    const own = files.slice(2 * n, 2 * n + 2);
    await Promise.all(own.map((file) => clients.s3.send(new PutObjectCommand(file))));
    await clients.dynamo.send(new TransactWriteItemsCommand(degree));
    const message = n % 10 === 0 ? messages[n / 10] : undefined;
    if (message) await clients.sqs.send(new SendMessageBatchCommand(message));
  });
  return nowSeconds() - startedAt;
}
