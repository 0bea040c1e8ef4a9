import { createCipheriv, createHmac, pbkdf2Sync } from 'node:crypto';
import fc from 'fast-check';
import rc2 from 'node-forge/lib/rc2.js';
import util from 'node-forge/lib/util.js';
import { describe, expect, test } from 'vitest';
import { children, readDer } from '../../../../shared/der/read.ts';
import { explicit, integer, NULL, octetString, oid, sequence } from '../../../../shared/der/write.ts';
import { newBudget } from '../../../../shared/pki/pkcs12/budget.ts';
import { BrokenPkcs12, UnsupportedPkcs12, WrongPassword } from '../../../../shared/pki/pkcs12/errors.ts';
import { openPkcs12 } from '../../../../shared/pki/pkcs12/open.ts';
import { openBags } from '../../../../shared/pki/pkcs12/open-bags.ts';
import { decryptRc2 } from '../../../../shared/pki/pkcs12/rc2.ts';
import { webHost } from '../../../../shared/pki/pkcs12/web-host.ts';
import { writePkcs12 } from '../../../../shared/pki/pkcs12/write.ts';
import { testPki } from '../../../certificates/pki.ts';
import { runs } from '../../../faults/fuzz.ts';
import { startCpuClock } from '../../../measure/cpu-time.ts';
import { certificateBag, fileOf, hasOpenssl, keyBag, partsOf, shroudedKeyBag, tools } from './tools.ts';

const holder = testPki('p256').holder({ key: 'p256' });
const ROUNDS = 10; // strength is not tested here
const file = await writePkcs12(holder, '1234', ROUNDS);
const pkcs8 = holder.privateKey.export({ format: 'der', type: 'pkcs8' });
const withoutMac = (bytes: Buffer) => {
  const [version, authSafe] = children(readDer(bytes));
  return sequence(version?.raw ?? NULL, authSafe?.raw ?? NULL);
};
const refused = async (bytes: Uint8Array, password?: string): Promise<unknown> =>
  openPkcs12(bytes, password).then(
    () => 'opened',
    (error: unknown) => error,
  );

describe('a wrong password', () => {
  test.each(['', '12345', '1234 ', 'pínç€', undefined])('%j is reported', async (password) => {
    expect(await refused(file, password)).toBeInstanceOf(WrongPassword);
  });

  test('is reported where there is no MAC to show it, whatever noise the padding lets through', async () => {
    const bare = withoutMac(file);
    expect(await refused(bare, '1234')).toBe('opened');
    for (let i = 0; i < 600; i++) expect(await refused(bare, `wrong ${i}`)).toBeInstanceOf(WrongPassword);
  });

  test('is reported where it uncovers something well formed that is no key', async () => {
    const iv = Buffer.alloc(16);
    const cipher = createCipheriv('aes-256-cbc', pbkdf2Sync('1234', iv, 1, 32, 'sha1'), iv);
    const noise = Buffer.concat([cipher.update(octetString(Buffer.alloc(40))), cipher.final()]);
    const kdf = sequence(oid('1.2.840.113549.1.5.12'), sequence(octetString(iv), integer(1)));
    const aes = sequence(oid('2.16.840.1.101.3.4.1.42'), octetString(iv));
    const how = sequence(oid('1.2.840.113549.1.5.13'), sequence(kdf, aes));
    const bytes = fileOf([shroudedKeyBag(sequence(how, octetString(noise)))]);
    expect(await refused(bytes, '1234')).toBeInstanceOf(WrongPassword);
  });

  test('shows in the padding of RC2, every byte of which must be right', () => {
    const encrypted = (block: string) => {
      const cipher = rc2.createEncryptionCipher('12345', 40);
      cipher.start('\0'.repeat(8));
      cipher.update(util.createBuffer(Buffer.from(block, 'hex').toString('latin1')));
      return Buffer.from(cipher.output.getBytes(), 'latin1');
    };
    const decrypted = (block: string) => decryptRc2(Buffer.from('12345'), Buffer.alloc(8), encrypted(block));
    expect(decrypted('6162636465030303')).toEqual(new Uint8Array(Buffer.from('abcde')));
    expect(decrypted('6162636465660303')).toBeUndefined();
    expect(decrypted('6162636465666700')).toBeUndefined();
    expect(decrypted('6162636465666709')).toBeUndefined();
    expect(decryptRc2(Buffer.from('12345'), Buffer.alloc(8), Buffer.alloc(7))).toBeUndefined();
  });

  test('matters only where there is something to open', async () => {
    expect(await refused(fileOf([keyBag(pkcs8), certificateBag(holder.certificate)]), 'any')).toBe('opened');
  });
});

