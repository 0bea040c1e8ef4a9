import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import {
  extendedKeyUsageOf,
  keyUsageOf,
} from '../../../../functions/sandbox/authority/domain/issuing/extensions.ts';
import { answerTimestamp } from '../../../../functions/sandbox/authority/domain/issuing/timestamp.ts';
import { writePem } from '../../../../shared/pki/pem.ts';
import { measure } from '../../../../shared/signing/cades/content.ts';
import { signAttached, signDetached } from '../../../../shared/signing/cades/sign.ts';
import { verifyCades } from '../../../../shared/signing/cades/verify.ts';
import { hashOf } from '../../../../shared/signing/digest.ts';
import { requestTimestamp, stampWith } from '../../../../shared/signing/timestamp/client.ts';
import { verifyTimestamp } from '../../../../shared/signing/timestamp/verify.ts';
import { below, testKey } from '../../../certificates/pki.ts';
import { holderKey, judge, keyOf, pki, trustPem } from '../cms/fixtures.ts';
import { flips, signedRanges } from '../cms/flips.ts';
import { folder, hasOpenssl, openssl, opensslVerifies } from '../cms/openssl.ts';
import { authority, POLICY, reaching } from './fixtures.ts';

const files = folder();
afterAll(() => files.remove());

const data = randomBytes(1000);
const dataFile = files.file('data', data);
const root = files.file('root.pem', writePem('CERTIFICATE', pki.root.certificate.der));
const sub = files.file('sub.pem', writePem('CERTIFICATE', pki.intermediate.certificate.der));
const now = Date.now();
const context = { judge, atMs: now };
const over = (bytes: Buffer) => (digest: Parameters<typeof hashOf>[0]) => hashOf(digest, bytes);

const tokenOver = async (bytes: Buffer, of: Parameters<typeof reaching>[0] = {}) =>
  (await requestTimestamp('sha256', hashOf('sha256', bytes), { ...reaching(of), clockToleranceMs: 1e13 }))
    .token;

describe.skipIf(!hasOpenssl)('the sandbox timestamp authority, judged by openssl', () => {
  test.each([
    ['sha256', ['-cert']],
    ['sha384', ['-cert']],
    ['sha512', ['-cert', '-no_nonce']],
    ['sha256', ['-cert', '-tspolicy', POLICY]],
  ])('answers a %s query of openssl (%j) with what openssl verifies', async (digest, args) => {
    openssl('ts', '-query', '-data', dataFile, `-${digest}`, ...args, '-out', files.path('q.tsq'));
    const reply = files.file('r.tsr', await answerTimestamp(readFileSync(files.path('q.tsq')), authority));
    const verify = ['ts', '-verify', '-in', reply, '-CAfile', root, '-untrusted', sub];
    expect(openssl(...verify, '-queryfile', files.path('q.tsq'))).toMatchObject({ ok: true });
    expect(openssl(...verify, '-data', dataFile)).toMatchObject({ ok: true });
    const other = files.file('other', Buffer.concat([data, data]));
    expect(openssl(...verify, '-data', other)).toMatchObject({ ok: false });
  });

  test.each([
    [['-sha1', '-cert'], /badAlg|unrecognized or unsupported algorithm/],
    [['-sha256', '-tspolicy', '1.2.3.4'], /policy/],
  ])('refuses a query of openssl (%j) in words that openssl reads', async (args, words) => {
    openssl('ts', '-query', '-data', dataFile, ...args, '-out', files.path('q.tsq'));
    const reply = files.file('r.tsr', await answerTimestamp(readFileSync(files.path('q.tsq')), authority));
    expect(openssl('ts', '-reply', '-in', reply, '-text').stdout.toString()).toMatch(words);
  });

  test('has tokens of RSA and EC authorities that openssl verifies', async () => {
    const key = keyOf(pki.timestampAuthority('p256'));
    openssl('ts', '-query', '-data', dataFile, '-sha256', '-cert', '-out', files.path('q.tsq'));
    const reply = files.file(
      'r.tsr',
      await answerTimestamp(readFileSync(files.path('q.tsq')), { ...authority, key }),
    );
    const verify = ['ts', '-verify', '-in', reply, '-CAfile', root, '-untrusted', sub];
    expect(openssl(...verify, '-queryfile', files.path('q.tsq'))).toMatchObject({ ok: true });
  });

  test('is one of two: a token that openssl makes is taken by the client as well', async () => {
    const { certificate, privateKey } = pki.timestampAuthority();
    const config = files.file(
      'tsa.cnf',
      `[tsa]\ndefault_tsa=t\n[t]\nserial=${files.path('serial')}\nsigner_cert=${files.file('tsa.pem', writePem('CERTIFICATE', certificate.der))}
signer_key=${files.file('tsa.key', privateKey.export({ format: 'pem', type: 'pkcs8' }))}\ncerts=${sub}
signer_digest=sha256\ndefault_policy=${POLICY}\ndigests=sha256\naccuracy=secs:1,millisecs:500\ness_cert_id_chain=no\ncrypto_device=builtin\n`,
    );
    for (const algorithm of ['sha1', 'sha256']) {
      const post = async (_: string, body: Buffer) => {
        const query = files.file('c.tsq', body);
        const settings = files.file('a.cnf', `${readFileSync(config, 'utf8')}ess_cert_id_alg=${algorithm}\n`);
        const made = openssl(
          'ts',
          '-reply',
          '-config',
          settings,
          '-queryfile',
          query,
          '-out',
          files.path('c.tsr'),
        );
        expect(made).toMatchObject({ ok: true });
        return { status: 200, bytes: readFileSync(files.path('c.tsr')) };
      };
      const { info, token } = await requestTimestamp('sha256', hashOf('sha256', data), {
        ...reaching(),
        post,
      });
      expect(info.accuracyMs).toBe(1500);
      expect(await verifyTimestamp(token, over(data), context)).toMatchObject({ valid: true });
    }
  });
});

