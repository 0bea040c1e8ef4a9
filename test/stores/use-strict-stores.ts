import { useWorkerStores } from './worker-stores.ts';

// For the tests of the store: transactions that meet are cancelled, as on AWS, and partition keys are throttled.
await useWorkerStores('strict');
