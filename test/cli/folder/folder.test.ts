import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STATE_FILE } from '../../../cli/folder/state.ts';
import { readEngine } from '../../../infra/local/engine/engine-file.ts';
import { useStores } from '../../../infra/local/stores/endpoints.ts';
import { files } from '../../../shared/files/files.ts';
import { type SharedEngine, sharedEngine } from '../../servers/shared-engine.ts';
import { readState, removeFolders, run, serviceOf, sha256, temporaryFolder } from './folder-run.ts';

let engine: SharedEngine;
let service: ReturnType<typeof serviceOf>;
beforeAll(async () => {
  engine = await sharedEngine();
  service = serviceOf(engine);
  useStores(readEngine(engine.dataDir)?.env ?? {});
});
afterAll(removeFolders);

const words = (dir: string, ...more: string[]): string[] => [
  dir,
  ...['--folder', 'inbox', '--data', engine.dataDir, ...more],
];
/** A directory with a file whose name is this test's own. */
function withFile(content = `content ${randomUUID()}`, extension = 'txt') {
  const dir = temporaryFolder();
  const name = `${randomUUID()}.${extension}`;
  writeFileSync(join(dir, name), content);
  return { dir, name, path: `input/inbox/${name}`, at: (...parts: string[]) => join(dir, ...parts) };
}

