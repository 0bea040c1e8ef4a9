import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { STATE_FILE } from '../../../cli/folder/state.ts';
import { agentProcess, cleanUp } from '../../agent/agent-process.ts';
import { startEngineProcess, cleanUp as stopEngines } from '../../infra/local/engine/engine-process.ts';
import { folderStage, readState, removeFolders, run, temporaryFolder } from './folder-run.ts';

const SCRIPT = 'cli/folder/folder.ts';

const { service, words } = await folderStage();
afterAll(async () => {
  await cleanUp();
  await stopEngines();
  removeFolders();
});
/** The command as a process of its own. */
const start = (...given: Parameters<typeof words>) =>
  agentProcess(words(...given), { VITEST: undefined }, SCRIPT);

function withFile(content: string | Uint8Array = randomUUID()) {
  const dir = temporaryFolder();
  const name = `${randomUUID()}.txt`;
  writeFileSync(join(dir, name), content);
  return { dir, name, path: `input/inbox/${name}`, at: (...parts: string[]) => join(dir, ...parts) };
}

/** Waits for what another process does to a directory. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(5);
}
const stateOf = (dir: string): unknown =>
  existsSync(join(dir, STATE_FILE)) ? readState(dir).files[0]?.state : undefined;

/** A file whose command was killed in this state. A command that is past it when the kill comes is followed by another. */
async function killedIn(state: 'uploading' | 'waiting', content?: Uint8Array) {
  for (;;) {
    const file = withFile(content);
    const command = start(file.dir);
    const before: unknown[] = state === 'uploading' ? [undefined] : [undefined, 'uploading'];
    await until(() => !before.includes(stateOf(file.dir)) || command.process.exitCode !== null);
    await command.kill();
    const isSigned = existsSync(file.at('signed')) || !existsSync(file.at(file.name));
    if (stateOf(file.dir) === state && !isSigned) return file;
    if (command.process.exitCode !== null) throw new Error(command.printed());
  }
}

describe('npm run folder that is killed', () => {
  test('after an upload continues: the file is signed once', async () => {
    const { dir, name, path } = await killedIn('waiting');
    const second = start(dir, '--once');
    expect(await second.exited).toBe(0);
    expect(second.printed()).toContain(`${name}: signed`);
    expect(second.printed()).not.toContain(`${name}: uploaded`);
    expect(await service.jobsOf(path)).toMatchObject([{ status: 'Completed' }]);
    expect(readdirSync(dir).toSorted()).toEqual([STATE_FILE, 'signed']);
  });

  test('in the middle of an upload uploads again: the folder never holds a part of a file', async () => {
    const { dir, name, path, at } = await killedIn('uploading', Buffer.alloc(20_000_000, 7));
    const second = start(dir, '--once');
    expect(await second.exited).toBe(0);
    expect(await service.jobsOf(path)).toMatchObject([{ status: 'Completed' }]);
    expect(readdirSync(at('signed'))).toEqual([`${name}.p7m`]);
  });

  test('leaves a lock that holds nobody up; two at a time are refused', async () => {
    const { dir, name } = withFile();
    const first = start(dir);
    await first.said(new RegExp(`${name}: uploaded`));
    const second = await run(words(dir, '--once'));
    expect(second.text).toContain(
      `${dir} is synchronized by another npm run folder (process ${first.process.pid})`,
    );
    expect(second.code).toBe(2);
    await first.kill();
    expect((await run(words(dir, '--once'))).code).toBe(0);
  });
});

describe('npm run folder while the engine is stopped and started', () => {
  test('waits, finds the stores at their new ports, and goes on', async () => {
    const first = await startEngineProcess();
    await first.ready();
    const { dir, name, at } = withFile();
    const later = `later-${name}`;
    const restarted = Promise.withResolvers<void>();
    // Complained of once, or again where an answer came in between.
    let isRestarting = false;
    const running = run([dir, '--folder', 'inbox', '--data', first.dataDir], {
      onLine(line, stop) {
        if (line.startsWith(`${name}: signed`)) {
          first.process.kill('SIGTERM');
          writeFileSync(at(later), 'later');
        }
        if (line.includes('It is tried again.') && !isRestarting) {
          isRestarting = true;
          first.exited
            .then(() => startEngineProcess({ dataDir: first.dataDir }))
            .then(({ ready }) => ready())
            .then(restarted.resolve, restarted.reject);
        }
        if (line.startsWith(`${later}: signed`)) stop();
      },
    });
    await restarted.promise;
    const { code, text } = await running;
    expect(text).toContain('The service answers.');
    expect(code).toBe(0);
    expect(existsSync(at('signed', `${later}.p7m`))).toBe(true);
    expect(existsSync(at(later))).toBe(false);
  });
});
