import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missingFrom } from '../../infra/install/complete-lock.ts';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));

test('the lock names every platform’s packages, so that npm ci takes it anywhere (else: npm run lock)', () => {
  expect(missingFrom(lock).map(({ name }) => name)).toEqual([]);
});

test('the lock names no address that packages came from', () => {
  expect(JSON.stringify(lock)).not.toContain('"resolved":"http');
});
