import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

// Mathematics and parsing: nothing here has a setting, a store or a clock of its own, so that files may share a process.
const PURE = ['der', 'pki', 'seal', 'signing', 'taxpayer'].map((part) => `test/shared/${part}/**/*.test.ts`);

// Every file runs in a process of its own, and nearly all of them load the same libraries.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/sinete/compiled-for-tests');

export default defineConfig({
  test: {
    globalSetup: ['test/emulators.ts'],
    // Tests wait for stores, browsers and engines more than they compute: two at a time fill two cores.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env: { STAGE: 'local', Http__CheckAnswers: 'true' },
    projects: [
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
      { extends: true, test: { name: 'house', include: ['test/**/*.test.ts'], exclude: PURE } },
    ],
  },
});
