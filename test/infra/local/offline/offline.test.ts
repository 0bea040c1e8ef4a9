import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../../infra/local/engine/ports.ts';
import { differences, playSmoke, unexpected } from '../../../smoke/play.ts';
import { killTrees } from '../../process-tree.ts';
import {
  cleanUp,
  type EngineProcess,
  ownEnvironment,
  startEngineProcess,
  temporaryFolder,
} from '../engine/engine-process.ts';

const FRAMEWORK = 'node_modules/serverless/bin/serverless.js';

const started: ChildProcess[] = [];
afterAll(async () => {
  await killTrees(started);
  await cleanUp();
});

/** `npx serverless offline`, on ports that are free. */
function startOffline(...options: readonly string[]) {
  const child = spawn(process.execPath, [FRAMEWORK, 'offline', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...ownEnvironment(), FORCE_COLOR: '0' },
  });
  started.push(child);
  const printed = { error: '' };
  child.stdout.resume();
  child.stderr.on('data', (chunk) => {
    printed.error += chunk;
  });
  const exited = new Promise((done) => {
    child.once('close', (code, signal) => done(code ?? signal));
  });
  return { child, printed, exited };
}

describe('serverless offline', () => {
  const dataDir = temporaryFolder();
  let options: readonly string[];
  let url: string;
  let offline: ReturnType<typeof startOffline>;
  let engine: EngineProcess;

  beforeAll(async () => {
    // Both start at once. The engine is no shared one: a session of the same person would end those of the list.
    engine = await startEngineProcess();
    const [httpPort, websocketPort, lambdaPort] = await Promise.all([freePort(), freePort(), freePort()]);
    const ports = ['--httpPort', httpPort, '--websocketPort', websocketPort, '--lambdaPort', lambdaPort];
    options = [...ports.map(String), '--data', dataDir];
    url = `http://localhost:${httpPort}`;
    offline = startOffline(...options);
    while (!offline.printed.error.includes(`Open ${url}`)) {
      if (offline.child.exitCode !== null) throw new Error(`It did not start: ${offline.printed.error}`);
      await pause(20);
    }
    await engine.ready();
  });

  test('answers as the engine does: every service, files, queues, schedules and a workstation', async () => {
    const [rows, others] = await Promise.all([
      playSmoke({ url, dataDir }),
      // Its workstation needs no second look.
      playSmoke({ url: engine.url }),
    ]);
    expect(unexpected([...rows, ...others])).toEqual([]);
    expect(differences(rows, others)).toEqual([]);
    expect(rows.length).toBeGreaterThan(others.length);
    expect(others.length).toBeGreaterThan(100);
    const shapeOfAgents = rows.find(({ name }) => name === 'agent: sign JSON')?.shape;
    expect(shapeOfAgents).toEqual(others.find(({ name }) => name === 'sign JSON')?.shape);
    // The agent was connected, and its polls are those in which it says hello and good-bye.
    expect(offline.printed.error).toContain('(λ: sessionAgentSocket)');
    expect(offline.printed.error.match(/POST \/session\/agent\/poll/g)).toHaveLength(2);
  });

  test('allows the pages of other origins nothing', async () => {
    const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' };
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await fetch(`${url}/session/healthz`, { method, headers });
      expect([...answer.headers.keys()].filter((name) => name.includes('allow'))).toEqual([]);
    }
  });

  test('says in one line that its port is taken, and leaves the folder of the other one alone', async () => {
    const second = startOffline(...options, '--fresh');
    expect(await second.exited).toBe(1);
    expect(second.printed.error).toMatch(/^Port \d+ is taken by another program\.[^\n]*--httpPort \d+\n$/);
    expect((await fetch(`${url}/session/healthz`)).status).toBe(200);
  });

  test('ends in order at Ctrl-C', async () => {
    expect(existsSync(join(dataDir, 'engine.lock'))).toBe(true);
    offline.child.kill('SIGINT');
    expect(await offline.exited).toBe(0);
    expect(['engine.lock', 'engine.json'].filter((name) => existsSync(join(dataDir, name)))).toEqual([]);
  });
});
