import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { provideStores } from '../../shared/embedded/provided.ts';
import { openStores } from '../../shared/embedded/stores.ts';
import { dynamo } from '../../shared/store/client.ts';
import { placeholders, toAttributes } from '../../shared/store/item.ts';
import { startCpuClock } from '../cpu-time.ts';
import { type Figure, median } from './measure/figures.ts';

const WARM_ROUNDS = 3;
const ROUNDS = 7;
const TRANSACTIONS = 400;
const PUTS = 5;
const UPDATES = 10;
const ITEM_BYTES = 600;
const MAX_CPU_MS = 1.2;

const TableName = 'bench';
const INDEXES = ['state', 'profile', 'folder'];

/** The CPU of one transaction on the embedded store, through the client that services use, one after another. */
export async function figures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-bench-store-'));
  const stores = openStores({ folder });
  provideStores(stores);
  try {
    await createTable();
    await dynamo().send(putting(0));
    const rounds: number[] = [];
    for (let round = 0; round < WARM_ROUNDS + ROUNDS; round++) {
      const commands = Array.from({ length: TRANSACTIONS }, (_, n) => writing(round * TRANSACTIONS + n + 1));
      const cpuMs = startCpuClock();
      for (const command of commands) await dynamo().send(command);
      if (round >= WARM_ROUNDS) rounds.push(cpuMs() / TRANSACTIONS);
    }
    const shown = rounds.map((ms) => ms.toFixed(2)).join(', ');
    return [
      {
        name: `CPU milliseconds of a transaction of ${PUTS + UPDATES} items on the embedded store`,
        ratio: median(rounds),
        promised: { atMost: MAX_CPU_MS },
        detail: `no ratio: ${PUTS} new items and ${UPDATES} changed ones of ${ITEM_BYTES} bytes, three indexes, synced; rounds of ${TRANSACTIONS}: ${shown} ms`,
      },
    ];
  } finally {
    provideStores(undefined);
    stores.close();
    rmSync(folder, { recursive: true });
  }
}

const createTable = () =>
  dynamo().send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk', ...INDEXES].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: INDEXES.map((AttributeName) => ({
        IndexName: `by-${AttributeName}`,
        KeySchema: [
          { AttributeName, KeyType: 'HASH' as const },
          { AttributeName: 'sk', KeyType: 'RANGE' as const },
        ],
        Projection: { ProjectionType: 'ALL' as const },
      })),
    }),
  );

const STATES = ['Queued', 'Processing', 'Verifying', 'Completed'];

/** A job as a service writes it: of its three indexes a change moves it in one. */
const jobOf = (id: string, n: number) => ({
  pk: `JOB#${id}`,
  sk: 'JOB',
  state: `STATE#${STATES[n % STATES.length]}`,
  profile: 'PROFILE#remessas',
  folder: 'FOLDER#entrada',
  version: n,
  fileName: `remessa-${id}.pdf`,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: new Date(n * 1_000).toISOString(),
  history: STATES.map((state) => ({ state, at: '2026-01-01T00:00:00.000Z' })),
  text: 'x'.repeat(ITEM_BYTES - 400),
});

const putIfAbsent = (id: string, n: number) => ({
  Put: { TableName, Item: toAttributes(jobOf(id, n)), ConditionExpression: 'attribute_not_exists(pk)' },
});

function change(id: string, n: number) {
  const { condition, update, bound } = placeholders();
  const { pk, sk, state, version, updatedAt, text } = jobOf(id, n);
  return {
    Update: {
      TableName,
      Key: toAttributes({ pk, sk }),
      UpdateExpression: update({ state, version, updatedAt, text }),
      ConditionExpression: condition({ version: version - 1 }),
      ...bound(),
    },
  };
}

type Items = ReturnType<typeof putIfAbsent> | ReturnType<typeof change>;

const repeat = (times: number, of: (index: number) => Items): Items[] =>
  Array.from({ length: times }, (_, index) => of(index));

const transactionOf = (TransactItems: Items[]) => new TransactWriteItemsCommand({ TransactItems });

const putting = (n: number) => transactionOf(repeat(UPDATES, (index) => putIfAbsent(`changed-${index}`, n)));

const writing = (n: number) =>
  transactionOf([
    ...repeat(PUTS, (index) => putIfAbsent(`new-${n}-${index}`, n)),
    ...repeat(UPDATES, (index) => change(`changed-${index}`, n)),
  ]);