describe('npm run folder', () => {
  test('uploads the files of a directory, downloads the signed ones and removes the originals', async () => {
    const { dir, name, path, at } = withFile();
    writeFileSync(at('second.txt'), randomUUID());
    renameSync(at('second.txt'), at(`second-${name}`));
    const { code, text } = await run(words(dir, '--once'));
    expect(text).toContain(`${name}: uploaded.`);
    expect(text).toContain(`${name}: signed, ${at('signed', `${name}.p7m`)}`);
    expect(code).toBe(0);
    expect(readdirSync(at('signed')).toSorted()).toEqual([`${name}.p7m`, `second-${name}.p7m`].toSorted());
    expect(readdirSync(dir).toSorted()).toEqual([STATE_FILE, 'signed']);
    expect(readState(dir).files).toEqual([]);
    expect(await service.jobsOf(path)).toMatchObject([{ status: 'Completed' }]);
  });

  test('writes the signed files to the directory of --output, and leaves the originals with --keep', async () => {
    const { dir, name, path, at } = withFile();
    const output = join(temporaryFolder(), 'new');
    expect((await run(words(dir, '--once', '--keep', '--output', output))).code).toBe(0);
    expect(readdirSync(output)).toEqual([`${name}.p7m`]);
    expect(existsSync(at(name))).toBe(true);
    // Touched, it is not new.
    utimesSync(at(name), 1, 1);
    expect((await run(words(dir, '--once', '--keep', '--output', output))).code).toBe(0);
    expect(await service.jobsOf(path)).toHaveLength(1);
  });

  test('takes a file that is written slowly only when it is whole', async () => {
    const { dir, name, path, at } = withFile('0');
    let content = '0';
    const { code, text } = await run(words(dir, '--once'), {
      onPause(number) {
        if (number > 12) return;
        content += number;
        appendFileSync(at(name), String(number));
        expect(existsSync(at(STATE_FILE)) && readState(dir).files.length > 0).toBe(false);
      },
    });
    expect(code).toBe(0);
    expect(text.split(`${name}: uploaded.`)).toHaveLength(2);
    const [job, ...more] = await service.jobsOf(path);
    expect(more).toEqual([]);
    expect(await service.job(job?.id ?? '')).toMatchObject({ inputSha256: sha256(content) });
  });

  test('gives up a file that is still being written after a minute, and says so', async () => {
    const { dir, name, path, at } = withFile('0');
    let nowMs = Date.now();
    const onPause = () => {
      nowMs += 500;
      appendFileSync(at(name), '.');
    };
    const { code, text } = await run(words(dir, '--once'), { onPause, now: () => nowMs });
    expect(text).toContain(`${name}: is still being written.`);
    expect(code).toBe(1);
    expect(existsSync(at(name))).toBe(true);
    expect(await service.jobsOf(path)).toEqual([]);
  });

  test('follows a file that is renamed after its upload: it is signed once, and removed', async () => {
    const { dir, name, path, at } = withFile();
    const { code, text } = await run(words(dir, '--once'), {
      onLine: (line) => line === `${name}: uploaded.` && renameSync(at(name), at('renamed.txt')),
    });
    expect(text).toContain(`${name}: is renamed.txt now.`);
    expect(code).toBe(0);
    expect(existsSync(at('renamed.txt'))).toBe(false);
    expect(readdirSync(at('signed'))).toEqual([`${name}.p7m`]);
    expect(await service.jobsOf(path)).toHaveLength(1);
    expect(await service.jobsOf('input/inbox/renamed.txt')).toEqual([]);
  });

  test('takes a file that is renamed before its upload under its new name alone', async () => {
    const { dir, name, path, at } = withFile();
    const renamed = `renamed-${name}`;
    const onPause = (number: number) => number === 1 && renameSync(at(name), at(renamed));
    expect((await run(words(dir, '--once'), { onPause })).code).toBe(0);
    expect(await service.jobsOf(path)).toEqual([]);
    expect(await service.jobsOf(`input/inbox/${renamed}`)).toHaveLength(1);
  });

  test('downloads the signed file of one that was removed after its upload', async () => {
    const { dir, name, at } = withFile();
    const onLine = (line: string) => line === `${name}: uploaded.` && rmSync(at(name));
    expect((await run(words(dir, '--once'), { onLine })).code).toBe(0);
    expect(readdirSync(at('signed'))).toEqual([`${name}.p7m`]);
    expect(readState(dir).files).toEqual([]);
  });

  test('forgets a file that is removed before its upload', async () => {
    const { dir, name, path, at } = withFile();
    const onPause = (number: number) => number === 1 && rmSync(at(name));
    expect((await run(words(dir, '--once'), { onPause })).code).toBe(0);
    expect(await service.jobsOf(path)).toEqual([]);
  });

  test('never removes a file that was changed after its upload: it is another file, and its name is taken', async () => {
    const { dir, name, path, at } = withFile('first');
    const { code, text } = await run(words(dir, '--once'), {
      onLine: (line) => line === `${name}: uploaded.` && writeFileSync(at(name), 'rewritten'),
    });
    expect(text).toContain(`${name}: was changed after its upload, and stays.`);
    expect(text).toContain(`${name}: failed, file.already-processed: `);
    expect(code).toBe(1);
    expect(readFileSync(at(name), 'utf8')).toBe('rewritten');
    expect((await service.jobsOf(path)).map(({ status }) => status)).toEqual(['Failed', 'Completed']);
  });

  test('shows the code and message of a failed job, leaves the file, and does not try it again unchanged', async () => {
    const { dir, name, path, at } = withFile('no PDF', 'pdf');
    const { code, text } = await run(words(dir, '--once'));
    expect(text).toMatch(new RegExp(`${name}: failed, [a-z0-9.-]+: .+ The file stays\\.`));
    expect(text).toContain(`Not signed: ${name}`);
    expect(code).toBe(1);
    expect(readFileSync(at(name), 'utf8')).toBe('no PDF');
    const putAt = await service.putAt(path);
    const again = await run(words(dir, '--once'));
    expect(again.code).toBe(1);
    expect(again.text).not.toContain('uploaded');
    expect(await service.putAt(path)).toEqual(putAt);

    // Corrected, it replaces the one that this directory put into the folder. A rescan of all folders, which a test of the
    // dashboard asks for, may have tried the first one again.
    writeFileSync(at(name), readFileSync('examples/two-signers/contract.pdf'));
    expect((await run(words(dir, '--once'))).code).toBe(0);
    const [newest, ...earlier] = await service.jobsOf(path);
    expect(newest).toMatchObject({ status: 'Completed' });
    expect(new Set(earlier.map(({ status }) => status))).toEqual(new Set(['Failed']));
    expect(readdirSync(at('signed'))).toEqual([name.replace('.pdf', '.signed.pdf')]);
  });

  test('takes a failed file under a new name as another file', async () => {
    const { dir, name, at } = withFile();
    expect((await run(words(dir, '--once'))).code).toBe(0);
    writeFileSync(at(name), 'another of the same name');
    expect((await run(words(dir, '--once'))).text).toContain('file.already-processed');
    renameSync(at(name), at(`new-${name}`));
    expect((await run(words(dir, '--once'))).code).toBe(0);
    expect(readdirSync(at('signed')).toSorted()).toEqual([`${name}.p7m`, `new-${name}.p7m`].toSorted());
  });

  test('never replaces a file that another program put into the folder', async () => {
    const { dir, name, path, at } = withFile('ours', 'pdf');
    await files('batch').put(path, Buffer.from('of another program, and no PDF'), {
      contentType: 'application/pdf',
    });
    let nowMs = Date.now();
    const onPause = () => {
      nowMs += 1_000;
    };
    const { code, text } = await run(words(dir, '--once'), { onPause, now: () => nowMs });
    expect(text.split(`${name}: waits: another file of its name is in the folder.`)).toHaveLength(2);
    expect(code).toBe(1);
    expect(readFileSync(at(name), 'utf8')).toBe('ours');
    expect((await files('batch').read(path, 1_000))?.toString()).toBe('of another program, and no PDF');
  });

  test('leaves a file in whose place another one was signed', async () => {
    const { dir, name, at } = withFile('of another program');
    await run(words(dir), { onLine: (line, stop) => line === `${name}: uploaded.` && stop() });
    // As if this directory had put another content into the folder, and the other program had replaced it.
    writeFileSync(at(name), 'ours');
    const { size: length, mtimeMs, ino } = statSync(at(name));
    const left = readState(dir);
    const files = left.files.map((file) => ({ ...file, length, mtimeMs, ino, sha256: sha256('ours') }));
    writeFileSync(at(STATE_FILE), JSON.stringify({ ...left, files }));
    const { code, text } = await run(words(dir, '--once'));
    expect(text).toContain(`${name}: failed, another program put a file of its name into the folder`);
    expect(code).toBe(1);
    expect(readFileSync(at(name), 'utf8')).toBe('ours');
    expect(existsSync(at('signed'))).toBe(false);
  });

  test('finds the job of a file that is in the folder already, when its own record is lost', async () => {
    const { dir, name, path, at } = withFile('no PDF either', 'pdf');
    expect((await run(words(dir, '--once'))).code).toBe(1);
    const putAt = await service.putAt(path);
    rmSync(at(STATE_FILE));
    const { code, text } = await run(words(dir, '--once'));
    expect(text).toContain(`${name}: in the folder already.`);
    expect(text).toContain(`${name}: failed, `);
    expect(code).toBe(1);
    expect(await service.putAt(path)).toEqual(putAt);
  });

  test('replaces no file of the output directory', async () => {
    const { dir, name, at } = withFile();
    mkdirSync(at('signed'));
    writeFileSync(at('signed', `${name}.p7m`), 'kept');
    expect((await run(words(dir, '--once'))).text).toContain(at('signed', `${name} (2).p7m`));
    expect(readFileSync(at('signed', `${name}.p7m`), 'utf8')).toBe('kept');
    expect(readdirSync(at('signed')).toSorted()).toEqual([`${name} (2).p7m`, `${name}.p7m`].toSorted());
  });

  test('leaves names that the service ignores, links and folders alone', async () => {
    const { dir, name, at } = withFile();
    const left = ['.hidden', '~$office.docx', 'a.tmp', 'b.PART', 'c.crdownload', 'd.swp', 'e.pdf.lease'];
    for (const each of left) writeFileSync(at(each), each);
    symlinkSync(at(name), at('link.txt'));
    mkdirSync(at('folder'));
    expect((await run(words(dir, '--once'))).code).toBe(0);
    expect(readdirSync(dir).toSorted()).toEqual(
      [...left, 'link.txt', 'folder', 'signed', STATE_FILE].toSorted(),
    );
  });

  test('says that a name which is no key of a store is refused, and goes on', async () => {
    const { dir, name, at } = withFile();
    writeFileSync(at('back\\slash.txt'), 'content');
    const { code, text } = await run(words(dir, '--once'));
    expect(text).toContain('back\\slash.txt: failed, the folder takes no file of this name');
    expect(text).toContain(`${name}: signed`);
    expect(code).toBe(1);
  });

  test('goes on until it is ended, and takes files that come later', async () => {
    const { dir, name, at } = withFile();
    const later = `later-${name}`;
    const { code, text } = await run(words(dir), {
      onLine(line, stop) {
        if (line.startsWith(`${name}: signed`)) writeFileSync(at(later), 'later');
        if (line.startsWith(`${later}: signed`)) stop();
      },
    });
    expect(text).toContain(`Waiting for files in ${dir}. Ctrl-C ends.`);
    expect(code).toBe(0);
    expect(readdirSync(at('signed'))).toContain(`${later}.p7m`);
  });
});
