import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { answeredBy } from '../../../shared/embedded/provided.ts';
import type { Stores } from '../../../shared/embedded/stores.ts';
import { ACCESS } from '../engines/start.ts';

/** Two clients of the same calls: the first is answered by the embedded stores, the other by an engine. */
export type Both<Client> = readonly [ours: Client, theirs: Client];

// Nobody listens there: whatever the stores do not answer fails.
const NOWHERE = 'http://127.0.0.1:9';

export function bothQueues(stores: Stores, endpoint: string): Both<SQSClient> {
  const client = (at: string) =>
    new SQSClient({ ...ACCESS, endpoint: at, useQueueUrlAsEndpoint: false, maxAttempts: 1 });
  return [answeredBy(() => stores.queues, client(NOWHERE)), client(endpoint)];
}

export function bothObjects(stores: Stores, endpoint: string): Both<S3Client> {
  const client = (at: string) =>
    new S3Client({
      ...ACCESS,
      endpoint: at,
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      maxAttempts: 1,
    });
  return [answeredBy(() => stores.objects, client(NOWHERE)), client(endpoint)];
}

/** What a call gives, or the name of its error. @example await outcomeOf(s3.send(new HeadObjectCommand(request))) */
export async function outcomeOf<T>(
  call: Promise<T>,
  pick: (answer: T) => unknown = () => 'done',
): Promise<unknown> {
  try {
    return await pick(await call);
  } catch (error) {
    const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
    if (!$metadata) throw error;
    return { error: name, status: $metadata.httpStatusCode };
  }
}
