import type { Bytes } from '../../der/bytes.ts';
import { childrenOf, DerError, type Element, expectTag } from '../../der/element.ts';
import { TAG } from '../../der/tags.ts';
import { readAlgorithm, readCount } from '../../der/values.ts';
import { UnsupportedPkcs12 } from './errors.ts';
import type { Attempt, Cipher, Scheme } from './host.ts';

type CipherSizes = { readonly name: Cipher; readonly keyBytes: number; readonly ivBytes: number };

const CIPHERS: Readonly<Record<string, CipherSizes>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16, ivBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24, ivBytes: 16 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32, ivBytes: 16 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', keyBytes: 24, ivBytes: 8 },
};

/** PBES2 (RFC 8018, 6.2): a key by PBKDF2, and a cipher of one's choice. */
export function pbes2(parameters: Element<Bytes> | undefined, attempt: Attempt): Scheme {
  const [kdfElement, cipherElement] = childrenOf(parameters, TAG.SEQUENCE);
  const algorithm = readAlgorithm(cipherElement);
  const cipher = CIPHERS[algorithm.oid];
  if (!cipher) throw new UnsupportedPkcs12('algorithm', `it is encrypted with the cipher ${algorithm.oid}.`);
  const iv = expectTag(algorithm.parameters, TAG.OCTET_STRING).content;
  if (iv.length !== cipher.ivBytes) throw new DerError('An initialization vector has the wrong length.');
  const deriveKey = readPbkdf2(kdfElement, cipher.keyBytes, attempt);
  return {
    readings: attempt.passwords.narrow,
    decrypt: async (password, data) => attempt.host.decrypt(cipher.name, await deriveKey(password), iv, data),
  };
}

/** The hash inside each HMAC that PBKDF2 and PBMAC1 may rest on. */
export const HMAC_DIGESTS: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.6': 'md5',
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
  '1.2.840.113549.2.12': 'sha512-224',
  '1.2.840.113549.2.13': 'sha512-256',
  '2.16.840.1.101.3.4.2.13': 'sha3-224',
  '2.16.840.1.101.3.4.2.14': 'sha3-256',
  '2.16.840.1.101.3.4.2.15': 'sha3-384',
  '2.16.840.1.101.3.4.2.16': 'sha3-512',
};
const HMAC_SHA1 = '1.2.840.113549.2.7'; // where none is named

const MAX_KEY_BYTES = 64; // the key of an HMAC with SHA-512
const PBKDF2 = '1.2.840.113549.1.5.12';

/** PBKDF2 by its AlgorithmIdentifier. A cipher knows the length of its key; for an HMAC the file must state it. */
export function readPbkdf2(
  element: Element<Bytes> | undefined,
  keyBytes: number | undefined,
  { budget, host }: Attempt,
): (password: Bytes) => Promise<Bytes> {
  const { oid, parameters } = readAlgorithm(element);
  if (oid !== PBKDF2) throw new UnsupportedPkcs12('algorithm', `its key is derived with ${oid}.`);
  const [saltElement, roundsElement, ...rest] = childrenOf(parameters, TAG.SEQUENCE);
  const salt = expectTag(saltElement, TAG.OCTET_STRING).content;
  const rounds = readCount(roundsElement);
  const length = rest.find(({ tag }) => tag === TAG.INTEGER);
  const bytes = length ? readCount(length) : keyBytes;
  if (!bytes || bytes > MAX_KEY_BYTES || (keyBytes && bytes !== keyBytes))
    throw new DerError('A derived key has the wrong length.');
  const prf = rest.find(({ tag }) => tag === TAG.SEQUENCE);
  const prfOid = prf ? readAlgorithm(prf).oid : HMAC_SHA1;
  const digest = HMAC_DIGESTS[prfOid];
  if (!digest) throw new UnsupportedPkcs12('algorithm', `its key is derived with the function ${prfOid}.`);
  if (rounds < 1) throw new DerError('A key is derived in no rounds at all.');
  return (password) => {
    budget.spend(rounds);
    return host.pbkdf2({ digest, password, salt, rounds, bytes });
  };
}
