import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { storesIn } from '../../../../infra/local/stores/own.ts';
import { answeredBy } from '../../../../shared/embedded/provided.ts';
import { openStores } from '../../../../shared/embedded/stores.ts';

/**
 * Works on the stores of an engine beside it, whether it runs or not.
 * @example await onStoresOf(engine.dataDir, ({ dynamo }) => dynamo.send(new GetItemCommand(…)))
 */
export async function onStoresOf<T>(
  dataDir: string,
  work: (clients: { dynamo: DynamoDBClient; s3: S3Client; sqs: SQSClient }) => Promise<T>,
): Promise<T> {
  const { tables, objects, queues, close } = openStores({ folder: storesIn(dataDir) });
  try {
    return await work({
      dynamo: answeredBy(() => tables, new DynamoDBClient({})),
      s3: answeredBy(() => objects, new S3Client({})),
      sqs: answeredBy(() => queues, new SQSClient({ useQueueUrlAsEndpoint: false })),
    });
  } finally {
    close();
  }
}
