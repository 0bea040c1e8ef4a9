import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { integer, sequence } from '../../../../shared/der/write.ts';
import { derToPair, pairToDer } from '../../../../shared/signing/xades/ecdsa.ts';
import { keyOf } from './parties.ts';

const curves = (['p256', 'p384'] as const).map((key) => keyOf({ key }).certificate.publicKey);

describe('an ECDSA signature as XML writes it', () => {
  it('has two numbers of full length, however small they are', () => {
    const der = sequence(integer(1), integer(255));
    const [p256, p384] = curves.map((key) => derToPair(key, der).toString('hex'));
    expect(p256).toBe(`${'0'.repeat(63)}1${'0'.repeat(62)}ff`);
    expect(p384).toBe(`${'0'.repeat(95)}1${'0'.repeat(94)}ff`);
  });

  it('comes back from DER as it was', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...curves),
        fc.bigInt(0n, 2n ** 256n - 1n),
        fc.bigInt(0n, 2n ** 256n - 1n),
        (key, r, s) => {
          const der = sequence(integer(r), integer(s));
          expect(pairToDer(key, derToPair(key, der))).toEqual(der);
        },
      ),
    );
  });

  it('of another length than the curve has is none', () => {
    for (const key of curves) {
      expect(pairToDer(key, Buffer.alloc(63, 1))).toBeUndefined();
      expect(pairToDer(key, Buffer.alloc(0))).toBeUndefined();
    }
    expect(pairToDer(keyOf().certificate.publicKey, Buffer.alloc(64, 1))).toBeUndefined();
  });
});
