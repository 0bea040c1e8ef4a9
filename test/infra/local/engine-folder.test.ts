import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openDataFolder } from '../../../infra/local/data-folder.ts';
import { readEngine, removeEngine, writeEngine } from '../../../infra/local/engine-file.ts';

const base = mkdtempSync(join(tmpdir(), 'sinete-folder-'));
afterAll(() => rmSync(base, { recursive: true }));

const newFolder = () => join(base, randomUUID());
const open = (dir: string, fresh = false, defaultDir = join(base, 'default')) =>
  openDataFolder({ dir, port: 3000, fresh, defaultDir });

describe('the data folder', () => {
  test('is made where there is none, and is known again by its marker', async () => {
    const dir = newFolder();
    const first = await open(dir);
    writeFileSync(join(dir, 'kept'), 'x');
    first.release();
    const second = await open(dir);
    second.release();
    expect(second.createdAtMs).toBe(first.createdAtMs);
    expect(existsSync(join(dir, 'kept'))).toBe(true);
  });

  test('is emptied when a fresh one is asked for, and counts as new', async () => {
    const dir = newFolder();
    const first = await open(dir);
    mkdirSync(join(dir, 'dynamodb'));
    writeFileSync(join(dir, 'dynamodb', 'table'), 'x');
    first.release();
    await new Promise((resolve) => setTimeout(resolve, 2));
    const second = await open(dir, true);
    expect(readdirSync(dir).sort()).toEqual(['engine.lock', 'sinete-data.json']);
    expect(second.createdAtMs).toBeGreaterThan(first.createdAtMs);
    second.release();
  });

  test('whose emptying was cut off by kill -9 is emptied by the next start', async () => {
    const dir = newFolder();
    (await open(dir)).release();
    writeFileSync(join(dir, 'sinete-data.json'), JSON.stringify({ createdAtMs: 1, emptying: true }));
    writeFileSync(join(dir, 'half-a-table'), 'x');
    (await open(dir)).release();
    expect(readdirSync(dir)).toEqual(['sinete-data.json']);
    expect(readFileSync(join(dir, 'sinete-data.json'), 'utf8')).not.toContain('emptying');
  });

  test.each([true, false])("with someone else's files is not touched (fresh: %s)", async (fresh) => {
    const dir = newFolder();
    mkdirSync(dir);
    writeFileSync(join(dir, 'thesis.txt'), 'x');
    await expect(open(dir, fresh)).rejects.toThrow("holds files that are not Sinete's");
    expect(readdirSync(dir)).toEqual(['thesis.txt']);
  });

  test('that is the default one is ours whatever is in it', async () => {
    const dir = newFolder();
    mkdirSync(dir);
    writeFileSync(join(dir, 'something'), 'x');
    (await open(dir, true, dir)).release();
    expect(readdirSync(dir)).toEqual(['sinete-data.json']);
  });
});

describe('the lock on a data folder', () => {
  test('is held by one engine, and named to the second', async () => {
    const dir = newFolder();
    const held = await open(dir);
    await expect(open(dir)).rejects.toThrow(`in use by an engine on port 3000 (process ${process.pid})`);
    await expect(open(dir, true)).rejects.toThrow('in use');
    held.release();
    (await open(dir)).release();
  });

  test('of an engine that was killed does not hold, even when its process id lives on in another program', async () => {
    const dir = newFolder();
    (await open(dir)).release();
    const left = { pid: process.pid, port: 3000, token: 'of the dead', probePort: 1 };
    writeFileSync(join(dir, 'engine.lock'), JSON.stringify(left));
    (await open(dir)).release();
  });

  test('does not hold when its port now belongs to another engine', async () => {
    const [dir, other] = [newFolder(), newFolder()];
    const held = await open(other);
    (await open(dir)).release();
    const { probePort } = JSON.parse(readFileSync(join(other, 'engine.lock'), 'utf8'));
    const left = { pid: process.pid, port: 3000, token: 'of the dead', probePort };
    writeFileSync(join(dir, 'engine.lock'), JSON.stringify(left));
    (await open(dir)).release();
    held.release();
  });

  test('that was only half written does not hold', async () => {
    const dir = newFolder();
    (await open(dir)).release();
    writeFileSync(join(dir, 'engine.lock'), '{"pid":');
    (await open(dir)).release();
  });

  test('goes to one of several that ask for it at once', async () => {
    const dir = newFolder();
    const asked = await Promise.allSettled(Array.from({ length: 10 }, () => open(dir)));
    const granted = asked.filter((result) => result.status === 'fulfilled');
    expect(granted).toHaveLength(1);
    granted[0]?.value.release();
  });
});

describe('the file that tells of a running engine', () => {
  const engine = { pid: process.pid, port: 3000, url: 'http://localhost:3000', env: { STAGE: 'local' } };

  test('is read while that process lives', () => {
    const dir = newFolder();
    mkdirSync(dir);
    writeEngine(dir, engine);
    expect(readEngine(dir)).toEqual(engine);
    removeEngine(dir);
    expect(readEngine(dir)).toBeUndefined();
  });

  test('of a process that is gone tells of nothing', () => {
    const dir = newFolder();
    mkdirSync(dir);
    writeEngine(dir, { ...engine, pid: 2 ** 22 + 1 });
    expect(readEngine(dir)).toBeUndefined();
  });

  test('that is missing or broken tells of nothing', () => {
    const dir = newFolder();
    expect(readEngine(dir)).toBeUndefined();
    mkdirSync(dir);
    writeFileSync(join(dir, 'engine.json'), '{');
    expect(readEngine(dir)).toBeUndefined();
  });
});
