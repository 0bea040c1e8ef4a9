import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/runner/longest-first.ts';
import { Summary } from './test/runner/summary.ts';

// Real processes that are killed, cut off or flooded, and races of hundreds, some for a minute: nightly and before a release. In every run one
// engine is killed at work (engine.test.ts), and so is a writer of the embedded stores.
const KILLS = [
  'test/cli/{folder,keys}/killed.test.ts',
  'test/functions/documents/endpoints/flows/raced-often.test.ts',
  'test/functions/sandbox/authority/killed.test.ts',
  'test/infra/local/console-crash/*.test.ts',
  'test/infra/local/engine/kills/*.test.ts',
];

// A process for each file: engines, hosts, builds and commands, which take a process's folder, its exit code and
// its signals; agents, whose modules of PKCS#11 leave errors to the OpenSSL of their process; and those that measure the
// memory of theirs. What they set and leave would be found by the next file.
const ALONE = [
  'test/agent/{certificates,commands,custody,installed,reconnect,tokens}.test.ts',
  'test/cli/{agent,folder}/*.test.ts',
  'test/clients/typescript/packed.test.ts',
  'test/cli/*.test.ts',
  'test/contract/*.test.ts',
  'test/docs/docs.test.ts',
  'test/infra/{invoke,packaging}.test.ts',
  'test/infra/build/{build,package}.test.ts',
  'test/infra/plugins/stage-settings.test.ts',
  'test/infra/templates/templates.test.ts',
  'test/infra/host/{backup,connections,host,sample-events,start}.test.ts',
  'test/infra/local/engine/{engine,refusals}.test.ts',
  'test/infra/local/offline/offline.test.ts',
  'test/infra/local/stores/second-engine.test.ts',
  'test/shared/files/put-and-get.test.ts',
  'test/shared/platform/streams.test.ts',
];

// Files of a process share what it has loaded, and its Chromium (openBrowser).
const BROWSER = ['test/browser/**/*.test.ts'];

// The product by its documents alone, over HTTP: npm run test:outside.
const OUTSIDE = ['test/outside/**/*.test.ts'];

// Mathematics and parsing: nothing here has a setting, a store or a clock of its own to be made fresh for a file, but
// for one that opens its stores itself.
const PURE = ['archive', 'bounds', 'der', 'pki', 'signing', 'taxpayer'].map(
  (part) => `test/shared/${part}/**/*.test.ts`,
);

// On a DynamoDB that cancels transactions that meet and throttles partition keys, as AWS does.
const STORE = ['test/shared/store/**/*.test.ts'];

// Nearly all files load the same libraries.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/sinete/compiled-for-tests');

const PLAIN_STORES = 'test/stores/use-stores.ts';
const STRICT_STORES = 'test/stores/use-strict-stores.ts';
// Where files share a process.
const FRESH = 'test/runner/fresh-file.ts';

// A file for the whole report, which .ci/run names.
const { TEST_RESULTS: outputFile } = process.env;

export default defineConfig({
  // The client as its sources are, and not as it was built.
  resolve: {
    alias: {
      '@sinete/client/webhooks': resolve('clients/typescript/src/webhooks/index.ts'),
      '@sinete/client': resolve('clients/typescript/src/index.ts'),
    },
  },
  test: {
    reporters: ['default', new Summary(), ...(outputFile ? ['json'] : [])],
    ...(outputFile && { outputFile: { json: outputFile } }),
    globalSetup: ['test/stores/stores-template.ts'],
    // Tests wait for browsers, engines and agents: with two at a time, two cores are not always busy. One number for all
    // projects: with another one, the last files of a project would be waited for before the next begins.
    maxWorkers: 5,
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
      { extends: true, test: { name: 'alone', include: ALONE, exclude: KILLS, setupFiles: [PLAIN_STORES] } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: BROWSER,
          isolate: false,
          setupFiles: [PLAIN_STORES, FRESH],
        },
      },
      {
        extends: true,
        test: {
          name: 'house',
          include: ['test/**/*.test.ts'],
          exclude: [...ALONE, ...BROWSER, ...KILLS, ...OUTSIDE, ...PURE, ...STORE],
          isolate: false,
          setupFiles: [PLAIN_STORES, FRESH],
        },
      },
      {
        extends: true,
        test: {
          name: 'store',
          include: STORE,
          isolate: false,
          setupFiles: [STRICT_STORES, FRESH],
        },
      },
      // By Node's own import: through the module runner, every call of a function of another module is a lookup more.
      {
        extends: true,
        test: { name: 'pure', include: PURE, isolate: false, experimental: { viteModuleRunner: false } },
      },
      // One engine for all files, one file after the other: what one file does to the limits of an address or an application,
      // and to the speed of the engine, is no matter of the next. Nothing of the sources is loaded.
      {
        test: {
          name: 'outside',
          include: OUTSIDE,
          globalSetup: ['test/outside/support/shared-engine.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 60_000, interval: 100 } },
        },
      },
      { extends: true, test: { name: 'kills', include: KILLS, setupFiles: [PLAIN_STORES] } },
    ],
  },
});
