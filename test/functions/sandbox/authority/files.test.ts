import { afterAll, describe, expect, test } from 'vitest';
import { findAuthority, signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { readPublishedFile } from '../../../../functions/sandbox/authority/domain/published.ts';
import { handler } from '../../../../functions/sandbox/authority/endpoints/get-pki-file.ts';
import { seedAuthority } from '../../../../infra/local/seed/authority.ts';
import { certificatesFromPem, writePem } from '../../../../shared/pki/pem.ts';
import { call } from '../../../requests/http-event.ts';
import { folder, hasOpenssl, openssl } from '../../../shared/signing/cms/openssl.ts';

await seedAuthority();
const authority = await findAuthority();
const files = folder();
afterAll(() => files.remove());

const get = (file: string) => call(handler, { path: `/sandbox/pki/${file}`, params: { file } });
const certificate = (name: string) => signerOf(authority, name).certificate;

describe('GET /sandbox/pki/{file}', () => {
  test.each(['root', 'intermediate', 'unreachable', 'untrusted', 'ocsp', 'tsa'])(
    'gives the certificate %s in DER, as authorityInfoAccess asks, and in PEM',
    async (name) => {
      const [der, pem] = await Promise.all([get(`${name}.crt`), get(`${name}.pem`)]);
      expect([der.status, der.headers['content-type']]).toEqual([200, 'application/pkix-cert']);
      expect(der.bytes.equals(certificate(name).der)).toBe(true);
      expect(pem.headers['content-type']).toBe('application/x-pem-file');
      expect(certificatesFromPem(pem.text).map(({ sha256 }) => sha256)).toEqual([certificate(name).sha256]);
    },
  );

  test.each([
    '52998224725.crt',
    'unreachable.crl',
    'ocsp.crl',
    'root.key',
    'root.p12',
    'constructor.crt',
    '../root.crt',
    'root',
  ])('has nothing at %s', async (file) => {
    expect((await get(file)).status).toBe(404);
  });

  test.runIf(hasOpenssl).each(['root', 'intermediate', 'untrusted'])(
    'gives a list of %s that openssl finds signed by it, fresh, and numbered',
    async (name) => {
      const { status, headers, bytes } = await get(`${name}.crl`);
      expect([status, headers['content-type']]).toEqual([200, 'application/pkix-crl']);
      const issuer = files.file(`${name}.pem`, writePem('CERTIFICATE', certificate(name).der));
      const list = files.file(`${name}.crl`, bytes);
      const { says, stdout } = openssl(
        'crl',
        '-inform',
        'DER',
        '-in',
        list,
        '-CAfile',
        issuer,
        '-noout',
        '-text',
      );
      expect(says).toContain('verify OK');
      expect(stdout.toString()).toMatch(/X509v3 CRL Number:\s+\d{10}/);
      expect(stdout.toString()).toContain('X509v3 Authority Key Identifier');
    },
  );

  test.runIf(hasOpenssl)('lists the revoked holder with the reason, and openssl believes it', async () => {
    const lists = await Promise.all(['root.crl', 'intermediate.crl'].map(get));
    const trusted = files.file(
      'trusted.pem',
      [
        writePem('CERTIFICATE', certificate('root').der),
        ...lists.map(({ bytes }) => writePem('X509 CRL', bytes)),
      ].join(''),
    );
    const between = files.file('between.pem', writePem('CERTIFICATE', certificate('intermediate').der));
    const judge = (name: string) =>
      openssl(
        'verify',
        '-crl_check_all',
        '-CAfile',
        trusted,
        '-untrusted',
        between,
        files.file('holder.pem', writePem('CERTIFICATE', certificate(name).der)),
      );
    expect(judge('52998224725')).toMatchObject({ ok: true });
    expect(judge('56072386105').says).toContain('certificate revoked');
    const { stdout } = openssl('crl', '-inform', 'DER', '-in', files.path('intermediate.crl'), '-text');
    expect(stdout.toString()).toContain('Key Compromise');
  });

  test.runIf(hasOpenssl)('numbers a later list higher', () => {
    const numberAt = (nowMs: number) => {
      const file = files.file('at.crl', readPublishedFile(authority, 'root.crl', nowMs).bytes);
      const { stdout } = openssl('crl', '-inform', 'DER', '-in', file, '-noout', '-crlnumber');
      return Number.parseInt(stdout.toString().split('0x')[1] ?? '', 16);
    };
    const nowMs = Date.now();
    expect(numberAt(nowMs + 5000)).toBe(numberAt(nowMs) + 5);
  });
});
