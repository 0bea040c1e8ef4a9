import { verify } from 'node:crypto';
import fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writePkcs12 } from '../../shared/pki/pkcs12/write.ts';
import { type Holder, testPki } from '../certificates/pki.ts';
import { runs } from '../faults/fuzz.ts';
import {
  certificateBag,
  fileOf,
  hasNss,
  hasOpenssl,
  keyBag,
  shroudedKeyBag,
  tools,
} from '../shared/pki/pkcs12/tools.ts';
import { describeInChromium, openBrowser, watch } from './chromium.ts';
import { pageOf } from './page-of.ts';

// The page under test opens a file as pages do, and signs with the key in it.
const MODULE = `
  import { openPkcs12 } from './shared/ui/browser/open-pkcs12.ts';
  import { sign } from './shared/ui/browser/signing-key.ts';
  import { fromBase64, toBase64 } from './shared/ui/browser/bytes.ts';
  globalThis.openAndSign = async (file, password, data) => {
    try {
      const { key, certificate } = await openPkcs12(new Blob([fromBase64(file)]), password);
      const signature = toBase64(await sign(key, fromBase64(data)));
      const { commonName, der } = certificate;
      return { signature, commonName, certificate: toBase64(der), extractable: key.key.extractable };
    } catch (error) {
      return { refused: error.name === 'Pkcs12Refused' ? error.reason : String(error.stack) };
    }
  };`;

type Outcome = {
  signature?: string;
  commonName?: string;
  certificate?: string;
  extractable?: boolean;
  refused?: string;
};
declare const openAndSign: (file: string, password: string, data: string) => Promise<Outcome>;

const pki = testPki('p256');
const rsa = pki.holder({ key: 'rsa2048', commonName: 'JOSÉ DA CONCEIÇÃO:52998224725' });
const made = tools();
const DATA = Buffer.from('what is to be signed');

