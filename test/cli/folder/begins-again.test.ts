import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { STATE_FILE } from '../../../cli/folder/state.ts';
import { agentProcess, cleanUp } from '../../agent/agent-process.ts';
import { folderStage, readState, removeFolders, run, temporaryFolder } from './folder-run.ts';

const { engine, service, words } = await folderStage();
afterAll(async () => {
  await cleanUp();
  removeFolders();
});

function withFile() {
  const dir = temporaryFolder();
  const name = `${randomUUID()}.txt`;
  writeFileSync(join(dir, name), randomUUID());
  return { dir, name, path: `input/inbox/${name}`, at: (...parts: string[]) => join(dir, ...parts) };
}

describe('npm run folder that ended', () => {
  test('between an upload and its record finds the job, and uploads nothing again', async () => {
    const { dir, name, path, at } = withFile();
    await run(words(dir), { onLine: (line, stop) => line === `${name}: uploaded.` && stop() });
    const left = readState(dir);
    // As it was before the answer of the upload.
    const files = left.files.map(({ etag: _, job: __, ...file }) => ({ ...file, state: 'uploading' }));
    writeFileSync(at(STATE_FILE), JSON.stringify({ ...left, files }));
    const { code, text } = await run(words(dir, '--once'));
    expect(text).not.toContain('uploaded');
    expect(text).toContain(`${name}: signed`);
    expect(code).toBe(0);
    expect(await service.jobsOf(path)).toHaveLength(1);
  });

  test('between a download and its record downloads nothing twice', async () => {
    const { dir, name, at } = withFile();
    expect((await run(words(dir, '--once', '--keep'))).code).toBe(0);
    const left = readState(dir);
    const files = left.files.map((file) => ({ ...file, state: 'waiting' }));
    writeFileSync(at(STATE_FILE), JSON.stringify({ ...left, files }));
    expect((await run(words(dir, '--once'))).code).toBe(0);
    expect(readdirSync(at('signed'))).toEqual([`${name}.p7m`]);
    expect(existsSync(at(name))).toBe(false);
  });

  test('by Ctrl-C ends in order, with what is left in its record', async () => {
    const { dir, name } = withFile();
    const command = agentProcess(words(dir), { VITEST: undefined }, 'cli/folder/folder.ts');
    await command.said(new RegExp(`${name}: signed`));
    command.process.kill('SIGINT');
    expect(await command.exited).toBe(0);
    expect(readdirSync(dir).toSorted()).toEqual([STATE_FILE, 'signed']);
  });
});

describe('npm run folder does not begin', () => {
  const refused = async (...given: string[]): Promise<string> => {
    const { code, text } = await run(given);
    expect(code).toBe(2);
    return text;
  };

  test('without a directory, a folder, or an engine', async () => {
    const dir = temporaryFolder();
    expect((await run([])).text).toContain('npm run folder -- DIR --folder NAME');
    expect(await refused('--folder', 'inbox')).toBe(
      'Name the directory to synchronize. See: npm run folder -- --help',
    );
    expect(await refused(dir)).toContain('--folder NAME');
    expect(await refused(join(dir, 'none'), '--folder', 'inbox')).toContain('there is no such file');
    expect(await refused(dir, '--folder', 'inbox', '--data', dir)).toContain(
      `No engine is running on ${dir}`,
    );
    expect(await refused(dir, '--folder', 'inbox', '--output', dir)).toContain('--output names DIR itself');
    expect(await refused(dir, '--folder', 'inbox', '--stage', 'prod')).toContain('--url');
  });

  test('with a folder that the service does not have', async () => {
    const text = await refused(temporaryFolder(), '--folder', 'none', '--data', engine.dataDir);
    expect(text).toContain('The service has no input folder none. It has: inbox, remessas, spare.');
  });

  test('with another key than the operator’s', async () => {
    process.env.WRONG_KEY = 'wrong';
    const text = await refused(...words(temporaryFolder(), '--key-env', 'WRONG_KEY'));
    expect(text).toContain('refuses the operator key (401)');
  });

  test('on a directory that is synchronized with another folder, or whose record cannot be read', async () => {
    const { dir, at } = withFile();
    await run(words(dir, '--once'));
    const other = [dir, '--folder', 'remessas', '--data', engine.dataDir];
    expect(await refused(...other)).toContain(`${dir} is synchronized with the folder inbox of`);
    writeFileSync(at(STATE_FILE), '{');
    expect(await refused(...other)).toContain(`${at(STATE_FILE)} cannot be read. Remove it`);
    expect(readFileSync(at(STATE_FILE), 'utf8')).toBe('{');
    rmSync(at(STATE_FILE));
  });

  test('with a folder that no profile has selected, and with --once gives up', async () => {
    const { dir, name, at } = withFile();
    let nowMs = Date.now();
    const given = [dir, '--folder', 'spare', '--data', engine.dataDir, '--once'];
    const { code, text } = await run(given, { now: () => nowMs, onPause: () => (nowMs += 60_000) });
    expect(text).toContain('No profile has selected the folder spare yet');
    expect(code).toBe(2);
    expect(existsSync(at(name))).toBe(true);
  });
});
