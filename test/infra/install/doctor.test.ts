import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../infra/local/engine/ports.ts';

const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
const port = await freePort();
const taken = createServer();
beforeAll(() => new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  taken.close();
  rmSync(folder, { recursive: true, force: true });
});
const takenPort = (): number => (taken.address() as { port: number }).port;

type Visit = { args?: readonly string[]; env?: Readonly<Record<string, string>> };

function ask({ args = [], env = {} }: Visit = {}): { status: number | null; text: string } {
  const all = ['infra/install/doctor.mjs', '--port', String(port), '--data', join(folder, 'data'), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, {
    encoding: 'utf8',
    env: { ...process.env, npm_config_user_agent: 'npm/11.0.0 node/v20.20.2 linux arm64', ...env },
  });
  return { status, text: stdout + stderr };
}

test('a machine on which npm start works is told so', () => {
  const { status, text } = ask();
  expect([status, text.includes('`npm start` works on this machine.')]).toEqual([0, true]);
  expect(text).toContain('Node 20.20.2 runs npm.');
  expect(text).toContain('Packages are as package-lock.json says.');
});

test('tools that only tests or examples use are named with their use, and do not fail it', () => {
  mkdirSync(join(folder, 'bin'));
  const { status, text } = ask({ env: { PATH: join(folder, 'bin') } });
  expect(status).toBe(0);
  expect(text).toContain('MISSING  qpdf, for the structure of PDFs. On Debian: apt-get install qpdf');
  expect(text).toContain('MISSING  openssl, for the example with two signers');
});

test('a port that another program has fails it, with a way on; one that an engine of ours has does not', () => {
  const port = String(takenPort());
  const { status, text } = ask({ args: ['--port', port] });
  expect(status).toBe(1);
  expect(text).toContain(`MISSING  Port ${port} is taken by another program.`);
  expect(text).toContain(`npm start -- --port ${takenPort() + 100}`);

  const data = join(folder, 'running');
  mkdirSync(data);
  writeFileSync(
    join(data, 'engine.json'),
    JSON.stringify({ port: takenPort(), url: `http://localhost:${port}` }),
  );
  const running = ask({ args: ['--port', port, '--data', data] });
  expect([running.status, running.text.includes('An engine runs already')]).toEqual([0, true]);
});

test('a Node that is too old fails it', () => {
  const { status, text } = ask({ env: { npm_config_user_agent: 'npm/9.0.0 node/v18.19.0 linux x64' } });
  expect(status).toBe(1);
  expect(text).toContain('MISSING  Node 18.19.0 is too old. Install Node 24');
});

test('a data folder that cannot be made fails it', () => {
  writeFileSync(join(folder, 'file'), '');
  const { status, text } = ask({ args: ['--data', join(folder, 'file/data')] });
  expect(status).toBe(1);
  expect(text).toContain(`MISSING  ${join(folder, 'file')} is a file`);
});

// A file system of its own, in which nothing can be kept.
test('the disk is that of the data folder, before there is one', () => {
  const { status, text } = ask({ args: ['--data', '/proc/data'] });
  expect(status).toBe(1);
  expect(text).toContain('MISSING  The disk has 0 MB left');
});

test('a mistyped flag is one line', () => {
  const { status, text } = ask({ args: ['--prot', '1'] });
  expect([status, text.trim().split('\n').length]).toEqual([1, 1]);
});
