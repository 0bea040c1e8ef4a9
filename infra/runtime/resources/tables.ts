import { setTimeout as pause } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type GlobalSecondaryIndex,
  ResourceInUseException,
  ResourceNotFoundException,
  type TableDescription,
  type TimeToLiveSpecification,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { DeclaredTable } from './read.ts';

// Long enough for LocalStack on a busy machine; the embedded stores need none of it.
const READY_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;

export async function createTable(dynamo: DynamoDBClient, table: DeclaredTable, say: (line: string) => void) {
  const { name, input, timeToLive } = table;
  if (!(await describe(dynamo, name))) {
    const command = new CreateTableCommand({ TableName: name, BillingMode: 'PAY_PER_REQUEST', ...input });
    await unlessOvertaken(dynamo.send(command));
  }
  refuseOtherKeys(table, await ready(dynamo, name));
  for (const index of input.GlobalSecondaryIndexes ?? []) await addIndex(dynamo, table, index, say);
  if (timeToLive) await expire(dynamo, name, timeToLive);
}

async function addIndex(
  dynamo: DynamoDBClient,
  { name, input }: DeclaredTable,
  index: GlobalSecondaryIndex,
  say: (line: string) => void,
) {
  const { GlobalSecondaryIndexes = [] } = await ready(dynamo, name);
  if (GlobalSecondaryIndexes.some(({ IndexName }) => IndexName === index.IndexName)) return;
  const command = new UpdateTableCommand({
    TableName: name,
    AttributeDefinitions: input.AttributeDefinitions,
    GlobalSecondaryIndexUpdates: [{ Create: index }],
  });
  const added = await unlessOvertaken(dynamo.send(command));
  await ready(dynamo, name);
  if (added) say(`Table ${name}: added the index ${index.IndexName}; its items are kept.`);
}

function refuseOtherKeys({ name, input }: DeclaredTable, there: TableDescription) {
  const keys = (schema: TableDescription['KeySchema'] = []) =>
    schema.map((key) => key.AttributeName).join(', ');
  const [have, want] = [keys(there.KeySchema), keys(input.KeySchema)];
  if (have !== want) {
    throw new Error(
      `Table ${name} has the keys ${have}, infra/ declares ${want}. Keys cannot change: delete the table.`,
    );
  }
}

async function describe(dynamo: DynamoDBClient, name: string): Promise<TableDescription | undefined> {
  try {
    return (await dynamo.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

async function ready(dynamo: DynamoDBClient, name: string): Promise<TableDescription> {
  const deadline = Date.now() + READY_WITHIN_MS;
  do {
    const table = await describe(dynamo, name);
    const states = [
      table?.TableStatus,
      ...(table?.GlobalSecondaryIndexes ?? []).map((index) => index.IndexStatus),
    ];
    if (table && states.every((state) => state === 'ACTIVE')) return table;
    await pause(LOOK_EVERY_MS);
  } while (Date.now() < deadline);
  throw new Error(`Table ${name} is not ready after ${READY_WITHIN_MS / 1000} s.`);
}

async function expire(dynamo: DynamoDBClient, name: string, wanted: TimeToLiveSpecification) {
  const { TimeToLiveDescription: now } = await dynamo.send(
    new DescribeTimeToLiveCommand({ TableName: name }),
  );
  const enabled = now?.TimeToLiveStatus === 'ENABLED' || now?.TimeToLiveStatus === 'ENABLING';
  if (enabled === wanted.Enabled) return;
  await unlessOvertaken(
    dynamo.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification: wanted })),
  );
}

// Answers no when another engine did the same a moment before.
async function unlessOvertaken(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (!(error instanceof ResourceInUseException) && !/already/.test((error as Error).message)) throw error;
    return false;
  }
}
