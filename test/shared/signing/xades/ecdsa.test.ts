import { createPublicKey, sign, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { integer, sequence } from '../../../../shared/der/write.ts';
import { derToPair } from '../../../../shared/signing/xades/complete.ts';
import { testKey } from '../../../pki.ts';

describe('an ECDSA signature as XML writes it', () => {
  test('has two numbers of full length, however small they are', () => {
    const der = sequence(integer(1), integer(255));
    const [p256, p384] = (['p256', 'p384'] as const).map((kind) =>
      derToPair(createPublicKey(testKey(kind)), der).toString('hex'),
    );
    expect(p256).toBe(`${'0'.repeat(63)}1${'0'.repeat(62)}ff`);
    expect(p384).toBe(`${'0'.repeat(95)}1${'0'.repeat(94)}ff`);
  });

  test('is one that others verify', () => {
    const [key, bytes] = [testKey('p384'), Buffer.from('signed')];
    const publicKey = createPublicKey(key);
    const pair = derToPair(publicKey, sign('sha384', bytes, key));
    expect(verify('sha384', bytes, { key: publicKey, dsaEncoding: 'ieee-p1363' }, pair)).toBe(true);
  });
});
