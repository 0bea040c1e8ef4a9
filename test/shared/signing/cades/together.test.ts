import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { type CadesSignature, completeAttachedBy } from '../../../../shared/signing/cades/complete.ts';
import { measure } from '../../../../shared/signing/cades/content.ts';
import { readExisting } from '../../../../shared/signing/cades/existing.ts';
import { prepareCades } from '../../../../shared/signing/cades/prepare.ts';
import { signTogether } from '../../../../shared/signing/cades/sign-together.ts';
import type { SigningDigest } from '../../../../shared/signing/digest.ts';
import type { SigningKey } from '../../../../shared/signing/key.ts';
import { verifySignedFile } from '../../../../shared/signing/verification/verify-signed-file.ts';
import { writeWhole } from '../../../../shared/signing/write-whole.ts';
import { holderKey, trustPem } from '../cms/fixtures.ts';
import { folder, hasOpenssl, openssl, opensslVerifies } from '../cms/openssl.ts';
import { stamp } from '../pades/parties.ts';

const files = folder();
afterAll(() => files.remove());

const nowMs = Date.now();
const trust = files.file('trust.pem', trustPem());
const ana = holderKey();
const bruno = holderKey({ key: 'p256', commonName: 'BRUNO DE TESTE:47363361886' });
const carla = holderKey({ key: 'p384', keyName: 'carla', commonName: 'CARLA DE TESTE:11144477735' });
const content = randomBytes(5000);

/** What somebody signs by themselves, as it is kept until all have signed. */
async function signedBy(
  key: SigningKey,
  bytes: Uint8Array = content,
  digest: SigningDigest = 'sha256',
): Promise<CadesSignature> {
  const prepared = prepareCades(await measure(bytes, digest), { ...key, digest, signingTimeMs: nowMs });
  return { state: prepared.state, signature: await key.signHash(digest, prepared.hash) };
}

const judged = (signature: Buffer) => opensslVerifies(files, signature, { trust });

describe.skipIf(!hasOpenssl)('one file of several signers, judged by openssl with CRLs', () => {
  test.each([0, 1, 127, 70_000, 3_000_000])(
    'is good for an RSA and two EC signers, and gives its content of %i bytes back',
    async (size) => {
      const some = randomBytes(size);
      const signers = await Promise.all([ana, bruno, carla].map((key) => signedBy(key, some)));
      const file = await buffer(completeAttachedBy(signers, some));
      expect(judged(file)).toMatchObject({ ok: true, says: 'CAdES Verification successful\n' });
      expect(readFileSync(files.path('out.bin')).equals(some)).toBe(true);
      const { split } = await readExisting(file, 'sha256');
      expect(split.signerInfos).toHaveLength(3);
      expect(split.digestAlgorithms).toHaveLength(1);
      expect(split.certificates).toHaveLength(5); // three signers under one chain of two
    },
  );

  test('is good for signers of different digests', async () => {
    const signers = [await signedBy(ana), await signedBy(bruno, content, 'sha512')];
    const file = await buffer(completeAttachedBy(signers, content));
    expect(judged(file)).toMatchObject({ ok: true });
    expect((await readExisting(file, 'sha256')).split.digestAlgorithms).toHaveLength(2);
  });

  test('is written as PEM text, with the key that signs last', async () => {
    const input = files.file('content.bin', content);
    const output = files.path('together.pem');
    const signatures = [await signedBy(bruno)];
    await writeWhole(output, signTogether(input, { signatures, key: ana, signingTimeMs: nowMs, pem: true }));
    expect(readFileSync(output, 'latin1')).toMatch(/^-----BEGIN PKCS7-----/);
    const args = ['cms', '-verify', '-cades', '-binary', '-inform', 'PEM', '-in', output];
    expect(
      openssl(...args, '-CAfile', trust, '-purpose', 'any', '-out', files.path('out.bin')),
    ).toMatchObject({ ok: true });
  });
});

describe('the verification of such a file', () => {
  const together = async (signers: readonly SigningKey[], options = {}) => {
    const input = files.file('content.bin', content);
    const signatures = await Promise.all(signers.map((key) => signedBy(key)));
    const signed = signTogether(input, { signatures, signingTimeMs: nowMs, ...options });
    await writeWhole(files.path('file.p7m'), signed);
    return files.path('file.p7m');
  };
  const verify = (file: string, signers: readonly SigningKey[]) =>
    verifySignedFile(file, {
      format: 'cades',
      atMs: nowMs,
      signers: signers.map(({ certificate }) => certificate),
    });

  test('wants every signer, and each as often as it is named', async () => {
    const file = await together([bruno, carla], { key: ana });
    expect(await verify(file, [ana, bruno, carla])).toEqual({ ok: true });
    const two = await together([bruno, carla]);
    expect(await verify(two, [ana, bruno, carla])).toEqual({
      ok: false,
      reasons: [expect.stringContaining('JOSÉ')],
    });
    expect(await verify(two, [bruno, bruno])).toMatchObject({ ok: false });
    expect(await verify(await together([bruno], { key: bruno }), [bruno, bruno])).toEqual({ ok: true });
  });

  test('fails where one of the signatures is broken and the others are not', async () => {
    const bytes = readFileSync(await together([bruno, carla]));
    // The file ends with the signature of one of them.
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    expect(await verify(files.file('broken.p7m', bytes), [bruno, carla])).toMatchObject({
      ok: false,
      reasons: [expect.any(String)],
    });
  });

  test('holds for fifty approvers and the profile, and a timestamp of each', async () => {
    const crowd = Array.from({ length: 50 }, (_, at) =>
      holderKey({ key: 'p256', keyName: `crowd-${at}`, commonName: `PERSON ${at} DE TESTE` }),
    );
    const file = await together(crowd, { key: ana, stamp });
    expect(await verify(file, [...crowd, ana])).toEqual({ ok: true });
    const timestamp = Buffer.from('060b2a864886f70d010910020e', 'hex');
    expect(readFileSync(file).toString('latin1').split(timestamp.toString('latin1'))).toHaveLength(52);
  });
});

describe('one file of several signers is refused', () => {
  const refused = (signers: readonly CadesSignature[], bytes: Uint8Array = content) =>
    expect(buffer(completeAttachedBy(signers, bytes))).rejects;
  const mismatch = expect.objectContaining({ name: 'ContentMismatch' });

  test('where one of them signed other content', async () => {
    const other = Buffer.alloc(content.length, 1);
    await refused([await signedBy(ana), await signedBy(bruno, other)]).toThrow(mismatch);
    await refused([await signedBy(ana), await signedBy(bruno, other, 'sha512')]).toThrow(mismatch);
    await refused([await signedBy(ana, other), await signedBy(bruno, other)]).toThrow(mismatch);
  });

  test('where a kept state names this content and its signed attributes another', async () => {
    const [mine, other] = [await signedBy(ana), await signedBy(bruno, randomBytes(5000))];
    const { content: named } = mine.state;
    await refused([mine, { ...other, state: { ...other.state, content: named } }]).toThrow(mismatch);
  });

  test('where a signature is not of the key, or nobody signed', async () => {
    const [mine, other] = [await signedBy(ana), await signedBy(bruno)];
    await refused([mine, { ...other, signature: mine.signature }]).toThrow(
      expect.objectContaining({ name: 'SignatureMismatch' }),
    );
    await refused([]).toThrow(mismatch);
  });
});