describe('a broken file', () => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('hi')],
    ['its first half', file.subarray(0, file.length / 2)],
    ['all but its last byte', file.subarray(0, -1)],
    ['a byte too many', Buffer.concat([file, Buffer.from([0])])],
    ['a certificate', holder.certificate.der],
    ['a PEM text', Buffer.from('-----BEGIN PRIVATE KEY-----')],
    ['version 2', sequence(integer(2), sequence(oid('1.2.840.113549.1.7.1')))],
    ['no parts', sequence(integer(3), sequence(oid('1.2.840.113549.1.7.1')))],
    [
      'a certificate that is none',
      fileOf([certificateBag({ ...holder.certificate, der: Buffer.from('no') })]),
    ],
    [
      'a key that is none',
      fileOf([keyBag(sequence(integer(0), sequence(oid('1.2.840.113549.1.1.1')), octetString(NULL)))]),
    ],
  ])('of %s is reported, and not as a wrong password', async (_, bytes) => {
    expect(await refused(bytes, '1234')).toBeInstanceOf(BrokenPkcs12);
  });

  test('changed in one part is known by the other, which still opens', async () => {
    const damaged = Buffer.from(file);
    // The middle of the file lies in the encrypted certificates, which come first and are the longest part.
    const middle = Math.floor(file.length / 2);
    damaged[middle] = (damaged[middle] ?? 0) ^ 0xff;
    const error = await refused(damaged, '1234');
    expect(error).toBeInstanceOf(BrokenPkcs12);
    expect(String(error)).toContain('the password is right');
    expect(await refused(damaged, '4321')).toBeInstanceOf(WrongPassword);
  });
});

describe('an unsupported file', () => {
  const algorithm = (...parts: Buffer[]) => sequence(oid('1.2.840.113549.1.5.13'), sequence(...parts));
  const kdf = (rounds: number, prf?: string) =>
    sequence(
      oid('1.2.840.113549.1.5.12'),
      sequence(octetString(Buffer.alloc(8)), integer(rounds), ...(prf ? [sequence(oid(prf))] : [])),
    );
  const aes = sequence(oid('2.16.840.1.101.3.4.1.42'), octetString(Buffer.alloc(16)));
  const shrouded = (how: Buffer) => fileOf([shroudedKeyBag(sequence(how, octetString(Buffer.alloc(32))))]);
  const oldPbe = (id: string, rounds: number) =>
    sequence(oid(id), sequence(octetString(Buffer.alloc(8)), integer(rounds)));
  const mac = (rounds: number, digest = '2.16.840.1.101.3.4.2.1') =>
    sequence(
      sequence(sequence(oid(digest), NULL), octetString(Buffer.alloc(32))),
      octetString(Buffer.alloc(8)),
      integer(rounds),
    );

  test.each([
    ['an unknown scheme', shrouded(sequence(oid('1.2.3.4'))), 'algorithm'],
    ['RC4', shrouded(oldPbe('1.2.840.113549.1.12.1.1', 1)), 'algorithm'],
    ['an unknown cipher', shrouded(algorithm(kdf(1), sequence(oid('1.2.3.4')))), 'algorithm'],
    ['an unknown derivation', shrouded(algorithm(sequence(oid('1.3.6.1.4.1.11591.4.11')), aes)), 'algorithm'],
    ['an unknown PRF', shrouded(algorithm(kdf(1, '1.2.3.4'), aes)), 'algorithm'],
    ['an unknown MAC', fileOf([], mac(1, '1.2.3.4')), 'algorithm'],
    ['too many rounds of PBKDF2', shrouded(algorithm(kdf(2 ** 40), aes)), 'iterations'],
    [
      'too many rounds of the old derivation',
      shrouded(oldPbe('1.2.840.113549.1.12.1.3', 2 ** 31 - 1)),
      'iterations',
    ],
    ['too many rounds of the MAC', fileOf([], mac(2 ** 31)), 'iterations'],
    ['two thousand keys', fileOf(Array.from({ length: 2000 }, () => keyBag(pkcs8))), 'size'],
    ['a megabyte', Buffer.alloc(1_000_000), 'size'],
    [
      'a signature in place of a MAC',
      sequence(integer(3), sequence(oid('1.2.840.113549.1.7.2'))),
      'protection',
    ],
    [
      'a key of an unknown kind',
      fileOf([keyBag(sequence(integer(0), sequence(oid('1.2.3.4')), octetString(NULL)))]),
      'key',
    ],
  ])('with %s is reported with its reason', async (_, bytes, reason) => {
    const cpuMs = startCpuClock();
    const error = await refused(bytes, '1234');
    expect(error).toBeInstanceOf(UnsupportedPkcs12);
    expect(error).toMatchObject({ reason });
    expect(cpuMs()).toBeLessThan(1000);
  });

  test('whose MAC is wrong is not worked on for long: the password is reported as wrong', async () => {
    // Twice the rounds allowed then, and fewer than any file may ask for.
    const part = sequence(oldPbe('1.2.840.113549.1.12.1.3', 4_000_000), octetString(Buffer.alloc(32)));
    expect(await refused(fileOf([shroudedKeyBag(part)], mac(1)), '1234')).toBeInstanceOf(WrongPassword);
  });

  test('that spreads its rounds over many parts is stopped all the same', () => {
    const budget = newBudget();
    for (let part = 0; part < 10; part++) budget.spend(1_000_000);
    expect(() => budget.spend(1)).toThrow(UnsupportedPkcs12);
  });
});

