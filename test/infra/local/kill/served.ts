import { fork } from 'node:child_process';
import { once } from 'node:events';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';

export type Served = Awaited<ReturnType<typeof serve>>;

/** The emulators in a process of their own, over the data of the one before. */
export async function serve(dataDir: string) {
  const child = fork(new URL('./serve.ts', import.meta.url), [dataDir], { execArgv: [] });
  const [env] = (await once(child, 'message')) as [Record<string, string>];
  // One attempt each: a retry would hide that an answer was lost.
  const at = (service: string) => ({ endpoint: env[`AWS_ENDPOINT_URL_${service}`], maxAttempts: 1 });
  return {
    dynamo: new DynamoDBClient(at('DYNAMODB')),
    s3: new S3Client({ ...at('S3'), forcePathStyle: true }),
    sqs: new SQSClient(at('SQS')),
    sqsEndpoint: String(env.AWS_ENDPOINT_URL_SQS),
    async kill() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
