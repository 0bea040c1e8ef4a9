import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';
import { Summary } from './test/summary.ts';

// Engines, browsers and commands: they take a process's folder, its exit code and its signals.
const WHOLE = [
  ...['agent', 'browser', 'cli', 'contract', 'docs', 'examples'].map((part) => `test/${part}/**/*.test.ts`),
  ...['infra', 'infra/{host,local/{engine,kill,offline,seed,stores}}'].map(
    (part) => `test/${part}/*.test.ts`,
  ),
];

// They measure the memory of their process, which is to be nobody else's.
const MEASURED = ['test/shared/files/put-and-get.test.ts', 'test/shared/platform/streams.test.ts'];

// Mathematics and parsing: nothing here has a setting, a store or a clock of its own to be made fresh for a file.
const PURE = ['der', 'pki', 'signing', 'taxpayer'].map((part) => `test/shared/${part}/**/*.test.ts`);

// On a DynamoDB that cancels transactions that meet and throttles partition keys, as AWS does.
const STORE = ['test/shared/store/**/*.test.ts'];

// With another number of workers than the first project has.
const AFTER_WHOLE = { groupOrder: 1 };

// Nearly all files load the same libraries.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/sinete/compiled-for-tests');

// A file for the whole report, which .ci/run names.
const { TEST_RESULTS: outputFile } = process.env;

export default defineConfig({
  test: {
    reporters: ['default', new Summary(), ...(outputFile ? [['json', { outputFile }] as const] : [])],
    globalSetup: ['test/stores-template.ts'],
    setupFiles: ['test/use-stores.ts'],
    // Tests wait for stores: with two at a time, two cores are not always busy.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A busy machine takes longer than the usual second; what never comes still fails.
    expect: { poll: { timeout: 60_000, interval: 50 } },
    // Bundles are run as Node runs them, and not transformed as sources are.
    server: { deps: { external: [/\/sinete-(unpacked|repository)-/] } },
    env: {
      STAGE: 'local',
      Http__CheckAnswers: 'true',
      Log__Level: 'WARN',
      // Nothing sends heartbeats here, and some tests go minutes ahead.
      Cluster__InstanceName: 'main',
      Cluster__StaleAfterSeconds: '3600',
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'whole',
          include: [...WHOLE, ...MEASURED],
          // They wait for browsers, engines and agents longer than others do for stores.
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
          // In CI one that fails is tried once more, and the output says "retry x1" beside it: it depends on luck, and is
          // to be mended. On a developer's machine it fails.
          retry: process.env.CI ? 1 : 0,
        },
      },
      {
        extends: true,
        test: {
          name: 'house',
          include: ['test/**/*.test.ts'],
          exclude: [...WHOLE, ...MEASURED, ...PURE, ...STORE],
          isolate: false,
          setupFiles: ['test/use-stores.ts', 'test/fresh-file.ts'],
          sequence: AFTER_WHOLE,
        },
      },
      {
        extends: true,
        test: {
          name: 'store',
          include: STORE,
          isolate: false,
          setupFiles: ['test/use-strict-stores.ts', 'test/fresh-file.ts'],
          sequence: AFTER_WHOLE,
        },
      },
      {
        extends: true,
        test: { name: 'pure', include: PURE, isolate: false, sequence: AFTER_WHOLE },
      },
    ],
  },
});