test.skipIf(!hasOpenssl)('a token that is signed over SHA-1 today proves nothing', async () => {
  const { certificate, privateKey } = pki.timestampAuthority();
  const config = files.file(
    'sha1.cnf',
    `[tsa]\ndefault_tsa=t\n[t]\nserial=${files.path('serial1')}\nsigner_cert=${files.file('tsa1.pem', writePem('CERTIFICATE', certificate.der))}
signer_key=${files.file('tsa1.key', privateKey.export({ format: 'pem', type: 'pkcs8' }))}\ncerts=${sub}
signer_digest=sha1\ndefault_policy=${POLICY}\ndigests=sha1,sha256\ness_cert_id_chain=no\ness_cert_id_alg=sha256\ncrypto_device=builtin\n`,
  );
  const [query, reply] = [files.path('w.tsq'), files.path('w.tsr')];
  openssl('ts', '-query', '-data', dataFile, '-sha256', '-cert', '-out', query);
  const made = openssl('ts', '-reply', '-config', config, '-queryfile', query, '-token_out', '-out', reply);
  expect(made).toMatchObject({ ok: true });
  const weak = await verifyTimestamp(readFileSync(reply), over(data), context);
  expect(weak).toMatchObject({ valid: false, intact: true, verdict: { status: 'ACTIVE' } });
  expect(weak.results.errors.map(({ type }) => type)).toEqual(['AlgorithmNotAllowed']);
});

describe('a timestamp token', () => {
  test('is valid over the stamped bytes, and has its time', async () => {
    const report = await verifyTimestamp(await tokenOver(data), over(data), context);
    expect(report).toMatchObject({
      valid: true,
      intact: true,
      verdict: { status: 'ACTIVE' },
      info: { policy: POLICY },
    });
    expect(Math.abs((report.info?.timeMs ?? 0) - now)).toBeLessThan(60_000);
  });

  test('of a time to come is no proof', async () => {
    const inDays = (days: number) => tokenOver(data, { now: () => now + days * 86_400_000 });
    const report = await verifyTimestamp(await inDays(5), over(data), context);
    expect(report).toMatchObject({ valid: false, intact: true, verdict: { status: 'ACTIVE' } });
    expect(report.results.errors.map(({ type }) => type)).toEqual(['UncertifiedDateReference']);
    const minutes = await verifyTimestamp(await inDays(1 / 1440), over(data), context);
    expect(minutes.valid).toBe(true); // clocks differ
  });

  test('by a key that is not for signatures is refused', async () => {
    const key = keyOf(
      below(pki.intermediate, testKey('rsa2048', 'for encryption'), () => ({
        subject: [['commonName', 'For encryption']],
        extensions: [keyUsageOf(['keyEncipherment']), extendedKeyUsageOf(['timeStamping'], true)],
      })),
    );
    await expect(tokenOver(data, { key })).rejects.toThrow(/is not for signatures/);
  });

  test('over something else is refused', async () => {
    const report = await verifyTimestamp(await tokenOver(data), over(Buffer.from('other')), context);
    expect(report).toMatchObject({ valid: false, intact: false, verdict: undefined });
    expect(report.results.errors[0]?.type).toBe('TimestampMessageImprintMismatch');
  });

  test('is refused whichever byte of what is signed is another', async () => {
    const token = await tokenOver(data);
    for (const { at, changed } of flips(token, signedRanges(token, authority.key.certificate.der), 5)) {
      const { valid } = await verifyTimestamp(changed, over(data), context);
      expect(valid, `byte ${at}`).toBe(false);
    }
  });

  test('for a time when its authority was not certified is refused', async () => {
    const token = tokenOver(data, { now: () => Date.UTC(2050, 0, 1) });
    await expect(token).rejects.toThrow(/was not valid/);
  });
});

