import { forFile } from '../runner/for-file.ts';
import { useOwnStores } from './own-stores.ts';

// For the tests of the store: transactions that meet are cancelled, as on AWS, and partition keys are throttled.
await forFile(useOwnStores('strict'));
