import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { retireKey, rotateKeys } from '../../../../../cli/keys/commands.ts';
import { readManifest } from '../../../../../functions/batch/installation/backup/domain/manifest.ts';
import {
  readPart,
  verifyBackup,
} from '../../../../../functions/batch/installation/backup/domain/restore/verify.ts';
import { rewrapBackup } from '../../../../../functions/batch/installation/backup/domain/rewrap-backup.ts';
import {
  deleteFilesOf,
  folderOf,
  keysBelow,
  manifestKey,
  targetFiles,
} from '../../../../../functions/batch/installation/backup/domain/target.ts';
import { keyIdsIn } from '../../../../../shared/keyring/envelope.ts';
import { keyIdOfMac } from '../../../../../shared/keyring/stored.ts';
import { parseRing } from '../../../../../shared/settings/keyring.ts';
import { ring } from '../../../../certificates/rings.ts';
import { beforeFirstAndAfterEach, killedAt } from '../../../../faults/crash.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { backupStage } from './backup-stage.ts';

const stage = await forFile(backupStage());
const folder = mkdtempSync(join(tmpdir(), 'sinete-retired-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'sealing.keys');
const own = process.env.Sealing__Keys ?? '';
const [before = ''] = own.split(':');
writeFileSync(path, own);
vi.stubEnv('Sealing__Keys', `file:${path}`);
// In order: the first test makes the backup.
let id = '';
let original: ReadonlyMap<string, Buffer>;
const store = await targetFiles();

/** The keys that a backup needs. */
async function keysOf(backupId: string): Promise<string[]> {
  const { hmac, parts } = await readManifest(store, backupId);
  const found = new Set([keyIdOfMac(hmac) ?? '']);
  for (const part of parts.filter(({ kind }) => kind === 'items'))
    await readPart(store, backupId, part, (line) => {
      for (const each of keyIdsIn(line)) found.add(each);
      return undefined;
    });
  return [...found].toSorted();
}

/** Every file of a backup, by its key. */
async function filesOf(backupId: string): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for await (const keys of keysBelow(store, folderOf(backupId)))
    for (const key of keys) found.set(key, (await store.read(key, 10_000_000)) ?? Buffer.of());
  return found;
}

async function putFiles(contents: ReadonlyMap<string, Buffer>): Promise<void> {
  await deleteFilesOf(store, id);
  for (const [key, bytes] of contents) await store.put(key, bytes, { contentType: 'application/gzip' });
}

test('another key takes over a kept backup, which can be restored at every moment, whenever the command is killed', async () => {
  await stage.profile({ name: 'default', default: true });
  ({ id } = await stage.backUp());
  original = await filesOf(id);
  const ringOfBoth = parseRing(`${ring(2)}\n${own}`);
  const [to] = ringOfBoth;
  if (!to) throw new Error('There is no key.');
  writeFileSync(path, `${ring(2)}\n${own}`);
  const { lines } = await verifyBackup(store, id);
  const nowMs = Date.now();
  const rewrap = (atMs: number) => rewrapBackup(store, id, { ring: ringOfBoth, to }, atMs);
  expect(await keysOf(id)).toEqual([before]);
  await beforeFirstAndAfterEach(async (write, moment) => {
    await putFiles(original);
    const isKilled = await killedAt(write, moment, () => rewrap(nowMs));
    expect([moment, write, (await verifyBackup(store, id)).lines]).toEqual([moment, write, lines]);
    // A day later nothing is left of the command that was killed.
    await rewrap(nowMs + 86_400_001);
    expect((await verifyBackup(store, id)).lines).toBe(lines);
    expect(await keysOf(id)).toEqual(['key-2']);
    const { parts } = await readManifest(store, id);
    const data = [...(await filesOf(id)).keys()].filter((key) => key.includes('/data/'));
    const named = parts.filter(({ kind }) => kind === 'items').map(({ name }) => `${folderOf(id)}${name}`);
    expect(data.toSorted()).toEqual(named.toSorted());
    return isKilled;
  });
  expect((await stage.restore(id)).recounted.isRight).toBe(true);
  await putFiles(original);
});

test('a manifest that cannot be trusted is not authenticated again', async () => {
  const [to] = parseRing(ring(2));
  if (!to) throw new Error('There is no key.');
  const text = String(original.get(manifestKey(id))).replace(/"items": \d+/, '"items": 1');
  await store.put(manifestKey(id), Buffer.from(text), { contentType: 'application/json' });
  await expect(rewrapBackup(store, id, { ring: parseRing(`${ring(2)}\n${own}`), to }, 0)).rejects.toThrow(
    'cannot be trusted',
  );
  await putFiles(original);
});

test('keys rotate rewrites kept backups, so that the former key can be retired; a backup that still needs it prevents that', async () => {
  writeFileSync(path, own);
  let nowMs = Date.now();
  const said: string[] = [];
  const deps = {
    say: (line: string) => said.push(line),
    now: () => nowMs,
    wait: async (ms: number) => {
      nowMs += ms;
    },
  };
  await rotateKeys(deps);
  const rewritten = await filesOf(id);
  const [newest = ''] = readFileSync(path, 'utf8').split(':');
  expect(said).toContain(`backup ${id}: its values and its manifest are under ${newest}`);
  expect(await keysOf(id)).toEqual([newest]);

  await putFiles(original);
  await expect(retireKey(before, deps)).rejects.toThrow(`${before} is still named by the backup ${id}.`);
  await putFiles(rewritten);
  expect(await retireKey(before, deps)).toContain(`Took ${before} out of the ring`);
  expect((await verifyBackup(store, id)).lines).toBeGreaterThan(0);
});
