import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createDeclared } from '../infra/local/resources/create.ts';
import { type Declared, readDeclared } from '../infra/local/resources/read.ts';
import { createTable } from '../infra/local/resources/tables.ts';
import { startDynamo } from '../infra/local/stores/dynamo/server.ts';
import { startEmulators } from '../infra/local/stores/emulators.ts';
import { KEY_FOLDER } from './key-folder.ts';
import { offerEngine } from './shared-engine.ts';
import { STRICT_DYNAMO } from './strict-dynamo.ts';

/** Once for the whole run: real tables, buckets and queues in memory, found by every test in its environment. */
export async function setup(): Promise<() => Promise<void>> {
  const [stores, engine, strict] = await Promise.all([
    startEmulators(),
    offerEngine(),
    startDynamo({ strict: {} }),
  ]);
  // With a profile the SDK would look past the keys below.
  delete process.env.AWS_PROFILE;
  const shared = { STAGE: 'local', Authority__KeyFolder: KEY_FOLDER, [STRICT_DYNAMO]: strict.endpoint };
  Object.assign(process.env, stores.env, engine.env, shared);
  const declared = readDeclared(process.cwd(), 'local');
  await Promise.all([createDeclared(declared), createTables(strict.endpoint, declared)]);
  return async () => {
    await Promise.all([stores.stop(), engine.stop(), strict.stop()]);
  };
}

async function createTables(endpoint: string, { tables }: Declared): Promise<void> {
  const client = new DynamoDBClient({ endpoint });
  await Promise.all(tables.map((table) => createTable(client, table, console.log)));
  client.destroy();
}
