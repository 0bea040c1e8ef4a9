import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { readEngine } from '../../../../infra/local/engine/engine-file.ts';
import { freePort } from '../../../../infra/local/engine/ports.ts';
import {
  cleanUp,
  type EngineProcess,
  isAlive,
  startEngineProcess,
  temporaryFolder,
} from './engine-process.ts';

const START_MS = 60_000;
afterAll(cleanUp, START_MS);

const childrenOf = (pid: number | undefined): number[] =>
  execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number);

/** Posts one after the other until the engine is gone; what it answered is what it must keep. */
async function postUntilGone({ url }: EngineProcess, acknowledged: string[]): Promise<void> {
  for (let number = 0; ; number++) {
    try {
      const body = `delivery ${number}`;
      const answer = await fetch(`${url}/sandbox/receiver/crash`, { method: 'POST', body });
      if (answer.ok) acknowledged.push(body);
    } catch {
      return;
    }
  }
}

async function missingFrom({ url }: EngineProcess, acknowledged: string[]): Promise<string[]> {
  const listed = await (await fetch(`${url}/sandbox/receiver/crash`)).text();
  return acknowledged.filter((body) => !listed.includes(`"${body}"`));
}

describe('when an engine ends without being told', () => {
  //   npm -- sh -- engine -- functions
  //    kill -9      |------------| notice, stop
  test('killing npm ends it, whatever stands between them', { timeout: START_MS }, async () => {
    const port = await freePort();
    const dataDir = temporaryFolder();
    const readyFile = join(temporaryFolder(), 'ready');
    const flags = ['--port', String(port), '--data', dataDir, '--ready-file', readyFile];
    const npm = spawn('npm', ['start', '--', ...flags], { stdio: 'ignore' });
    await vi.waitFor(() => expect(existsSync(readyFile)).toBe(true), { timeout: START_MS });
    const engine = readEngine(dataDir)?.pid ?? 0;
    expect(isAlive(engine)).toBe(true);
    npm.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(engine)).toBe(false), { timeout: START_MS });
    expect(existsSync(readyFile)).toBe(false);
  });

  // kill -9 at three moments, each time followed by a start on the same port and folder with no pause:
  //
  //   engine    |--start-- kill -9
  //   engine    |--ready, idle-- kill -9
  //   engine    |--ready--post, post, post-- kill -9
  //   functions |---------------------------- notice, exit
  //   engine                                 |--start: waits for the port, takes the lock over--ready--|
  test('kill -9 loses nothing that was acknowledged, and the next start just works', {
    timeout: 3 * START_MS,
  }, async () => {
    const early = await startEngineProcess();
    await vi.waitFor(() => childrenOf(early.process.pid), { timeout: START_MS });
    early.process.kill('SIGKILL');
    const { port, dataDir } = early;

    const idle = await startEngineProcess({ port, dataDir });
    await idle.ready();
    const children = childrenOf(idle.process.pid);
    idle.process.kill('SIGKILL');
    await vi.waitFor(() => expect(children.filter(isAlive)).toEqual([]), { timeout: 3000 });
    expect(readEngine(dataDir)).toBeUndefined();

    const busy = await startEngineProcess({ port, dataDir });
    await busy.ready();
    const acknowledged: string[] = [];
    const posting = postUntilGone(busy, acknowledged);
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(20), { timeout: 20_000 });
    busy.process.kill('SIGKILL');
    const last = await startEngineProcess({ port, dataDir });
    await posting;
    await last.ready();
    // The receiver lists its newest hundred.
    expect(await missingFrom(last, acknowledged.slice(-90))).toEqual([]);

    // And when its functions die, the engine says so and ends.
    const [functions = 0] = childrenOf(last.process.pid);
    process.kill(functions, 'SIGKILL');
    expect(await last.exited).toBe(1);
    expect(last.printed.error).toMatch(/^The functions' process ended by itself\. .*engine\.log\.\n$/);
  });
});
