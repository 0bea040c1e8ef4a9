import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Budget } from './budget.ts';
import { rehash } from './rehash.ts';

/** What is derived: the standard numbers its purposes. */
export const PURPOSE = { key: 1, iv: 2, mac: 3 } as const;

/** Hashes by the size of their block, which the derivation works in. */
const BLOCK_BYTES: Readonly<Record<string, number>> = {
  sha1: 64,
  sha224: 64,
  sha256: 64,
  sha384: 128,
  sha512: 128,
};

type Derivation = {
  readonly digest: string;
  readonly purpose: number;
  readonly password: Buffer;
  readonly salt: Buffer;
  readonly rounds: number;
  readonly bytes: number;
};

// A batch of rounds takes some ten milliseconds; between batches other requests have their turn.
const ROUNDS_A_TURN = 20_000;

/** The key derivation of RFC 7292, B.2. @example await derive({ digest: 'sha1', purpose: PURPOSE.key, ... }, budget) */
export async function derive(wanted: Derivation, budget: Budget): Promise<Buffer> {
  const { digest, password, salt, rounds, bytes } = wanted;
  const block = BLOCK_BYTES[digest] ?? 64;
  const diversifier = Buffer.alloc(block, wanted.purpose);
  const input = Buffer.concat([repeated(salt, block), repeated(password, block)]);
  let result = Buffer.alloc(0);
  for (;;) {
    budget.spend(Math.max(1, rounds));
    let digested: Buffer = hash(digest, Buffer.concat([diversifier, input]), 'buffer');
    for (let left = rounds - 1; left > 0; left -= ROUNDS_A_TURN) {
      digested = rehash(digest, digested, Math.min(left, ROUNDS_A_TURN));
      if (left > ROUNDS_A_TURN) await setImmediate();
    }
    result = Buffer.concat([result, digested]);
    if (result.length >= bytes) return result.subarray(0, bytes);
    addToEachBlock(input, repeated(digested, block), block);
  }
}

/** The bytes, again and again, up to a whole number of blocks. */
function repeated(bytes: Buffer, block: number): Buffer {
  const length = block * Math.ceil(bytes.length / block);
  return length ? Buffer.alloc(length, bytes) : Buffer.alloc(0);
}

// Each block of the input becomes (block + addend + 1) modulo two to the block's bits.
function addToEachBlock(input: Buffer, addend: Buffer, block: number): void {
  for (let start = 0; start < input.length; start += block) {
    let carry = 1;
    for (let at = block - 1; at >= 0; at--) {
      carry += (input[start + at] ?? 0) + (addend[at] ?? 0);
      input[start + at] = carry & 0xff;
      carry >>= 8;
    }
  }
}
