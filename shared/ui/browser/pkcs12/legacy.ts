import des from 'node-forge/lib/des.js';
import rc2 from 'node-forge/lib/rc2.js';
import util from 'node-forge/lib/util.js';
import { type Bytes, concat, fromBinary, toBinary } from '../bytes.ts';
import { childrenOf, countOf, type Element, octetsOf, TAG } from '../der.ts';
import { MAX_ROUNDS, type Open } from './decrypt.ts';
import { Pkcs12Refused } from './errors.ts';
import { sha1 } from './sha1.ts';

// The ciphers of old, which WebCrypto lacks and most files of Brazilian authorities still have. A chunk of its own,
// loaded for files that need it.

type Scheme = {
  readonly keyBytes: number;
  readonly decipher: (key: Bytes, iv: Bytes, data: Bytes) => Bytes | undefined;
};

// Triple DES with two keys is the one with three whose third is the first again.
const SCHEMES: Readonly<Record<string, Scheme>> = {
  '1.2.840.113549.1.12.1.3': { keyBytes: 24, decipher: tripleDes },
  '1.2.840.113549.1.12.1.4': {
    keyBytes: 16,
    decipher: (key, iv, data) => tripleDes(concat(key, key.subarray(0, 8)), iv, data),
  },
  '1.2.840.113549.1.12.1.5': { keyBytes: 16, decipher: decryptRc2 },
  '1.2.840.113549.1.12.1.6': { keyBytes: 5, decipher: decryptRc2 },
};
const BLOCK_BYTES = 8;
const PURPOSE = { key: 1, iv: 2 } as const;

/** How data under one of PKCS#12's own schemes is opened (RFC 7292, appendix C). */
export async function pkcs12Pbe(oid: string, parameters: Element | undefined): Promise<Open> {
  const scheme = SCHEMES[oid];
  const [saltElement, roundsElement] = childrenOf(parameters, TAG.SEQUENCE);
  const [salt, rounds] = [octetsOf(saltElement), countOf(roundsElement)];
  if (!scheme || rounds > MAX_ROUNDS) throw new Pkcs12Refused('unsupported');
  return async (password, data) => {
    const key = await derive({ password, salt, rounds, purpose: PURPOSE.key, bytes: scheme.keyBytes });
    const iv = await derive({ password, salt, rounds, purpose: PURPOSE.iv, bytes: BLOCK_BYTES });
    return scheme.decipher(key, iv, data);
  };
}

/** Undefined where the padding is wrong. */
export function tripleDes(key: Bytes, iv: Bytes, data: Bytes): Bytes | undefined {
  return run(des.createDecryptionCipher(toBinary(key), 'CBC'), iv, data);
}

function decryptRc2(key: Bytes, iv: Bytes, data: Bytes): Bytes | undefined {
  return run(rc2.createDecryptionCipher(toBinary(key), key.length * 8), iv, data);
}

type Cipher = ReturnType<typeof des.createDecryptionCipher>;

function run(cipher: Cipher, iv: Bytes, data: Bytes): Bytes | undefined {
  if (data.length === 0 || data.length % BLOCK_BYTES !== 0 || iv.length !== BLOCK_BYTES) return undefined;
  cipher.start(toBinary(iv));
  cipher.update(util.createBuffer(toBinary(data)));
  cipher.finish(() => true); // its own check of the padding looks at the last byte only
  return withoutPadding(fromBinary(cipher.output.getBytes()));
}

function withoutPadding(padded: Bytes): Bytes | undefined {
  const count = padded.at(-1) ?? 0;
  if (count < 1 || count > BLOCK_BYTES) return undefined;
  return padded.subarray(-count).every((byte) => byte === count) ? padded.subarray(0, -count) : undefined;
}

type Derivation = {
  readonly password: Bytes;
  readonly salt: Bytes;
  readonly rounds: number;
  readonly purpose: number;
  readonly bytes: number;
};

const SHA1_BLOCK_BYTES = 64;
// Some tens of milliseconds, between which the page may show that it works.
const ROUNDS_A_TURN = 50_000;

/** The key derivation of RFC 7292, B.2. */
async function derive({ password, salt, rounds, purpose, bytes }: Derivation): Promise<Bytes> {
  const diversifier = new Uint8Array(SHA1_BLOCK_BYTES).fill(purpose);
  const input = concat(repeated(salt), repeated(password));
  let result: Bytes = new Uint8Array();
  for (;;) {
    let digested = sha1(concat(diversifier, input));
    for (let round = 1; round < rounds; round++) {
      digested = sha1(digested);
      if (round % ROUNDS_A_TURN === 0) await new Promise((resume) => setTimeout(resume));
    }
    result = concat(result, digested);
    if (result.length >= bytes) return result.slice(0, bytes);
    addToEachBlock(input, repeated(digested));
  }
}

/** The bytes, again and again, up to a whole number of blocks. */
function repeated(bytes: Bytes): Bytes {
  const length = SHA1_BLOCK_BYTES * Math.ceil(bytes.length / SHA1_BLOCK_BYTES);
  return Uint8Array.from({ length }, (_, at) => bytes[at % bytes.length] ?? 0);
}

// Each block of the input becomes (block + addend + 1) modulo 2^512.
function addToEachBlock(input: Bytes, addend: Bytes): void {
  for (let start = 0; start < input.length; start += SHA1_BLOCK_BYTES) {
    let carry = 1;
    for (let at = SHA1_BLOCK_BYTES - 1; at >= 0; at--) {
      carry += (input[start + at] ?? 0) + (addend[at] ?? 0);
      input[start + at] = carry & 0xff;
      carry >>= 8;
    }
  }
}
