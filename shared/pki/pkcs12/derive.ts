import { type Bytes, concat } from '../../der/bytes.ts';
import type { Attempt, Pbkdf2Options } from './host.ts';

/** The purposes of a derived key, as the standard numbers them. */
export const PURPOSE = { key: 1, iv: 2, mac: 3 } as const;

/** The derivation works in blocks of the hash. */
const BLOCK_BYTES: Readonly<Record<string, number>> = {
  sha1: 64,
  sha224: 64,
  sha256: 64,
  sha384: 128,
  sha512: 128,
};

type DeriveOptions = Pbkdf2Options & { readonly purpose: number };

/** The key derivation of RFC 7292, B.2. @example await derive({ digest: 'sha1', purpose: PURPOSE.key, ... }, attempt) */
export async function derive(
  { digest, purpose, password, salt, rounds, bytes }: DeriveOptions,
  { host, budget }: Pick<Attempt, 'host' | 'budget'>,
): Promise<Bytes> {
  const block = BLOCK_BYTES[digest] ?? 64;
  const diversifier = new Uint8Array(block).fill(purpose);
  const input = concat(fillBlocks(salt, block), fillBlocks(password, block));
  let result: Bytes = new Uint8Array();
  for (;;) {
    budget.spend(Math.max(1, rounds));
    const hashed = await host.hashRounds(digest, concat(diversifier, input), rounds);
    result = concat(result, hashed);
    if (result.length >= bytes) return result.subarray(0, bytes);
    addToEachBlock(input, fillBlocks(hashed, block), block);
  }
}

/** The bytes, again and again, up to a whole number of blocks. */
function fillBlocks(bytes: Bytes, block: number): Bytes {
  const filled = new Uint8Array(block * Math.ceil(bytes.length / block));
  for (let at = 0; at < filled.length; at++) filled[at] = bytes[at % bytes.length] as number;
  return filled;
}

// Each block of the input becomes (block + addend + 1) modulo two to the block's bits.
function addToEachBlock(input: Bytes, addend: Bytes, block: number): void {
  for (let start = 0; start < input.length; start += block) {
    let carry = 1;
    for (let at = block - 1; at >= 0; at--) {
      carry += (input[start + at] ?? 0) + (addend[at] ?? 0);
      input[start + at] = carry & 0xff;
      carry >>= 8;
    }
  }
}
