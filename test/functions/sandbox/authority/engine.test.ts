import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crlAddresses } from '../../../../shared/pki/extensions/locations.ts';
import { writePem } from '../../../../shared/pki/pem.ts';
import { openPkcs12 } from '../../../../shared/pki/pkcs12/open.ts';
import { type SharedEngine, sharedEngine } from '../../../servers/shared-engine.ts';
import { type Folder, folder, hasOpenssl, openssl } from '../../../shared/signing/cms/openssl.ts';

let engine: SharedEngine;
let files: Folder;
beforeAll(async () => {
  engine = await sharedEngine();
  files = folder();
}, 120_000);
afterAll(() => files.remove());

const pki = (...path: string[]) => join(engine.dataDir, 'pki', ...path);

async function holder(cpf: string) {
  const { entries } = await openPkcs12(readFileSync(pki('holders', `${cpf}.p12`)), '1234');
  const [entry] = entries;
  if (!entry) throw new Error(`No key in the file of ${cpf}.`);
  return entry.certificate;
}

describe('the authority of the engine', () => {
  test('has certificates that name its own address', async () => {
    expect(crlAddresses(await holder('52998224725'))).toEqual([`${engine.url}/sandbox/pki/intermediate.crl`]);
  });

  test('serves the root that is in the folder', async () => {
    const served = await (await fetch(`${engine.url}/sandbox/pki/root.pem`)).text();
    expect(served).toBe(readFileSync(pki('root.crt'), 'utf8'));
  });

  test.runIf(hasOpenssl)('answers openssl about holders', async () => {
    const asked = async (cpf: string) => {
      const certificate = files.file(`${cpf}.pem`, writePem('CERTIFICATE', (await holder(cpf)).der));
      return openssl(
        'ocsp',
        '-url',
        `${engine.url}/sandbox/pki/ocsp`,
        '-issuer',
        pki('intermediate.crt'),
        '-cert',
        certificate,
        '-CAfile',
        pki('root.crt'),
        '-verify_other',
        pki('intermediate.crt'),
      );
    };
    const [good, revoked] = [await asked('52998224725'), await asked('56072386105')];
    expect([good.says, revoked.says].join()).toMatch(/Response verify OK[\s\S]*Response verify OK/);
    expect(good.stdout.toString()).toContain(': good');
    expect(revoked.stdout.toString()).toContain(': revoked');
  });

  test.runIf(hasOpenssl)('stamps what openssl asks it to', async () => {
    const query = files.path('query.tsq');
    openssl('ts', '-query', '-data', pki('root.crt'), '-sha256', '-cert', '-out', query);
    const reply = await fetch(`${engine.url}/sandbox/pki/timestamp`, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query' },
      body: readFileSync(query),
    });
    const answer = files.file('reply.tsr', Buffer.from(await reply.arrayBuffer()));
    const trust = ['-CAfile', pki('root.crt'), '-untrusted', pki('intermediate.crt')];
    expect(openssl('ts', '-verify', '-queryfile', query, '-in', answer, ...trust)).toMatchObject({
      ok: true,
    });
  });

  test('answers OCSP by GET with every character that Base64 has', async () => {
    const request = Buffer.from('3003fffbff', 'hex').toString('base64');
    expect(request).toMatch(/[+/]/);
    const answer = await fetch(`${engine.url}/sandbox/pki/ocsp/${request}//+`);
    expect(answer.headers.get('content-type')).toBe('application/ocsp-response');
  });
});
