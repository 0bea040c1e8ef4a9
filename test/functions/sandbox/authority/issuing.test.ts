import { generateKeyPairSync } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { issueCertificate } from '../../../../functions/sandbox/authority/domain/issuing/certificate.ts';
import { writePem } from '../../../../shared/pki/pem.ts';
import { type Holder, type KeyKind, testPki } from '../../../certificates/pki.ts';
import { hasOpenssl, tools } from '../../../shared/pki/pkcs12/tools.ts';

const made = tools();
afterAll(() => made.remove());

/** Whether OpenSSL, at its strictest, finds the path and the purpose right. */
function judged({ certificate, chain }: Holder, purpose: string): string {
  const pem = (name: string, ders: readonly Buffer[]) =>
    made.file(name, ders.map((der) => writePem('CERTIFICATE', der)).join(''));
  const anchor = pem('root.pem', [chain.at(-1)?.der ?? certificate.der]);
  const above = pem(
    'above.pem',
    chain.map(({ der }) => der),
  );
  const args = ['-x509_strict', '-purpose', purpose, '-CAfile', anchor, '-untrusted', above];
  return made.run('openssl', ['verify', ...args, pem('own.pem', [certificate.der])]);
}

describe.skipIf(!hasOpenssl)('OpenSSL, checking strictly, accepts', () => {
  test.each(['rsa2048', 'p256', 'p384'] as KeyKind[])('what an authority with a key %s issues', (kind) => {
    const pki = testPki(kind);
    const places = { crl: ['http://a.test/c'], ocsp: ['http://a.test/o'], caIssuers: ['http://a.test/i'] };
    expect(judged(pki.holder({ key: 'p256', places }), 'smimesign')).toContain('OK');
    expect(judged(pki.timestampAuthority(), 'timestampsign')).toContain('OK');
    expect(judged(pki.ocspResponder(), 'ocsphelper')).toContain('OK');
    expect(judged(pki.intermediate, 'crlsign')).toContain('OK');
  });

  test.each(['sha256', 'sha384', 'sha512'] as const)('signatures with %s', (digest) => {
    for (const kind of ['rsa2048', 'p256'] as const)
      expect(judged(testPki(kind).holder({ key: 'p256', change: { digest } }), 'smimesign')).toContain('OK');
  });

  test('validity past 2049, which is written in another type of time', () => {
    const change = { notAfterMs: Date.UTC(2100, 0, 1) };
    const { certificate, ...rest } = testPki('p256').holder({ key: 'p256', change });
    expect(certificate.notAfterMs).toBe(change.notAfterMs);
    expect(judged({ certificate, ...rest }, 'smimesign')).toContain('OK');
  });
});

test('serial numbers are random, positive and of sixteen bytes', () => {
  const serials = Array.from(
    { length: 20 },
    () => testPki('p256').holder({ key: 'p256' }).certificate.serialHex,
  );
  expect(new Set(serials).size).toBe(20);
  for (const serial of serials) expect(serial).toMatch(/^[4-7][0-9a-f]{31}$/);
});

test('a key that is neither RSA nor EC signs no certificate', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const issuance = { subject: [], publicKey, issuer: { privateKey }, notBeforeMs: 0, notAfterMs: 1 };
  expect(() => issueCertificate(issuance)).toThrow('not with ed25519');
});
