import { describe, expect, test } from 'vitest';
import { hashOf } from '../../../../../shared/signing/digest.ts';
import { completeXades, stampXades } from '../../../../../shared/signing/xades/complete.ts';
import { prepareXades } from '../../../../../shared/signing/xades/prepare.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { BATCH, judge, keyOf } from '../parties.ts';

const atMs = Date.now();
const key = keyOf();
const { certificate, chain } = key;

describe('signing in two steps', () => {
  test.each(['rsa2048', 'p384'] as const)('keeps only small JSON between them (%s)', async (kind) => {
    const signer = keyOf({ key: kind });
    const large = Buffer.from(`<a>${'x'.repeat(2_000_000)}</a>`);
    const prepared = await prepareXades(large, { ...signer, signingTimeMs: atMs });
    expect(prepared.hash).toEqual(hashOf('sha256', prepared.toSign));
    const kept = JSON.stringify(prepared.state);
    expect(kept.length).toBeLessThan(30_000);
    const signature = await signer.signHash(prepared.digest, prepared.hash);
    const signed = completeXades(JSON.parse(kept), large, signature);
    expect(await verifyXades(signed, { judge, atMs })).toMatchObject({ valid: true });
  });

  test('refuses a signature by another key, or over something else', async () => {
    const { state, digest, hash } = await prepareXades(BATCH, { certificate, chain, signingTimeMs: atMs });
    const others = keyOf({ keyName: 'another' });
    const wrong = [
      await others.signHash(digest, hash),
      await key.signHash(digest, hashOf('sha256', hash)),
      Buffer.alloc(256, 1),
      Buffer.alloc(0),
    ];
    for (const signature of wrong) {
      expect(() => completeXades(state, BATCH, signature)).toThrow(/Nothing was written/);
      expect(() => stampXades(state, signature, async () => Buffer.alloc(0))).toThrow(/Nothing was written/);
    }
  });

  test('refuses another document at the second step', async () => {
    const { state, digest, hash } = await prepareXades(BATCH, { certificate, chain, signingTimeMs: atMs });
    const signature = await key.signHash(digest, hash);
    const other = Buffer.from(BATCH.toString().replace('dois', 'três'));
    expect(() => completeXades(state, other, signature)).toThrow(
      expect.objectContaining({ name: 'XmlRefused', reason: 'another-document' }),
    );
  });

  test('refuses SHA-1, and keys that must not sign, before anything is signed', async () => {
    const digest = 'sha1' as 'sha256';
    await expect(
      prepareXades(BATCH, { certificate, chain, signingTimeMs: atMs, digest }),
    ).rejects.toMatchObject({
      name: 'SigningRefused',
      reason: 'digest-not-allowed',
    });
  });
});
