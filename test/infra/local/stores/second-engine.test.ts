import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { readEngine } from '../../../../infra/local/engine/engine-file.ts';
import { sharedEngine } from '../../../servers/shared-engine.ts';

const MIN_TESTS = 100;

// Some of each kind, none of which takes long: all of them run against the same stores in this suite. Without arguments,
// npm run test:stores runs all.
const SUITES = [
  ...['store/collection', 'store/commit', 'store/lease', 'store/rate-window', 'files/files', 'queue/consume'],
  ...['queue/outbox', 'queue/send', 'webhooks/registrations/registrations'],
].map((name) => `test/shared/${name}.test.ts`);

// Others run beside it.
const ONE_WORKER = ['run', 'test:stores', '--', '--maxWorkers=1'];

test('the suites of store, files, queue and webhooks pass against the stores of another engine', async () => {
  const { dataDir } = await sharedEngine();
  const { stdout, code } = await run([...ONE_WORKER, ...SUITES], readEngine(dataDir)?.env);
  const [, passed] = /Tests\s+(\d+) passed/.exec(stdout) ?? [];
  expect(code, stdout).toBe(0);
  expect(Number(passed)).toBeGreaterThan(MIN_TESTS);
  expect(stdout).toMatch(/Removed \d+ tables, \d+ buckets and \d+ queues of the stage stores-/);
}, 600_000);

const NO_ENDPOINTS = { AWS_ENDPOINT_URL_DYNAMODB: '', AWS_ENDPOINT_URL_S3: '', AWS_ENDPOINT_URL_SQS: '' };

test('without an endpoint the suites run against the embedded stores', async () => {
  const { stdout, code } = await run([...ONE_WORKER, ...SUITES.slice(0, 2)], NO_ENDPOINTS);
  expect(code, stdout).toBe(0);
  expect(stdout).toContain('Removed the embedded stores in ');
});

test('a run on AWS without an account stops, and says what to set', async () => {
  const { stdout, code } = await run(['run', 'test:stores'], {
    ...NO_ENDPOINTS,
    STORES: 'aws',
    AWS_REGION: '',
  });
  expect(code).not.toBe(0);
  expect(stdout).toContain('No account is named. Set AWS_REGION');
});

/** `npm`, with its output in one text. What the runner of this test has set for its own workers is not handed on. */
async function run(args: readonly string[], env: Record<string, string> = {}) {
  const ours = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|TEST|NODE_ENV|STORES_TEMPLATE|SINETE_STORES|Stores__)/.test(name),
  );
  const child = spawn('npm', args, {
    env: { ...Object.fromEntries(ours), NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  const keep = (chunk: Buffer): void => {
    stdout += chunk.toString();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const [code] = await once(child, 'close');
  return { stdout, code: code as number };
}
