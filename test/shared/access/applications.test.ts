import { expect, test } from 'vitest';
import {
  APPLICATION_NAME,
  type ApiKey,
  type Application,
  findAcceptedKey,
  keyFromText,
  newKey,
} from '../../../shared/access/applications.ts';

const NOW = Date.UTC(2026, 10, 14);
const at = (ms: number) => new Date(ms).toISOString();

const application = (...keys: ApiKey[]): Application => ({
  name: 'acme',
  disabled: false,
  permissions: [],
  registered: {},
  keys,
});

test('a new key has the application before the bar and 256 random bits after it', () => {
  const { text, key } = newKey('acme', { now: NOW });
  const [name, secret = ''] = text.split('|');
  expect(name).toBe('acme');
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  expect(key).toEqual({
    id: expect.any(String),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    issuedAt: at(NOW),
  });
  expect(newKey('acme').text).not.toBe(text);
});

test('what is kept of a key does not hold its secret', () => {
  const { text, key } = newKey('acme');
  expect(JSON.stringify(key)).not.toContain(text.split('|')[1]);
});

test('any of the keys of an application is accepted, and told by its id', () => {
  const keys = [newKey('acme'), newKey('acme'), newKey('acme')];
  const acme = application(...keys.map(({ key }) => key));
  for (const { text, key } of keys) expect(findAcceptedKey(acme, text, NOW)?.id).toBe(key.id);
  expect(findAcceptedKey(acme, newKey('acme').text, NOW)).toBeUndefined();
});

test('a key is accepted until the moment it expires', () => {
  const key = keyFromText('acme|secret', { expiresAt: at(NOW) });
  expect(findAcceptedKey(application(key), 'acme|secret', NOW - 1)).toBe(key);
  expect(findAcceptedKey(application(key), 'acme|secret', NOW)).toBeUndefined();
});

test('a key whose end cannot be read is over', () => {
  const key = { ...keyFromText('acme|secret'), expiresAt: 'next summer' };
  expect(findAcceptedKey(application(key), 'acme|secret', NOW)).toBeUndefined();
});

test('a revoked key is not accepted, and its siblings are', () => {
  const revoked = { ...keyFromText('acme|first'), revokedAt: at(NOW - 1) };
  const other = keyFromText('acme|second');
  const acme = application(revoked, other);
  expect(findAcceptedKey(acme, 'acme|first', NOW)).toBeUndefined();
  expect(findAcceptedKey(acme, 'acme|second', NOW)).toBe(other);
});

test('no key of a disabled application is accepted', () => {
  const key = keyFromText('acme|secret');
  expect(findAcceptedKey({ ...application(key), disabled: true }, 'acme|secret', NOW)).toBeUndefined();
});

test('nothing is accepted of an application that is not there, the empty text included', () => {
  expect(findAcceptedKey(undefined, '', NOW)).toBeUndefined();
  expect(findAcceptedKey(undefined, 'acme|secret', NOW)).toBeUndefined();
  expect(findAcceptedKey(application(), '', NOW)).toBeUndefined();
});

test.each(['', '.hidden', 'a|b', 'a b', 'a#b', 'a\n', 'é', 'a'.repeat(65)])(
  '%j is no name of an application',
  (name) => {
    expect(APPLICATION_NAME.test(name)).toBe(false);
  },
);
