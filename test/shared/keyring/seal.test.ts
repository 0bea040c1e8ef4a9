import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type SealKey, seal, unseal } from '../../../shared/keyring/seal.ts';

const key: SealKey = { secret: randomBytes(32), salt: 'epoch 1', about: 'a token of alpha' };
const PLAIN = 'what nobody may read: ção';

const PREFIX = 's1.own.';
const bodyOf = (sealed: string): Buffer => Buffer.from(sealed.slice(PREFIX.length), 'base64url');
const withBody = (body: Buffer): string => `${PREFIX}${body.toString('base64url')}`;

describe('a seal', () => {
  test('opens with its key, says its form, and shows nothing of what it holds', () => {
    const sealed = seal(key, PLAIN);
    expect(unseal(key, sealed)).toBe(PLAIN);
    expect(sealed).toMatch(/^s1\.own\.[\w-]+$/);
    expect(bodyOf(sealed).includes('nobody')).toBe(false);
    expect(unseal(key, seal(key, ''))).toBe('');
  });

  test('looks different each time', () => {
    expect(seal(key, PLAIN)).not.toBe(seal(key, PLAIN));
  });

  test.each([
    ['secret', { ...key, secret: randomBytes(32) }],
    ['salt', { ...key, salt: 'epoch 2' }],
    ['purpose', { ...key, about: 'a token of beta' }],
  ])('does not open with another %s', (_, other) => {
    expect(unseal(other, seal(key, PLAIN))).toBeUndefined();
  });

  test('does not open when one bit of it was changed, a part is missing, or it is of another form', () => {
    const sealed = bodyOf(seal(key, PLAIN));
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(unseal(key, withBody(changed))).toBeUndefined();
    }
    for (const length of [0, 1, 27, 28, sealed.length - 1])
      expect(unseal(key, withBody(sealed.subarray(0, length)))).toBeUndefined();
    for (const other of ['', 's1.', 's2.own.', 's1.key-1.'])
      expect(unseal(key, `${other}${sealed.toString('base64url')}`)).toBeUndefined();
  });
});
