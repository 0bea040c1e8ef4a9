import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandRefusal } from '../../../shared/command-line/reason.ts';
import { provideStores } from '../../../shared/embedded/provided.ts';
import { openStores } from '../../../shared/embedded/stores.ts';
import type { Strict } from '../../../shared/embedded/tables/store.ts';
import type { Counts } from '../../../shared/embedded/tables/strict.ts';
import { freeAbandonedWork } from './abandoned-work.ts';
import { STORES_FOLDER } from './endpoints.ts';
import { startObjectsAndQueues } from './objects-and-queues.ts';
import { newSealingKey } from './sealing-key.ts';

export type Emulators = {
  env: Record<string, string>;
  /** A line for each part of the data that cannot be read. */
  damage: readonly string[];
  /** Of the tables, where they behave like DynamoDB under load. */
  counts: Counts;
  stop(): Promise<void>;
};

type EmulatorOptions = {
  /** Without one the data is in memory. */
  dataDir?: string | undefined;
  aws?: Strict | undefined;
};

/** What the SDK wants to know, whoever answers it. */
export const ownEnvironment = (endpoint: string): Record<string, string> => ({
  AWS_ENDPOINT_URL_S3: endpoint,
  AWS_ENDPOINT_URL_SQS: endpoint,
  AWS_REGION: 'us-east-1',
  AWS_ACCOUNT_ID: '000000000000',
  // The SDK does not call without a key. Nothing checks this one.
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});

export const sealingKeys = (): Record<string, string> => ({
  Providers__SealingKey: newSealingKey(),
  Profiles__SealingKey: newSealingKey(),
  Webhooks__SealingKey: newSealingKey(),
});

// DynamoDB deletes expired items within days; minutes are enough to see it happen.
const COLLECT_EVERY_MS = 5 * 60 * 1000;

/**
 * Opens the stores of a folder, and has the clients of this process answered by them until the stop.
 * @example const { env, stop } = await startEmulators({ dataDir: '.local' }); Object.assign(process.env, env);
 */
export async function startEmulators({ dataDir, aws }: EmulatorOptions = {}): Promise<Emulators> {
  const within = (folder: string) => (dataDir ? join(dataDir, folder) : undefined);
  if (dataDir && existsSync(join(dataDir, 'dynamodb')))
    throw new CommandRefusal(
      `The data in ${dataDir} was written by an earlier version of the local engine, which this one does not read. Begin anew with --fresh, or use another folder with --data.`,
    );
  const stores = openStores({ folder: within('store'), strict: aws });
  if (dataDir) await freeAbandonedWork(stores.tables);
  const objectsAndQueues = await startObjectsAndQueues({ dataDir: within('s3-and-sqs') }).catch(
    async (error) => {
      stores.close();
      throw error;
    },
  );
  const before = provideStores(stores);
  let collecting: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    collecting = stores.tables
      .collectExpired()
      .catch((error) => console.error(`Expired items of the tables stay: ${error}`));
  }, COLLECT_EVERY_MS);
  timer.unref();
  return {
    env: {
      ...(dataDir && { [STORES_FOLDER]: join(dataDir, 'store') }),
      ...ownEnvironment(objectsAndQueues.endpoint),
      // Secrets that are sealed in memory end with the process.
      ...(!dataDir && sealingKeys()),
    },
    damage: objectsAndQueues.damage,
    counts: stores.tables.counts,
    async stop() {
      clearInterval(timer);
      await collecting;
      await objectsAndQueues.stop();
      provideStores(before);
      stores.close();
    },
  };
}
