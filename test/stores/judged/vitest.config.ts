import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// The embedded stores and engines that others wrote, given the same random commands: npm run test:stores -- --model
export default defineConfig({
  root: resolve(import.meta.dirname, '../../..'),
  test: {
    include: ['test/stores/judged/*.judge.ts'],
    maxWorkers: 2,
    // Ten thousand sequences.
    testTimeout: 14_400_000,
    hookTimeout: 300_000,
  },
});
