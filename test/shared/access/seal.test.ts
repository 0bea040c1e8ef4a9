import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type SealKey, seal, unseal } from '../../../shared/access/seal.ts';

const key: SealKey = { secret: randomBytes(32), salt: 'epoch 1', about: 'a token of alpha' };
const PLAIN = 'what nobody may read: ção';

describe('a seal', () => {
  test('opens with its key, and shows nothing of what it holds', () => {
    const sealed = seal(key, PLAIN);
    expect(unseal(key, sealed)).toBe(PLAIN);
    expect(sealed).toMatch(/^[\w-]+$/);
    expect(Buffer.from(sealed, 'base64url').includes('nobody')).toBe(false);
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

  test('does not open when one bit of it was changed, or a part is missing', () => {
    const sealed = Buffer.from(seal(key, PLAIN), 'base64url');
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(unseal(key, changed.toString('base64url'))).toBeUndefined();
    }
    for (const length of [0, 1, 27, 28, sealed.length - 1])
      expect(unseal(key, sealed.subarray(0, length).toString('base64url'))).toBeUndefined();
  });
});