test('a file whose MAC is PBMAC1 (RFC 9579) opens, and not with another password', async () => {
  const bags = [keyBag(pkcs8), certificateBag(holder.certificate)];
  const salt = Buffer.from('salt of the file');
  const key = pbkdf2Sync('1234', salt, 10, 32, 'sha256');
  const prf = sequence(oid('1.2.840.113549.2.9'), NULL);
  const kdf = sequence(
    oid('1.2.840.113549.1.5.12'),
    sequence(octetString(salt), integer(10), integer(32), prf),
  );
  const value = createHmac('sha256', key).update(partsOf(bags)).digest();
  const algorithm = sequence(oid('1.2.840.113549.1.5.14'), sequence(kdf, prf));
  const mac = sequence(
    sequence(algorithm, octetString(value)),
    octetString(Buffer.from('ignored')),
    integer(1),
  );
  expect(await refused(fileOf(bags, mac), '1234')).toBe('opened');
  expect(await refused(fileOf(bags, mac), '4321')).toBeInstanceOf(WrongPassword);
});

describe('hostile files', () => {
  const named = [WrongPassword, BrokenPkcs12, UnsupportedPkcs12];
  // By both hosts: the server's, and a page's, which checks no MAC.
  const onlyNamedErrors = async (bytes: Uint8Array) => {
    await openPkcs12(bytes, '1234').catch(throwUnlessNamed);
    await openBags(new Uint8Array(bytes), '1234', webHost).catch(throwUnlessNamed);
  };
  const throwUnlessNamed = (error: unknown) => {
    if (!named.some((kind) => error instanceof kind)) throw error;
  };
  const targets = [file, withoutMac(file), fileOf([keyBag(pkcs8), certificateBag(holder.certificate)])];
  if (hasOpenssl) {
    const made = tools();
    targets.push(made.openssl(holder, '1234', '-legacy', '-noiter', '-nomaciter'));
    made.remove();
  }

  test('of some changed bytes throw nothing but the named errors', async () => {
    const change = fc.tuple(fc.nat(10_000), fc.integer({ min: 0, max: 255 }));
    const changes = fc.array(change, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...targets), changes, async (target, all) => {
        const bytes = Buffer.from(target);
        for (const [at, value] of all) bytes[at % bytes.length] = value;
        await onlyNamedErrors(bytes);
      }),
      { numRuns: runs(1000) },
    );
  });

  test('cut or grown anywhere throw nothing but the named errors', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...targets),
        fc.nat(10_000),
        fc.uint8Array({ maxLength: 32 }),
        async (target, at, noise) => {
          const where = at % target.length;
          await onlyNamedErrors(target.subarray(0, where));
          await onlyNamedErrors(Buffer.concat([target.subarray(0, where), noise, target.subarray(where)]));
        },
      ),
      { numRuns: runs(200) },
    );
  });

  test('of a hundred thousand tiny elements throw nothing but the named errors', async () => {
    const crumbs = Buffer.alloc(190_000, NULL);
    await onlyNamedErrors(sequence(crumbs));
    await onlyNamedErrors(fileOf([sequence(crumbs)]));
    await onlyNamedErrors(sequence(integer(3), sequence(oid('1.2.840.113549.1.7.1'), explicit(0, crumbs))));
  });

  test('of nothing but openings, or of bags inside bags, end at once', async () => {
    const cpuMs = startCpuClock();
    await onlyNamedErrors(Buffer.alloc(190_000, Buffer.from([0x30, 0x80])));
    await onlyNamedErrors(Buffer.alloc(190_000, Buffer.from([0x24, 0x80])));
    let nested = keyBag(pkcs8);
    for (let i = 0; i < 8; i++)
      nested = sequence(oid('1.2.840.113549.1.12.10.1.6'), explicit(0, sequence(nested)));
    expect(await refused(fileOf([nested]), '')).toBeInstanceOf(BrokenPkcs12);
    expect(cpuMs()).toBeLessThan(1000);
  });
});
