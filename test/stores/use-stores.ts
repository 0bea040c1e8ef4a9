import { forFile } from '../runner/for-file.ts';
import { useOwnStores } from './own-stores.ts';

// Each file has its own: what another one left in a queue would be delivered to it.
await forFile(useOwnStores('plain'));
