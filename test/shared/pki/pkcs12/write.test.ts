import { X509Certificate } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { openPkcs12 } from '../../../../shared/pki/pkcs12/open.ts';
import { writePkcs12 } from '../../../../shared/pki/pkcs12/write.ts';
import { testPki } from '../../../certificates/pki.ts';
import { hasNss, hasOpenssl, tools } from './tools.ts';

const made = tools();
afterAll(() => made.remove());
const pki = testPki('p256');
const rsa = pki.holder({ key: 'rsa2048' });
const ec = pki.holder({ key: 'p256' });

describe('a written file', () => {
  test.each(['1234', '', 'pínç€ 12', '🔑'])('opens again under %j', async (password) => {
    for (const holder of [rsa, ec]) {
      const { entries, others } = await openPkcs12(await writePkcs12(holder, password, 100), password);
      expect(entries).toHaveLength(1);
      expect(entries[0]?.certificate.sha256).toBe(holder.certificate.sha256);
      expect(entries[0]?.chain.map(({ sha256 }) => sha256)).toEqual(holder.chain.map(({ sha256 }) => sha256));
      expect(entries[0]?.privateKey.equals(holder.privateKey)).toBe(true);
      expect(others).toEqual([]);
    }
  });

  test.skipIf(!hasOpenssl)('is read by OpenSSL, with the ciphers it claims and the chain', async () => {
    const bytes = await writePkcs12({ ...rsa, friendlyName: 'José' }, 'pínç€', 2000);
    const args = ['pkcs12', '-in', made.file('ours.p12', bytes), '-passin', 'pass:pínç€', '-noenc', '-info'];
    const said = made.run('openssl', args);
    expect(said).toContain('MAC: sha256, Iteration 2000');
    expect(said.match(/PBES2, PBKDF2, AES-256-CBC, Iteration 2000, PRF hmacWithSHA256/g)).toHaveLength(2);
    const blocks = said.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    expect(
      blocks.map((pem) => new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase()),
    ).toEqual([rsa.certificate, ...rsa.chain].map(({ sha256 }) => sha256));
    expect(said).toContain('-----BEGIN PRIVATE KEY-----');
  });

  test.skipIf(!hasOpenssl || !hasNss)('is read by NSS', async () => {
    const bytes = await writePkcs12({ ...rsa, friendlyName: 'holder' }, '1234', 2000);
    const said = made.run('pk12util', [
      '-l',
      made.file('ours.p12', bytes),
      '-d',
      'sql:/nonexistent',
      '-W',
      '1234',
    ]);
    expect(said).toContain('Friendly Name: holder');
  });
});
