import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { writePem } from '../../../../shared/pki/pem.ts';
import { completeAttached, completeDetached } from '../../../../shared/signing/cades/complete.ts';
import { measure } from '../../../../shared/signing/cades/content.ts';
import { readExisting } from '../../../../shared/signing/cades/existing.ts';
import { type CadesState, prepareCades } from '../../../../shared/signing/cades/prepare.ts';
import { cosignAttached, signAttached, signDetached } from '../../../../shared/signing/cades/sign.ts';
import { encodePem } from '../../../../shared/signing/cms/pem.ts';
import type { SigningDigest } from '../../../../shared/signing/digest.ts';
import { holderKey, pki, trustPem } from '../cms/fixtures.ts';
import { folder, hasOpenssl, openssl, opensslVerifies } from '../cms/openssl.ts';

const files = folder();
afterAll(() => files.remove());

const content = randomBytes(5000);
const contentFile = files.file('content.bin', content);
const trust = files.file('trust.pem', trustPem());
const options = { signingTimeMs: Date.now() };
const rsa = holderKey();
const ec = holderKey({ key: 'p256', commonName: 'MARIA DE TESTE:11144477735' });

const judged = (signature: Buffer, ...more: string[]) => opensslVerifies(files, signature, { trust, more });

const good = { ok: true, says: 'CAdES Verification successful\n' };

describe.skipIf(!hasOpenssl)('CAdES, judged by openssl with CRLs', () => {
  test.each([0, 1, 100, 127, 128, 255, 256, 65_535, 65_536, 70_000])(
    'an attached signature is good and gives its content of %i bytes back',
    async (size) => {
      const some = randomBytes(size);
      expect(judged(await buffer(signAttached(() => some, rsa, options)))).toMatchObject(good);
      expect(readFileSync(files.path('out.bin'))).toEqual(some);
    },
  );

  test('a detached co-signature is good for both signers', async () => {
    const measured = await measure(content, 'sha256');
    const first = await signDetached(measured, rsa, options);
    const { split: onto } = await readExisting(first, 'sha256');
    const both = await signDetached(measured, ec, { ...options, onto });
    expect(judged(both, '-content', contentFile)).toMatchObject(good);
  });

  test('an attached co-signature with another digest is good for three signers', async () => {
    const one = await buffer(signAttached(() => content, rsa, options));
    const two = await buffer(cosignAttached(() => one, ec, { ...options, digest: 'sha512' }));
    const three = await buffer(cosignAttached(() => two, rsa, { ...options, digest: 'sha384' }));
    expect(judged(three)).toMatchObject(good);
    expect(readFileSync(files.path('out.bin'))).toEqual(content);
  });

  test('a co-signature on what openssl wrote in BER, with content in pieces, is good for both', async () => {
    const { privateKey, certificate } = pki.holder();
    const made = openssl(
      ...['cms', '-sign', '-cades', '-binary', '-nodetach', '-stream', '-outform', 'DER', '-in', contentFile],
      ...[
        '-signer',
        files.file('signer.pem', writePem('CERTIFICATE', certificate.der)),
        '-inkey',
        files.file('signer.key', privateKey.export({ format: 'pem', type: 'pkcs8' })),
      ],
      ...[
        '-certfile',
        files.file('ca.pem', writePem('CERTIFICATE', pki.intermediate.certificate.der)),
        '-out',
        files.path('openssl.p7m'),
      ],
    );
    expect(made).toMatchObject({ ok: true });
    const ber = readFileSync(files.path('openssl.p7m'));
    expect(ber[1]).toBe(0x80);
    expect(judged(await buffer(cosignAttached(() => ber, ec, options)))).toMatchObject(good);
    expect(readFileSync(files.path('out.bin'))).toEqual(content);
  });

  test('PEM text of it is good, however the bytes come', async () => {
    const der = await buffer(signAttached(() => content, rsa, options));
    const text = await buffer(encodePem(inPieces(der, 7)));
    const file = files.file('signature.pem', text);
    const args = ['cms', '-verify', '-cades', '-binary', '-inform', 'PEM', '-in', file];
    expect(
      openssl(...args, '-CAfile', trust, '-purpose', 'any', '-out', files.path('out.bin')),
    ).toMatchObject(good);
  });

  test('a revoked signer is refused by the judge, so that its CRLs are seen to be read', async () => {
    const revoking = files.file('revoking.pem', trustPem([rsa.certificate]));
    const signature = await signDetached(await measure(content, 'sha256'), rsa, options);
    expect(judged(signature, '-content', contentFile, '-CAfile', revoking)).toMatchObject({ ok: false });
  });
});

