import { join } from 'node:path';
import { startDynamo } from './dynamo/server.ts';
import { startObjectsAndQueues } from './objects-and-queues.ts';
import { newSealingKey } from './sealing-key.ts';

export type Emulators = {
  env: Record<string, string>;
  /** A line for each part of the data that cannot be read. */
  damage: readonly string[];
  stop(): Promise<void>;
};

/**
 * Starts DynamoDB, S3 and SQS in this process, on free ports. Without a folder the data is in memory.
 * @example const { env, stop } = await startEmulators({ dataDir: '.local' }); Object.assign(process.env, env);
 */
export async function startEmulators({ dataDir }: { dataDir?: string } = {}): Promise<Emulators> {
  const within = (folder: string) => (dataDir ? join(dataDir, folder) : undefined);
  const dynamo = await startDynamo({ path: within('dynamodb') });
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
      ...(!dataDir && { Providers__SealingKey: newSealingKey(), Webhooks__SealingKey: newSealingKey() }),
    },
    damage: [...dynamo.damage, ...objectsAndQueues.damage],
    async stop() {
      await Promise.all([dynamo.stop(), objectsAndQueues.stop()]);
    },
  };
}
