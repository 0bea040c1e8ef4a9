import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandRefusal } from '../../../shared/command-line/reason.ts';
import type { Strict } from '../../../shared/embedded/tables/store.ts';
import type { Counts } from '../../../shared/embedded/tables/strict.ts';
import { startDynamo } from './dynamo/server.ts';
import { startObjectsAndQueues } from './objects-and-queues.ts';
import { newSealingKey } from './sealing-key.ts';

export type Emulators = {
  env: Record<string, string>;
  /** A line for each part of the data that cannot be read. */
  damage: readonly string[];
  /** Of DynamoDB, where it behaves like AWS under load. */
  counts: Counts;
  stop(): Promise<void>;
};

const DYNAMO = 'Local__Dynamo';

/**
 * How the engine's own DynamoDB behaves: as AWS does under load, or undefined, where writes that meet wait.
 * @example readAwsOptions({ Local__Dynamo: 'aws' }) // {}
 */
export function readAwsOptions({ [DYNAMO]: value }: NodeJS.ProcessEnv): Strict | undefined {
  if (!value) return undefined;
  if (value !== 'aws') throw new Error(`${DYNAMO} is aws or unset, not "${value}".`);
  return {};
}

type EmulatorOptions = {
  /** Without one the data is in memory. */
  dataDir?: string | undefined;
  aws?: Strict | undefined;
};

/**
 * Starts DynamoDB, S3 and SQS in this process, on free ports.
 * @example const { env, stop } = await startEmulators({ dataDir: '.local' }); Object.assign(process.env, env);
 */
export async function startEmulators({ dataDir, aws }: EmulatorOptions = {}): Promise<Emulators> {
  const within = (folder: string) => (dataDir ? join(dataDir, folder) : undefined);
  if (dataDir && existsSync(join(dataDir, 'dynamodb')))
    throw new CommandRefusal(
      `The data in ${dataDir} was written by an earlier version of the local engine, which this one does not read. Begin anew with --fresh, or use another folder with --data.`,
    );
  const dynamo = await startDynamo({ folder: within('store'), strict: aws });
  const objectsAndQueues = await startObjectsAndQueues({ dataDir: within('s3-and-sqs') }).catch(
    async (error) => {
      await dynamo.stop();
      throw error;
    },
  );
  return {
    env: {
      AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
      AWS_ENDPOINT_URL_S3: objectsAndQueues.endpoint,
      AWS_ENDPOINT_URL_SQS: objectsAndQueues.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCOUNT_ID: '000000000000',
      // The SDK does not call without a key. Nothing checks this one.
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      // Secrets that are sealed in memory end with the process.
      ...(!dataDir && {
        Providers__SealingKey: newSealingKey(),
        Profiles__SealingKey: newSealingKey(),
        Webhooks__SealingKey: newSealingKey(),
      }),
    },
    damage: objectsAndQueues.damage,
    counts: dynamo.counts,
    async stop() {
      await Promise.all([dynamo.stop(), objectsAndQueues.stop()]);
    },
  };
}
