import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll } from 'vitest';
import { answeredHere, type ProvidedStores, provideStores } from '../../../../shared/embedded/provided.ts';
import { openStores, type Stores } from '../../../../shared/embedded/stores.ts';

/** Queues in the process of a test file, for its own client and for those of the functions. */
export function embeddedQueues(): SQSClient {
  let stores: Stores;
  let before: ProvidedStores | undefined;
  beforeAll(() => {
    stores = openStores();
    before = provideStores({ queues: stores.queues });
  });
  afterAll(() => {
    provideStores(before);
    stores.close();
  });
  // Nobody listens there: whatever the stores do not answer fails.
  return answeredHere('queues', new SQSClient({ endpoint: 'http://127.0.0.1:9', maxAttempts: 1 }));
}
