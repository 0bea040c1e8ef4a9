import { createDecipheriv, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { childrenOf, DerError, type Element, expectTag, readCount } from '../../der/read.ts';
import { TAG } from '../../der/tags.ts';
import { type AlgorithmIdentifier, readAlgorithm } from '../certificate/certificate.ts';
import type { Budget } from './budget.ts';
import { derive, PURPOSE } from './derive.ts';
import { UnsupportedPkcs12 } from './errors.ts';
import type { PasswordReadings } from './password.ts';
import { PRF } from './prf.ts';

/** One way to decrypt, for each reading of the password in turn. */
export type Opener = {
  readonly readings: readonly Buffer[];
  /** Undefined where the padding is wrong: another password, or damage. */
  open(reading: Buffer, data: Buffer): Promise<Buffer | undefined>;
};

type Secret = { readonly passwords: PasswordReadings; readonly budget: Budget };

const PBES2 = '1.2.840.113549.1.5.13';

/** How data under this AlgorithmIdentifier is decrypted. Unknown ways are UnsupportedPkcs12. */
export const openerFor = (algorithm: AlgorithmIdentifier, secret: Secret): Opener =>
  algorithm.oid === PBES2 ? pbes2(algorithm.parameters, secret) : pkcs12Pbe(algorithm, secret);

// Triple DES with two keys is the one with three whose third is the first again.
const PKCS12_PBE: Readonly<
  Record<string, { keyBytes: number; cipher: 'des-ede3-cbc' | 'rc2'; twoKeys?: true }>
> = {
  '1.2.840.113549.1.12.1.3': { keyBytes: 24, cipher: 'des-ede3-cbc' },
  '1.2.840.113549.1.12.1.4': { keyBytes: 16, cipher: 'des-ede3-cbc', twoKeys: true },
  '1.2.840.113549.1.12.1.5': { keyBytes: 16, cipher: 'rc2' },
  '1.2.840.113549.1.12.1.6': { keyBytes: 5, cipher: 'rc2' },
};
const IV_BYTES = 8;

function pkcs12Pbe({ oid, parameters }: AlgorithmIdentifier, { passwords, budget }: Secret): Opener {
  const scheme = PKCS12_PBE[oid];
  if (!scheme) throw new UnsupportedPkcs12('algorithm', `it is encrypted with ${oid}.`);
  const [saltElement, roundsElement] = childrenOf(parameters, TAG.SEQUENCE);
  const salt = expectTag(saltElement, TAG.OCTET_STRING).content;
  const rounds = readCount(roundsElement);
  return {
    readings: passwords.wide,
    async open(password, data) {
      const shared = { digest: 'sha1', password, salt, rounds };
      const key = await derive({ ...shared, purpose: PURPOSE.key, bytes: scheme.keyBytes }, budget);
      const iv = await derive({ ...shared, purpose: PURPOSE.iv, bytes: IV_BYTES }, budget);
      if (scheme.cipher === 'rc2') return (await import('./rc2.ts')).decryptRc2(key, iv, data);
      const whole = scheme.twoKeys ? Buffer.concat([key, key.subarray(0, 8)]) : key;
      return decipher(scheme.cipher, whole, iv, data);
    },
  };
}

const CIPHERS: Readonly<Record<string, { name: string; keyBytes: number; ivBytes: number }>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16, ivBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24, ivBytes: 16 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32, ivBytes: 16 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', keyBytes: 24, ivBytes: 8 },
};

function pbes2(parameters: Element | undefined, { passwords, budget }: Secret): Opener {
  const [kdfElement, cipherElement] = childrenOf(parameters, TAG.SEQUENCE);
  const algorithm = readAlgorithm(cipherElement);
  const cipher = CIPHERS[algorithm.oid];
  if (!cipher) throw new UnsupportedPkcs12('algorithm', `it is encrypted with the cipher ${algorithm.oid}.`);
  const iv = expectTag(algorithm.parameters, TAG.OCTET_STRING).content;
  if (iv.length !== cipher.ivBytes) throw new DerError('An initialization vector has the wrong length.');
  const stretch = readPbkdf2(kdfElement, cipher.keyBytes, budget);
  return {
    readings: passwords.narrow,
    open: async (password, data) => decipher(cipher.name, await stretch(password), iv, data),
  };
}

const MAX_KEY_BYTES = 64; // the key of an HMAC with SHA-512
const PBKDF2 = '1.2.840.113549.1.5.12';
const pbkdf2Async = promisify(pbkdf2);

/** PBKDF2 as its AlgorithmIdentifier asks for it. A cipher knows the length of its key, an HMAC must be told. */
export function readPbkdf2(
  element: Element | undefined,
  wantedBytes: number | undefined,
  budget: Budget,
): (password: Buffer) => Promise<Buffer> {
  const { oid, parameters } = readAlgorithm(element);
  if (oid !== PBKDF2) throw new UnsupportedPkcs12('algorithm', `its key is derived with ${oid}.`);
  const [saltElement, roundsElement, ...rest] = childrenOf(parameters, TAG.SEQUENCE);
  const salt = expectTag(saltElement, TAG.OCTET_STRING).content;
  const rounds = readCount(roundsElement);
  const length = rest.find(({ tag }) => tag === TAG.INTEGER);
  const bytes = length ? readCount(length) : wantedBytes;
  if (!bytes || bytes > MAX_KEY_BYTES || (wantedBytes && bytes !== wantedBytes))
    throw new DerError('A derived key has the wrong length.');
  const prf = rest.find(({ tag }) => tag === TAG.SEQUENCE);
  const prfOid = prf ? readAlgorithm(prf).oid : PRF.default;
  const digest = PRF.digests[prfOid];
  if (!digest) throw new UnsupportedPkcs12('algorithm', `its key is derived with the function ${prfOid}.`);
  if (rounds < 1) throw new DerError('A key is derived in no rounds at all.');
  return (password) => {
    budget.spend(rounds);
    return pbkdf2Async(password, salt, rounds, bytes, digest);
  };
}

function decipher(name: string, key: Buffer, iv: Buffer, data: Buffer): Buffer | undefined {
  const cipher = createDecipheriv(name, key, iv);
  try {
    return Buffer.concat([cipher.update(data), cipher.final()]);
  } catch {
    return undefined; // The padding is wrong, or the data is no whole number of blocks.
  }
}
