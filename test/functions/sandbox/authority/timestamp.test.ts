import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { findAuthority, signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { handler } from '../../../../functions/sandbox/authority/endpoints/issue-pki-timestamp.ts';
import { seedAuthority } from '../../../../infra/local/seed/authority.ts';
import { writePem } from '../../../../shared/pki/pem.ts';
import { call } from '../../../requests/http-event.ts';
import { folder, hasOpenssl, openssl } from '../../../shared/signing/cms/openssl.ts';

await seedAuthority();
const authority = await findAuthority();
const files = folder();
for (const name of ['root', 'intermediate', 'untrusted', 'tsa'])
  files.file(`${name}.pem`, writePem('CERTIFICATE', signerOf(authority, name).certificate.der));
files.file('data', 'what existed then');
afterAll(() => files.remove());

function query(...more: string[]): Buffer {
  openssl('ts', '-query', '-data', files.path('data'), ...more, '-out', files.path('query.tsq'));
  return readFileSync(files.path('query.tsq'));
}

const asked = (body: Uint8Array) =>
  call(handler, {
    path: '/sandbox/pki/timestamp',
    body,
    headers: { 'Content-Type': 'application/timestamp-query' },
  });

const verified = (root: string, ...more: string[]) =>
  openssl(
    'ts',
    '-verify',
    '-queryfile',
    files.path('query.tsq'),
    '-in',
    files.path('reply.tsr'),
    '-CAfile',
    files.path(`${root}.pem`),
    '-untrusted',
    files.path('intermediate.pem'),
    ...more,
  );

describe.runIf(hasOpenssl)('POST /sandbox/pki/timestamp, judged by openssl', () => {
  test.each(['sha256', 'sha384', 'sha512', 'sha3-256'])('stamps a %s hash', async (digest) => {
    const { status, headers, bytes } = await asked(query(`-${digest}`, '-cert'));
    expect([status, headers['content-type']]).toEqual([200, 'application/timestamp-reply']);
    files.file('reply.tsr', bytes);
    expect(verified('root')).toMatchObject({ ok: true });
    expect(verified('untrusted')).toMatchObject({ ok: false });
  });

  test('leaves the certificates out when they are not asked for', async () => {
    files.file('reply.tsr', (await asked(query('-sha256'))).bytes);
    expect(verified('root')).toMatchObject({ ok: false });
    const both = ['tsa', 'intermediate'].map((name) => readFileSync(files.path(`${name}.pem`), 'utf8'));
    const given = verified('root', '-untrusted', files.file('both.pem', both.join('')));
    expect(given).toMatchObject({ ok: true });
  });

  test('says no in the words of RFC 3161 to what it cannot stamp', async () => {
    const reply = async (body: Uint8Array) => {
      const { status, bytes } = await asked(body);
      expect(status).toBe(200);
      const { stdout } = openssl('ts', '-reply', '-in', files.file('no.tsr', bytes), '-text');
      return stdout.toString();
    };
    expect(await reply(query('-sha1'))).toMatch(/Status: Rejected[\s\S]*unrecognized or unsupported/);
    expect(await reply(Buffer.from('hello'))).toMatch(/Status: Rejected/);
    expect(await reply(query('-sha256', '-tspolicy', '1.2.3.4'))).toMatch(/requested TSA policy/);
  });

  test('never gives one number twice', async () => {
    const body = query('-sha256', '-cert');
    const replies = await Promise.all([asked(body), asked(body)]);
    const numbers = replies.map(({ bytes }, n) => {
      const { stdout } = openssl('ts', '-reply', '-in', files.file(`${n}.tsr`, bytes), '-text');
      return /Serial number: (0x[0-9A-F]+)/.exec(stdout.toString())?.[1];
    });
    expect(new Set(numbers).size).toBe(2);
    expect(numbers[0]).toBeDefined();
  });
});
