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
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openDataFolder } from '../../../../infra/local/engine/data-folder.ts';
import { readEngine, removeEngine, writeEngine } from '../../../../infra/local/engine/engine-file.ts';
import { lockFolder } from '../../../../infra/local/engine/folder-lock.ts';

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

  test.each(['{}', '5', 'null', '{"createdAtMs":"1"}', '{"createdAtMs":null}', '{"createdAtMs":9e15}'])(
    'with the marker %s counts as new, and keeps its data',
    async (marker) => {
      const dir = newFolder();
      mkdirSync(dir);
      writeFileSync(join(dir, 'sinete-data.json'), marker);
      writeFileSync(join(dir, 'kept'), 'x');
      const before = Date.now();
      const { createdAtMs, release } = await open(dir);
      release();
      expect(createdAtMs).toBeGreaterThanOrEqual(before);
      expect(createdAtMs).toBeLessThanOrEqual(Date.now());
      expect(JSON.parse(readFileSync(join(dir, 'sinete-data.json'), 'utf8'))).toEqual({ createdAtMs });
      expect(existsSync(join(dir, 'kept'))).toBe(true);
    },
  );

  test('that cannot be made is refused in one line', async () => {
    await expect(open('/dev/null/data')).rejects.toThrow(
      /^The data folder \/dev\/null\/data cannot be used: .*$/,
    );
  });

  test('whose marker cannot be written is refused in one line, and left unlocked', async () => {
    const dir = newFolder();
    mkdirSync(join(dir, 'sinete-data.json', 'in the way'), { recursive: true });
    await expect(open(dir)).rejects.toThrow(/^The data folder .* cannot be used: .* --data DIR$/);
    expect(existsSync(join(dir, 'engine.lock'))).toBe(false);
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

  test.each([
    '{"pid":',
    '{}',
    '5',
    'null',
    '{"pid":1,"port":3000,"token":"x","probePort":99999}',
    '{"pid":1,"port":3000,"token":"x","probePort":"/tmp/socket"}',
  ])('%s, half written or of another shape, does not hold', async (lock) => {
    const dir = newFolder();
    (await open(dir)).release();
    writeFileSync(join(dir, 'engine.lock'), lock);
    (await open(dir)).release();
  });

  test('holds while its process is connected to and says nothing: it may be suspended', async () => {
    const dir = newFolder();
    (await open(dir)).release();
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port: probePort } = silent.address() as AddressInfo;
    const lock = JSON.stringify({ pid: 4321, port: 3000, token: 'x', probePort });
    writeFileSync(join(dir, 'engine.lock'), lock);
    await expect(lockFolder(dir, 3100, 50)).rejects.toThrow(
      'Process 4321 does not answer; it may be suspended',
    );
    expect(readFileSync(join(dir, 'engine.lock'), 'utf8')).toBe(lock);
    silent.close();
  });

  test('that cannot be written is refused in one line', async () => {
    await expect(lockFolder('/no/such/folder', 3000)).rejects.toThrow(
      /^\/no\/such\/folder\/engine\.lock cannot be written: ENOENT.* choose another data folder\.$/,
    );
  });

  test('that another engine has taken over is not deleted by the one that had it', async () => {
    const dir = newFolder();
    const first = await open(dir);
    rmSync(join(dir, 'engine.lock'));
    const second = await open(dir);
    first.release();
    await expect(open(dir)).rejects.toThrow('in use');
    second.release();
    expect(existsSync(join(dir, 'engine.lock'))).toBe(false);
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

  test.each([
    '{}',
    '5',
    'null',
    '[]',
    { pid: 0 },
    { pid: -1 },
    { env: null },
    { env: { STAGE: 1 } },
    { url: 1 },
  ])('of another shape (%j) tells of nothing', (shape) => {
    const dir = newFolder();
    mkdirSync(dir);
    const content = typeof shape === 'string' ? shape : JSON.stringify({ ...engine, ...shape });
    writeFileSync(join(dir, 'engine.json'), content);
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