describeInChromium('a PKCS#12 file opened in the page', () => {
  let browser: Browser;
  let page: Page;
  let stop: () => Promise<void>;
  let seen: ReturnType<typeof watch>;

  beforeAll(async () => {
    browser = await openBrowser();
    let origin: string;
    ({ page, stop, origin } = await pageOf(browser, MODULE));
    seen = watch(page, origin);
  });
  afterAll(async () => {
    await stop?.();
    made.remove();
  });

  const open = (file: Uint8Array, password: string): Promise<Outcome> =>
    page.evaluate(([bytes, word, data]) => openAndSign(bytes, word, data), [
      Buffer.from(file).toString('base64'),
      password,
      DATA.toString('base64'),
    ] as const);

  async function expectHolder(file: Uint8Array, password: string, holder: Holder = rsa): Promise<void> {
    const { refused, signature = '', certificate, extractable } = await open(file, password);
    expect(refused).toBeUndefined();
    expect(certificate).toBe(holder.certificate.der.toString('base64'));
    expect(extractable).toBe(false);
    expect(verify('sha256', DATA, holder.certificate.publicKey, Buffer.from(signature, 'base64'))).toBe(true);
  }

  describe.skipIf(!hasOpenssl)('by OpenSSL', () => {
    test.each([
      ['AES-256, as it writes today', []],
      ['AES-128', ['-keypbe', 'aes-128-cbc', '-certpbe', 'aes-128-cbc']],
      ['Triple DES under PBES2', ['-keypbe', 'des-ede3-cbc', '-certpbe', 'des-ede3-cbc']],
      ['Triple DES and 40-bit RC2, as it wrote for years', ['-legacy']],
      ['Triple DES throughout', ['-legacy', '-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES']],
      ['Triple DES with two keys', ['-legacy', '-keypbe', 'PBE-SHA1-2DES', '-certpbe', 'PBE-SHA1-2DES']],
      ['128-bit RC2', ['-legacy', '-certpbe', 'PBE-SHA1-RC2-128', '-keypbe', 'PBE-SHA1-RC2-128']],
      ['only the key encrypted', ['-certpbe', 'NONE']],
      ['no MAC', ['-nomac']],
      ['one round', ['-noiter', '-nomaciter']],
      ['a hundred thousand rounds', ['-iter', '100000']],
      ['more rounds of the old ciphers than fit a turn', ['-legacy', '-iter', '60000']],
    ])('signs with %s', async (_, options) => {
      await expectHolder(made.openssl(rsa, '1234', ...options), '1234');
    });

    test.each(['p256', 'p384'] as const)('signs with a key of the kind %s', async (kind) => {
      const holder = pki.holder({ key: kind });
      await expectHolder(made.openssl(holder, '1234'), '1234', holder);
      await expectHolder(made.openssl(holder, '1234', '-legacy'), '1234', holder);
    });

    test.each(['', 'pínç€ 12', '密码', '🔑🔑', 'a'.repeat(200)])(
      'under the password %j opens',
      async (password) => {
        await expectHolder(made.openssl(rsa, password), password);
        await expectHolder(made.openssl(rsa, password, '-legacy'), password);
      },
    );

    test('is refused with its reason where the browser lacks the cipher or the derivation', async () => {
      const aes192 = made.openssl(rsa, '1234', '-keypbe', 'aes-192-cbc', '-certpbe', 'aes-192-cbc');
      expect(await open(aes192, '1234')).toEqual({ refused: 'unsupported' });
      const key = made.pkcs8(rsa.privateKey, '1234', '-v2', 'aes-256-cbc', '-v2prf', 'hmacWithSHA224');
      const file = fileOf([shroudedKeyBag(key), certificateBag(rsa.certificate)]);
      expect(await open(file, '1234')).toEqual({ refused: 'unsupported' });
    });

    test.each([[[]], [['-legacy']], [['-nomac']]])('reports a wrong password: %j', async (options) => {
      const file = made.openssl(rsa, '1234', ...options);
      for (const password of ['', '12345', '1234 ', 'pínç€'])
        expect(await open(file, password)).toEqual({ refused: 'wrongPassword' });
    });
  });

  test.skipIf(!hasOpenssl || !hasNss)('by Firefox signs, in BER with indefinite lengths', async () => {
    const file = made.nss(made.openssl(rsa, '1234', '-name', 'rsa'), '1234', 'pínç€ 12');
    expect(file.subarray(0, 2).toString('hex')).toBe('3080');
    await expectHolder(file, 'pínç€ 12');
    expect(await open(file, '1234')).toEqual({ refused: 'wrongPassword' });
  });

  test('names its holder, accents included', async () => {
    expect(await open(await writePkcs12(rsa, '1234', 10), '1234')).toMatchObject({
      commonName: 'JOSÉ DA CONCEIÇÃO:52998224725',
    });
  });

  const pkcs8 = ({ privateKey }: Holder) => privateKey.export({ format: 'der', type: 'pkcs8' });

  test('with a renewed certificate beside the expired one signs by the renewed one', async () => {
    const expired = pki.holder({ key: 'rsa2048', change: { notAfterMs: Date.UTC(2025, 0, 1) } });
    const renewed = pki.holder({ key: 'rsa2048', change: { notAfterMs: Date.UTC(2060, 0, 1) } });
    for (const order of [
      [expired, renewed],
      [renewed, expired],
    ]) {
      const certificates = order.map(({ certificate }) => certificateBag(certificate));
      await expectHolder(fileOf([keyBag(pkcs8(rsa)), ...certificates]), '', renewed);
    }
  });

  test('is refused for what it lacks', async () => {
    const other = pki.holder({ key: 'p256', keyName: 'other' });
    expect(await open(fileOf([certificateBag(rsa.certificate)]), '')).toEqual({ refused: 'noKey' });
    expect(await open(fileOf([keyBag(pkcs8(rsa))]), '')).toEqual({ refused: 'noCertificate' });
    expect(await open(fileOf([keyBag(pkcs8(rsa)), certificateBag(other.certificate)]), '')).toEqual({
      refused: 'noCertificate',
    });
  });

  test('that is none is reported as such', async () => {
    const file = await writePkcs12(rsa, '1234', 10);
    for (const bytes of [Buffer.of(), Buffer.from('%PDF-1.7'), file.subarray(0, 500), rsa.certificate.der])
      expect(await open(bytes, '1234')).toEqual({ refused: 'unreadable' });
    expect(await open(Buffer.alloc(300_000), '1234')).toEqual({ refused: 'tooLarge' });
  });

  // A key that was changed on the way would sign something nobody can verify.
  test('that was damaged never signs with another key, and never fails without a reason', async () => {
    const file = await writePkcs12(pki.holder({ key: 'p256' }), '1234', 10);
    const owner = pki.holder({ key: 'p256' }).certificate.publicKey;
    const place = fc.nat({ max: file.length - 1 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(place, fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 }),
        async (changes) => {
          const damaged = Buffer.from(file);
          for (const [at, byte] of changes) damaged[at] = byte;
          const { refused, signature = '' } = await open(damaged, '1234');
          if (refused === undefined)
            expect(verify('sha256', DATA, owner, Buffer.from(signature, 'base64'))).toBe(true);
          else expect(refused).toMatch(/^(wrongPassword|unreadable|unsupported|noKey|noCertificate)$/);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  test('asks no other host, and complains of nothing', () => {
    expect(seen).toEqual({ outside: [], errors: [] });
  });
});