describe('CAdES in two steps', () => {
  test('keeps a state that survives JSON and does not grow with the content', async () => {
    const size = async (bytes: number) => {
      const measured = await measure(Buffer.alloc(bytes), 'sha256');
      return JSON.stringify(prepareCades(measured, { ...rsa, ...options }).state).length;
    };
    expect(await size(5_000_000)).toBeLessThan((await size(1)) + 20);
    expect(await size(5_000_000)).toBeLessThan(12_000);
  });

  test('completes from the state and the signature alone to what one step makes', async () => {
    const measured = await measure(content, 'sha256');
    const { digest, hash, state } = prepareCades(measured, { ...rsa, ...options });
    const kept: CadesState = JSON.parse(JSON.stringify(state));
    const signature = await rsa.signHash(digest, hash);
    expect(completeDetached(kept, signature)).toEqual(await signDetached(measured, rsa, options));
    expect(await buffer(completeAttached(kept, signature, content))).toEqual(
      await buffer(signAttached(() => content, rsa, options)),
    );
  });

  test('needs the digest of the content alone where the signature stands apart, and says so where it does not', async () => {
    const { hash } = await measure(content, 'sha256');
    const digestAlone = await signDetached({ hash }, rsa, options);
    expect(digestAlone).toEqual(await signDetached(await measure(content, 'sha256'), rsa, options));
    const { state } = prepareCades({ hash }, { ...rsa, ...options });
    const signature = await rsa.signHash('sha256', hash);
    await expect(buffer(completeAttached(state, signature, content))).rejects.toThrow(/completeDetached/);
    const cut = { hash: hash.subarray(1) };
    await expect(signDetached(cut, rsa, options)).rejects.toMatchObject({ reason: 'hash-length' });
  });

  test.each(['rsa2048', 'p256'] as const)(
    'refuses a signature by %s that is over something else',
    async (key) => {
      const signer = holderKey({ key });
      const { state } = prepareCades(await measure(content, 'sha256'), { ...signer, ...options });
      const other = await signer.signHash('sha256', Buffer.alloc(32));
      for (const signature of [other, Buffer.alloc(256), Buffer.alloc(0), Buffer.from('30030201ff', 'hex')])
        expect(() => completeDetached(state, signature)).toThrow(
          expect.objectContaining({ name: 'SignatureMismatch' }),
        );
    },
  );

  test('ends an attached signature with an error, and not with a file, when the content changed meanwhile', async () => {
    const { digest, hash, state } = prepareCades(await measure(content, 'sha256'), { ...rsa, ...options });
    const signature = await rsa.signHash(digest, hash);
    const changed = Buffer.from(content);
    changed[17] = (changed[17] ?? 0) ^ 1;
    const longer = (async function* () {
      yield content;
      yield Buffer.from('more');
    })();
    for (const other of [changed, content.subarray(1), Buffer.concat([content, content]), longer])
      await expect(buffer(completeAttached(state, signature, other))).rejects.toThrow(
        expect.objectContaining({ name: 'ContentMismatch' }),
      );
  });

  test('refuses to sign with SHA-1, whoever asks', async () => {
    const digest = 'sha1' as SigningDigest;
    const measured = await measure(content, digest);
    expect(() => prepareCades(measured, { ...rsa, ...options, digest })).toThrow(
      expect.objectContaining({ reason: 'digest-not-allowed' }),
    );
  });
});

describe('a co-signature', () => {
  test('leaves what earlier signers wrote as it stands, byte for byte', async () => {
    const one = await buffer(signAttached(() => content, rsa, options));
    const two = await buffer(cosignAttached(() => one, ec, { ...options, digest: 'sha512' }));
    const { split: before } = await readExisting(one, 'sha256');
    const { split: after } = await readExisting(two, 'sha256');
    expect(after.signerInfos).toHaveLength(2);
    expect(after.signerInfos).toContainEqual(before.signerInfos[0]);
    for (const certificate of before.certificates) expect(after.certificates).toContainEqual(certificate);
    expect(after.certificates).toHaveLength(4); // two signers under one chain
  });

  test('over other content than the earlier signatures is refused', async () => {
    const first = await signDetached(await measure(content, 'sha256'), rsa, options);
    const { split: onto } = await readExisting(first, 'sha256');
    const other = await measure(Buffer.from('other'), 'sha256');
    await expect(signDetached(other, ec, { ...options, onto })).rejects.toThrow(
      expect.objectContaining({ name: 'ContentMismatch' }),
    );
  });

  test('that would lose the content of an attached signature is refused', async () => {
    const { split: onto } = await readExisting(
      await buffer(signAttached(() => content, rsa, options)),
      'sha256',
    );
    await expect(signDetached(await measure(content, 'sha256'), ec, { ...options, onto })).rejects.toThrow(
      expect.objectContaining({ name: 'ContentMismatch' }),
    );
  });
});

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
