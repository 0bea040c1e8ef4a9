import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  extendedKeyUsageOf,
  ocspNoCheckOf,
} from '../../../../functions/sandbox/authority/domain/issuing/extensions.ts';
import { writePem } from '../../../../shared/pki/pem.ts';
import { ocspRequest } from '../../../../shared/pki/revocation/ocsp/request.ts';
import { judge } from '../../../../shared/pki/verdict/verdict.ts';
import type { Holder } from '../../../certificates/pki.ts';
import { authority, holder, root } from '../path/chain.ts';
import { makeCrl } from './make-crl.ts';

const isMissing = spawnSync('openssl', ['version']).error !== undefined;
if (isMissing && process.env.CI) throw new Error('CI judges with openssl, which is not installed.');
if (isMissing) console.warn('openssl is not installed: what it would judge is skipped.');

const folder = mkdtempSync(join(tmpdir(), 'revocation-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const openssl = (...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
};

const pem = ({ certificate }: Holder): string => writePem('CERTIFICATE', certificate.der);
const key = ({ privateKey }: Holder): string => privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;

// openssl uses the system's clock, so the dates are around today.
const NOW_MS = Date.now();
const HOUR_MS = 3_600_000;
const times = { thisUpdateMs: NOW_MS - HOUR_MS, nextUpdateMs: NOW_MS + HOUR_MS };
const issuer = authority('Issuer');
const good = holder('Good', {}, issuer);
const bad = holder('Bad', {}, issuer);
const responder = holder(
  'Responder',
  { extensions: [extendedKeyUsageOf(['ocspSigning']), ocspNoCheckOf()] },
  issuer,
);

const yymmdd = (ms: number): string => `${new Date(ms).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`;
const index = [
  `V\t${yymmdd(good.certificate.notAfterMs)}\t\t${good.certificate.serialHex.toUpperCase()}\tunknown\t/CN=Good`,
  `R\t${yymmdd(bad.certificate.notAfterMs)}\t${yymmdd(NOW_MS - HOUR_MS)},keyCompromise\t${bad.certificate.serialHex.toUpperCase()}\tunknown\t/CN=Bad`,
  '',
].join('\n');

const judged = async (of: Holder, more: { crls?: Buffer[]; ocspResponses?: Buffer[] }) => {
  const { status } = await judge(of.certificate, {
    anchors: [root().certificate],
    intermediates: of.chain,
    ...more,
    crls: [makeCrl(root(), times), ...(more.crls ?? [])],
    atMs: Date.now(),
  });
  return status;
};

describe.skipIf(isMissing)('openssl', () => {
  test.each([
    ['good', good, 'ACTIVE'],
    ['revoked', bad, 'REVOKED'],
  ])('answers our question about a certificate that is %s, and we understand', async (_, of, expected) => {
    const nonce = Buffer.alloc(16, 5);
    const request = file('request.der', ocspRequest(of.certificate, issuer.certificate, nonce));
    expect(openssl('ocsp', '-reqin', request, '-req_text')).toContain(of.certificate.serialHex.toUpperCase());
    const args = [
      ['-index', file('index.txt', index)],
      ['-CA', file('issuer.pem', pem(issuer))],
      ['-rsigner', file('responder.pem', pem(responder))],
      ['-rkey', file('responder.key', key(responder))],
      ['-reqin', request],
      ['-respout', join(folder, 'response.der')],
      ['-ndays', '1'],
    ].flat();
    openssl('ocsp', ...args);
    const response = readFileSync(join(folder, 'response.der'));
    expect(await judged(of, { ocspResponses: [response] })).toBe(expected);
  });

  test.each([
    ['good', good, 'ACTIVE', true],
    ['revoked', bad, 'REVOKED', false],
  ])('agrees with us on lists and chains of a certificate that is %s', async (name, of, expected, isOk) => {
    const list = makeCrl(issuer, {
      ...times,
      revoked: [{ certificate: bad.certificate, revokedAtMs: NOW_MS - HOUR_MS }],
    });
    expect(await judged(of, { crls: [list] })).toBe(expected);
    const trusted = [
      writePem('X509 CRL', list),
      writePem('X509 CRL', makeCrl(root(), times)),
      pem(root()),
    ].join('');
    const { status } = spawnSync('openssl', [
      ...['verify', '-crl_check_all', '-CAfile', file('trusted.pem', trusted)],
      ...['-untrusted', file('issuer.pem', pem(issuer)), file(`${name}.pem`, pem(of))],
    ]);
    expect(status === 0).toBe(isOk);
  });

  test('makes lists that we understand', async () => {
    const config = [
      '[ca]\ndefault_ca=c\n[c]',
      `database=${file('index.txt', index)}`,
      `crlnumber=${file('crlnumber', '01\n')}`,
      'default_md=sha256\ndefault_crl_days=1\n',
    ].join('\n');
    const args = ['-cert', file('issuer.pem', pem(issuer)), '-keyfile', file('issuer.key', key(issuer))];
    openssl('ca', '-gencrl', '-config', file('ca.cnf', config), ...args, '-out', join(folder, 'list.pem'));
    openssl('crl', '-in', join(folder, 'list.pem'), '-outform', 'DER', '-out', join(folder, 'list.der'));
    const crls = [readFileSync(join(folder, 'list.der'))];
    expect(await judged(good, { crls })).toBe('ACTIVE');
    expect(await judged(bad, { crls })).toBe('REVOKED');
  });
});
