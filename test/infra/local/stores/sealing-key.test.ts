import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSealingKey, sealingKeyIn } from '../../../../infra/local/stores/sealing-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'sinete-sealing-key-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a data folder has one key for each kind of seal, made at the first start and read by its owner alone', () => {
  expect(readSealingKey(folder, 'providers')).toBeUndefined();
  const key = sealingKeyIn(folder, 'providers');
  expect(Buffer.from(key, 'base64')).toHaveLength(32);
  expect([sealingKeyIn(folder, 'providers'), readSealingKey(folder, 'providers')]).toEqual([key, key]);
  expect(sealingKeyIn(folder, 'webhooks')).not.toBe(key);
  expect(statSync(join(folder, 'providers-sealing.key')).mode & 0o077).toBe(0);
});
