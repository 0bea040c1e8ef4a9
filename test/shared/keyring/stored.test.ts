import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Unavailable } from '../../../shared/errors/errors.ts';
import { keyIdOf, keyIdsIn, rewrap } from '../../../shared/keyring/envelope.ts';
import {
  authenticate,
  openStored,
  openStoredBytes,
  sealStored,
  whyNotAuthentic,
} from '../../../shared/keyring/stored.ts';
import { commonSettings } from '../../../shared/settings/common.ts';
import { formatRing, newRingKey, parseRing } from '../../../shared/settings/keyring.ts';
import { MANUAL } from '../../../shared/settings/settings.ts';
import { ring } from '../../certificates/rings.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const ABOUT = { about: 'the secret of acme' };
const keys = (...numbers: number[]) => vi.stubEnv('Sealing__Keys', ring(...numbers));
const keyOf = (n: number) => {
  const [key] = parseRing(ring(n));
  if (!key) throw new Error('There is no such key.');
  return key;
};

describe('a value of the store', () => {
  test('names the newest key of the ring, and opens with any key of it for its own record', async () => {
    keys(1);
    const sealed = await sealStored(ABOUT, 'what nobody may read');
    expect(keyIdOf(sealed)).toBe('key-1');
    expect(sealed).not.toContain('nobody');
    keys(2, 1);
    expect(keyIdOf(await sealStored(ABOUT, ''))).toBe('key-2');
    expect(await openStored(ABOUT, sealed)).toEqual({ plain: 'what nobody may read' });
    for (const other of [{ about: 'the secret of beta' }, { ...ABOUT, salt: 'x' }])
      expect(await openStored(other, sealed)).toEqual({
        problem: 'it was changed in the store, or sealed for another record.',
      });
    expect(await openStoredBytes(ABOUT, await sealStored(ABOUT, Uint8Array.of(0, 255, 128)))).toEqual({
      plain: Buffer.of(0, 255, 128),
    });
  });

  test('of a key that the ring does not have says which, and what to do', async () => {
    keys(1);
    const sealed = await sealStored(ABOUT, 'x');
    for (const others of [ring(2), '']) {
      vi.stubEnv('Sealing__Keys', others);
      expect(await openStored(ABOUT, sealed)).toEqual({
        problem:
          'it is sealed with the key key-1, which Sealing:Keys does not have. Put the line of that key back into it, from a copy of the ring.',
      });
    }
    await expect(sealStored(ABOUT, 'x')).rejects.toThrow('Setting Sealing:Keys (Sealing__Keys) is not set');
  });

  test('does not open when one character of it was changed, the id of its key included', async () => {
    keys(2, 1);
    const sealed = await sealStored(ABOUT, 'x');
    const other = (letter: string) => (letter === '2' ? '1' : letter === 'A' ? 'B' : 'A');
    for (let at = 0; at < sealed.length - 1; at++) {
      const changed = sealed.slice(0, at) + other(sealed.charAt(at)) + sealed.slice(at + 1);
      expect([at, await openStored(ABOUT, changed)]).toEqual([at, { problem: expect.any(String) }]);
    }
  });

  test('is taken over by another key without being seen, and no longer by the one before', async () => {
    keys(1);
    const sealed = await sealStored({ ...ABOUT, salt: 'a second factor' }, 'x');
    const taken = rewrap(keyOf(1), keyOf(2), sealed) ?? '';
    expect(keyIdOf(taken)).toBe('key-2');
    expect(await openStored(ABOUT, taken)).toHaveProperty('problem');
    keys(2);
    expect(await openStored({ ...ABOUT, salt: 'a second factor' }, taken)).toEqual({ plain: 'x' });
    expect(rewrap({ ...keyOf(1), key: keyOf(3).key }, keyOf(2), sealed)).toBeUndefined();
    expect(rewrap(keyOf(2), keyOf(1), sealed)).toBeUndefined();
  });

  test('is found anywhere in a text by the key that it names', async () => {
    keys(1);
    const one = await sealStored(ABOUT, 'x');
    keys(2);
    const text = JSON.stringify({ S: one, L: [{ S: await sealStored(ABOUT, 'y') }], own: 's1.own.AAAA' });
    expect(keyIdsIn(text)).toEqual(new Set(['key-1', 'key-2']));
    expect(keyIdsIn('s1.key-1.short.text and x-s1.key-1.')).toEqual(new Set());
  });
});

