import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { whyNotTrusted } from '../../../infra/plugins/trust.ts';

const root = mkdtempSync(join(tmpdir(), 'sinete-trust-'));
mkdirSync(join(root, 'trust'));
writeFileSync(join(root, 'trust/roots.pem'), 'a root');
afterAll(() => rmSync(root, { recursive: true }));

const ID = '11111111-2222-4333-8444-555555555555';

test.each([
  ['Certificates__TrustAnchors', 'trust/roots.pem, /home/me/other.pem'],
  ['pki__SecurityContexts__PkiBrazil', '/home/me/other.pem'],
  ['SecurityContexts__PkiItaly', '/home/me/other.pem'],
  ['SecurityContexts__WindowsServer', '/home/me/other.pem'],
  ['batch__Signing__Policies__Pades', '/home/me/other.pem'],
  ['Signing__Policies__Cades', '/home/me/other.pem'],
  ['Signing__Policies__Xades', '/home/me/other.pem'],
  ['Branding__CustomerLogo', '/home/me/other.pem'],
  ['SecurityContexts__Others', `${ID}=trust/roots.pem, ${ID} = /home/me/other.pem`],
])('%s may not name a file that no function would have', (name, value) => {
  const setting = name.replace(/^(pki|batch)__/, '').replaceAll('__', ':');
  expect(whyNotTrusted({ [name]: value }, root)).toMatch(
    `Setting ${setting} names the file /home/me/other.pem, which no function would have.`,
  );
});

test('files of trust/, and roots given as text, are had by every function', () => {
  const given = {
    SecurityContexts__PkiBrazil: 'trust/roots.pem',
    SecurityContexts__Others: `${ID}=trust/roots.pem`,
    Certificates__TrustAnchors: '-----BEGIN CERTIFICATE-----',
  };
  expect(whyNotTrusted(given, root)).toBeUndefined();
});
