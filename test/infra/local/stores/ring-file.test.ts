import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { RING_FILE, requireRingIn, ringIn } from '../../../../infra/local/stores/ring-file.ts';
import { parseRing } from '../../../../shared/settings/keyring.ts';

const folder = mkdtempSync(join(tmpdir(), 'sinete-ring-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a data folder has a ring of one key, made at the first start and read by its owner alone', () => {
  expect(ringIn(folder)).toBeUndefined();
  const path = join(folder, RING_FILE);
  expect(requireRingIn(folder)).toBe(`file:${path}`);
  const made = readFileSync(path, 'utf8');
  expect(parseRing(made)).toHaveLength(1);
  expect([requireRingIn(folder), ringIn(folder)]).toEqual([`file:${path}`, `file:${path}`]);
  expect(readFileSync(path, 'utf8')).toBe(made);
  expect(statSync(path).mode & 0o077).toBe(0);
});
