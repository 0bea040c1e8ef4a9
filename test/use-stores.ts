import { useWorkerStores } from './worker-stores.ts';

useWorkerStores('plain');
