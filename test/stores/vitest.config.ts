import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// The suites of everything that calls AWS, against the embedded stores or those that run elsewhere: LocalStack, another
// engine, or AWS itself.
// The stage is new for every run, so that the run meets nobody's data and can remove all of its own.
process.env.STAGE = `stores-${randomUUID().slice(0, 8)}`;

export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    globalSetup: ['test/stores/stores.ts'],
    include: ['store', 'files', 'queue', 'webhooks'].map((part) => `test/shared/${part}/**/*.test.ts`),
    maxWorkers: 2,
    isolate: false,
    setupFiles: ['test/runner/fresh-file.ts', 'test/stores/provide.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 50 } },
    env: { STAGE: process.env.STAGE, Http__CheckAnswers: 'true', Log__Level: 'WARN' },
  },
});
