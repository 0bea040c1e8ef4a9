import { resolve } from 'node:path';

/** Keys that one run makes and the next ones use again. They sign nothing but tests. */
export const KEY_FOLDER = resolve(import.meta.dirname, '../../node_modules/.cache/sinete-test-keys');
