import { useWorkerStores } from './worker-stores.ts';

await useWorkerStores('plain');