describe('a process with an older ring', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-rings-'));
  const path = join(folder, 'sealing.keys');
  afterEach(() => rmSync(path, { force: true }));
  const write = (...numbers: number[]) => writeFileSync(path, ring(...numbers));

  test('opens what another sealed with a new key at once, and seals with it when it reads the ring again', async () => {
    vi.useFakeTimers();
    write(1);
    vi.stubEnv('Sealing__Keys', `file:${path}`);
    expect(keyIdOf(await sealStored(ABOUT, 'x'))).toBe('key-1');
    keys(2);
    const ofAnother = await sealStored(ABOUT, 'new');
    write(2, 1);
    vi.stubEnv('Sealing__Keys', `file:${path}`);
    expect(keyIdOf(await sealStored(ABOUT, 'x'))).toBe('key-1');
    expect(await openStored(ABOUT, ofAnother)).toEqual({ plain: 'new' });
    expect(keyIdOf(await sealStored(ABOUT, 'x'))).toBe('key-2');

    write(3, 2, 1);
    vi.advanceTimersByTime(5_001);
    expect(keyIdOf(await sealStored(ABOUT, 'x'))).toBe('key-3');
  });

  test('that cannot read it again seals for twice the age of it, and then nothing until it can', async () => {
    vi.useFakeTimers();
    write(4);
    vi.stubEnv('Sealing__Keys', `file:${path}`);
    vi.advanceTimersByTime(60_000);
    const sealed = await sealStored(ABOUT, 'x');
    rmSync(path);
    vi.advanceTimersByTime(10_000);
    expect(keyIdOf(await sealStored(ABOUT, 'x'))).toBe('key-4');
    vi.advanceTimersByTime(1);
    await expect(sealStored(ABOUT, 'x')).rejects.toThrow(
      `Nothing is sealed: the ring of Sealing:Keys was last read from file:${path} 10 s ago`,
    );
    await expect(authenticate('a manifest', 'text')).rejects.toThrow(Unavailable);
    expect(await openStored(ABOUT, sealed)).toEqual({ plain: 'x' });
    write(5, 4);
    vi.advanceTimersByTime(5_001);
    expect(keyIdOf(await sealStored(ABOUT, 'x'))).toBe('key-5');
  });
});

describe('an authenticated text', () => {
  test('is the one that was authenticated for this purpose, by the key that it names', async () => {
    keys(1);
    const mac = await authenticate('a manifest', 'text');
    expect(mac).toMatch(/^s1\.key-1\.[\w-]{43}$/);
    keys(2, 1);
    expect(await whyNotAuthentic('a manifest', 'text', mac)).toBeUndefined();
    for (const [about, text, given] of [
      ['a manifest', 'other', mac],
      ['another', 'text', mac],
      ['a manifest', 'text', mac.replace('key-1', 'key-2')],
      ['a manifest', 'text', mac.slice(0, -1)],
      ['a manifest', 'text', ''],
    ] as const)
      expect(await whyNotAuthentic(about, text, given)).toContain('was changed');
    keys(2);
    expect(await whyNotAuthentic('a manifest', 'text', mac)).toContain('the key key-1, which Sealing:Keys');
  });
});

describe('the setting Sealing:Keys', () => {
  const check = () => commonSettings[MANUAL].check();

  test('is needed by a deployment, and not by the local stage', () => {
    vi.stubEnv('Sealing__Keys', '');
    expect(check).not.toThrow();
    vi.stubEnv('STAGE', 'prod');
    expect(check).toThrow('Setting Sealing:Keys (Sealing__Keys) is not set');
    keys(2, 1);
    expect(check).not.toThrow();
  });

  const key = Buffer.alloc(32, 5).toString('base64');
  test.each([
    ['no ring', 'a password', 'must be lines of ID:KEY'],
    ['a key of 31 bytes', `key-5:${Buffer.alloc(31).toString('base64')}`, 'must be lines of ID:KEY'],
    ['the word for no key', `own:${key}`, 'must be lines of ID:KEY'],
    ['capitals', `KEY-5:${key}`, 'must be lines of ID:KEY'],
    ['an id twice', `key-5:${key}\nkey-5:${key}`, 'has key-5 twice'],
    ['too many', ring(...Array.from({ length: 41 }, (_, n) => n + 1)), 'at most 40 keys'],
  ])('refuses %s, and does not repeat it', (_, text, complaint) => {
    vi.stubEnv('Sealing__Keys', text);
    expect(check).toThrow(complaint);
    expect(check).not.toThrow(key);
  });

  test('is written as it is read', () => {
    const keysOf = [newRingKey(Date.UTC(2026, 10, 18)), newRingKey(0)];
    expect(keysOf[0]?.id).toMatch(/^2026-11-18-[0-9a-f]{6}$/);
    expect(parseRing(formatRing(keysOf))).toEqual(keysOf);
    expect(parseRing(formatRing(keysOf).replaceAll('\n', ','))).toEqual(keysOf);
  });
});