describe('a signature with a timestamp', () => {
  const key = holderKey();
  const stamp = stampWith(reaching());
  const options = { signingTimeMs: now, stamp };

  test.skipIf(!hasOpenssl)('is good to openssl, which reads past the timestamp', async () => {
    const signature = await buffer(signAttached(() => data, key, options));
    const trust = files.file('trust.pem', trustPem());
    expect(opensslVerifies(files, signature, { trust })).toMatchObject({ ok: true });
  });

  test.each(['sha256', 'sha384', 'sha512'] as const)('proves when it was made, with %s', async (digest) => {
    const signature = await signDetached(await measure(data, digest), key, { ...options, digest });
    const report = await verifyCades(signature, { ...context, content: data });
    const [signer] = report.signers;
    expect(report.valid).toBe(true);
    expect(signer?.timestamps).toMatchObject([{ valid: true }]);
    expect(Math.abs((signer?.provenTimeMs ?? 0) - now)).toBeLessThan(60_000);
    expect(signer?.judgedAtMs).toBe(signer?.provenTimeMs);
    expect(signer?.results.warnings).toEqual([]);
  });

  test('stays valid after its certificate expires; one without does not', async () => {
    const later = { ...context, atMs: key.certificate.notAfterMs + 1000 };
    const stamped = await buffer(signAttached(() => data, key, options));
    const plain = await buffer(signAttached(() => data, key, { signingTimeMs: now }));
    expect(await verifyCades(stamped, later)).toMatchObject({ valid: true });
    expect(await verifyCades(plain, later)).toMatchObject({
      valid: false,
      signers: [{ verdict: { status: 'EXPIRED' } }],
    });
  });

  test('over something else is refused', async () => {
    const wrong = async () => tokenOver(Buffer.from('something else'));
    const report = await verifyCades(
      await buffer(signAttached(() => data, key, { ...options, stamp: wrong })),
      context,
    );
    expect(report).toMatchObject({ valid: false, signers: [{ intact: true, provenTimeMs: undefined }] });
    expect(report.signers[0]?.results.errors.map(({ type }) => type)).toEqual(['InvalidSignatureTimestamp']);
  });

  test('that cannot be read is refused', async () => {
    const wrong = async () => Buffer.from('0500', 'hex');
    const report = await verifyCades(
      await buffer(signAttached(() => data, key, { ...options, stamp: wrong })),
      context,
    );
    expect(report.signers[0]?.results.errors.map(({ type }) => type)).toEqual(['InvalidSignatureTimestamp']);
  });

  test('of an untrusted authority is ignored, and the time of verification counts', async () => {
    const doubting: typeof judge = async (certificate, ...more) => {
      const verdict = await judge(certificate, ...more);
      const isAuthority = certificate.subject.text.includes('Carimbo');
      return isAuthority ? { ...verdict, status: 'UNTRUSTED' } : verdict;
    };
    const signature = await buffer(signAttached(() => data, key, options));
    const report = await verifyCades(signature, { ...context, judge: doubting });
    expect(report).toMatchObject({ valid: true, signers: [{ provenTimeMs: undefined, judgedAtMs: now }] });
    expect(report.signers[0]?.results.warnings.map(({ type }) => type)).toContain(
      'SignatureTimestampIgnored',
    );
  });

  test('is not requested when the signature is wrong', async () => {
    let asked = 0;
    const counting = async () => {
      asked++;
      return Buffer.alloc(0);
    };
    const wrong = { ...key, signHash: async () => Buffer.alloc(256) };
    await expect(
      signDetached(await measure(data, 'sha256'), wrong, { ...options, stamp: counting }),
    ).rejects.toThrow(expect.objectContaining({ name: 'SignatureMismatch' }));
    expect(asked).toBe(0);
  });
});
