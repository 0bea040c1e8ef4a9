import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { integer, sequence } from '../../../../../shared/der/write.ts';
import { derToPair } from '../../../../../shared/signing/xades/complete.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { below, testKey } from '../../../../certificates/pki.ts';
import { makeSigned } from '../made-signatures.ts';
import { judge, pki } from '../parties.ts';

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

describe('an ECDSA value of another spelling', () => {
  // The order of P-521 has one bit in its first byte: half of all numbers begin with a zero.
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
  const HALF = 66;
  const signer = below(pki.intermediate, privateKey, () => ({
    subject: [['commonName', 'CURVE']],
    extensions: [],
  }));
  const method = { uri: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512' };
  const pair = (bytes: Buffer): Buffer =>
    sign('sha512', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  const signed = (by: (bytes: Buffer) => Buffer) => makeSigned({ holder: signer, method, sign: by });
  const halves = (value: Buffer): Buffer[] => [value.subarray(0, HALF), value.subarray(HALF)];
  const intactOf = async (document: Buffer) =>
    (await verifyXades(document, { judge, atMs: Date.now() })).signatures[0]?.intact;
  const withoutZeros = (bytes: Buffer): Buffer => {
    for (;;) {
      const both = halves(pair(bytes));
      if (both.every((half) => half[0] === 0)) return Buffer.concat(both.map((half) => half.subarray(1)));
    }
  };
  const WAYS: [string, (bytes: Buffer) => Buffer][] = [
    ['in DER', (bytes) => sequence(...halves(pair(bytes)).map((half) => integer(half)))],
    ['without the zeros of both halves', withoutZeros],
    [
      'with a zero before each half',
      (bytes) => Buffer.concat(halves(pair(bytes)).flatMap((half) => [Buffer.alloc(1), half])),
    ],
  ];

  test.each(WAYS)('is as good as the right one: %s', async (_way, by) => {
    expect(await intactOf(signed(by))).toBe(true);
    expect(await intactOf(signed((bytes) => by(Buffer.from(`${bytes} `))))).toBe(false);
  });

  test.each([1, 2, HALF, 2 * HALF - 1])('is none when %i bytes of it are cut', async (cut) => {
    expect(await intactOf(signed((bytes) => pair(bytes).subarray(0, -cut)))).toBe(false);
  });
});
