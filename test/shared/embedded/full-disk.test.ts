import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

// A file system of its own, in a namespace that ends with the process. Not every machine permits it.
const MOUNTED = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c'];
const mountAnd = (then: string): string => `mount -t tmpfs -o size=48m tmpfs "$0" && ${then}`;
const FILL = join(import.meta.dirname, 'fill-disk.ts');

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-full-disk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What a process saw that filled the disk of its store. */
function fill(before: readonly string[], folder: string, way: string) {
  const [command = '', ...args] = [...before, folder, process.execPath, FILL, way];
  const env = { ...process.env, AWS_REGION: 'us-east-1', STAGE: 'local' };
  return JSON.parse(execFileSync(command, args, { encoding: 'utf8', env }).trim().split('\n').at(-1) ?? '');
}

//   writes     |--answered--|--refused: 503----------------|--answered--|
//   reads      |--answered----------------------------------------------|
//   readiness  |--green-----|--red-------------------------|--green-----|
//                           disk is full                   there is room
function requireRefusedAndResumed(seen: Record<string, unknown>, reason: RegExp): void {
  expect(seen.answered).toBeGreaterThan(0);
  expect(seen).toEqual({
    readyBefore: true,
    answered: seen.answered,
    refusal: { name: 'ServiceUnavailable', status: 503, message: expect.stringMatching(reason) },
    readWhileFull: seen.answered,
    readyWhileFull: { ok: false, detail: expect.any(String) },
    readyAfter: true,
    readAfter: Number(seen.answered) + 1,
  });
}

test('a file that may not grow refuses writes until it may', () => {
  const seen = fill(['sh', '-c', 'exec "$1" "$2" "$0" "$3"'], newFolder(), 'file size');
  requireRefusedAndResumed(seen, /cannot be written: .*Look at its disk/);
});

test('a full disk refuses writes, and they go on when there is room', ({ skip }) => {
  const folder = newFolder();
  const tried = spawnSync(String(MOUNTED[0]), [...MOUNTED.slice(1), mountAnd('true'), folder], {
    encoding: 'utf8',
  });
  if (tried.status !== 0) skip(`This machine mounts no file system for a test: ${tried.stderr}`);
  const seen = fill([...MOUNTED, mountAnd('exec "$1" "$2" "$0" "$3"')], folder, 'file system');
  requireRefusedAndResumed(seen, /is full\. Nothing was written\. Free space/);
});
