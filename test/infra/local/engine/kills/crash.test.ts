import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readEngine } from '../../../../../infra/local/engine/engine-file.ts';
import { freePort } from '../../../../../infra/local/engine/ports.ts';
import {
  cleanUp,
  type EngineProcess,
  isAlive,
  startEngineProcess,
  temporaryFolder,
} from '../engine-process.ts';

afterAll(cleanUp);

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
  test('killing npm ends it, whatever stands between them', async () => {
    const port = await freePort();
    const dataDir = temporaryFolder();
    const readyFile = join(temporaryFolder(), 'ready');
    const flags = ['--port', String(port), '--data', dataDir, '--ready-file', readyFile];
    const npm = spawn('npm', ['start', '--', ...flags], { stdio: 'ignore' });
    await expect.poll(() => existsSync(readyFile)).toBe(true);
    const engine = readEngine(dataDir)?.pid ?? 0;
    expect(isAlive(engine)).toBe(true);
    npm.kill('SIGKILL');
    await expect.poll(() => isAlive(engine)).toBe(false);
    expect(existsSync(readyFile)).toBe(false);
  });

  // kill -9 at two moments, each time followed by a start on the same port and folder with no pause:
  //
  //   engine    |--start-- kill -9
  //   engine    |--ready--post, post, post-- kill -9
  //   functions |---------------------------- notice, exit
  //   engine                                 |--start: waits for the port, takes the lock over--ready--|
  test('kill -9 loses nothing that was acknowledged, and the next start just works', {
    timeout: 360_000,
  }, async () => {
    const early = await startEngineProcess();
    await expect.poll(() => childrenOf(early.process.pid)).not.toEqual([]);
    early.process.kill('SIGKILL');
    const { port, dataDir } = early;

    const busy = await startEngineProcess({ port, dataDir });
    await busy.ready();
    const children = childrenOf(busy.process.pid);
    const acknowledged: string[] = [];
    const posting = postUntilGone(busy, acknowledged);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(20);
    const gone = once(busy.process, 'exit');
    busy.process.kill('SIGKILL');
    await gone;
    expect(readEngine(dataDir)).toBeUndefined();
    const last = await startEngineProcess({ port, dataDir });
    await posting;
    await last.ready();
    await expect.poll(() => children.filter(isAlive)).toEqual([]);
    // The receiver lists its newest hundred.
    expect(await missingFrom(last, acknowledged.slice(-90))).toEqual([]);

    // And when its functions die, the engine says so and ends.
    const [functions = 0] = childrenOf(last.process.pid);
    process.kill(functions, 'SIGKILL');
    expect(await last.exited).toBe(1);
    expect(last.printed.error).toMatch(/^The functions' process ended by itself\. .*engine\.log\.\n$/);
  });
});
