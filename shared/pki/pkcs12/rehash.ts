import type { Bytes } from '../../der/bytes.ts';

/** Hashes a message of one block: the state is both the message, put into the schedule, and the result. */
type Compress = (state: Int32Array, schedule: Int32Array) => void;

/**
 * Hashes a hash so many times over. A call to the host costs four times the hash itself, and NSS asks for millions of
 * them, so that the two digests that it uses are computed here. Undefined for any other.
 * @example rehash('sha1', hashed, 20_000)
 */
export function rehash(digest: string, start: Bytes, rounds: number): Bytes | undefined {
  const compress = COMPRESS[digest];
  if (!compress) return undefined;
  const words = new DataView(start.buffer, start.byteOffset, start.byteLength);
  const state = Int32Array.from({ length: start.length / 4 }, (_, at) => words.getInt32(4 * at));
  const schedule = new Int32Array(80);
  for (let round = 0; round < rounds; round++) {
    // The message is the last hash, a one, zeros, and its length in bits.
    schedule.set(state);
    schedule.fill(0, state.length, 15);
    schedule[state.length] = 0x80000000;
    schedule[15] = 32 * state.length;
    compress(state, schedule);
  }
  const hashed = new DataView(new ArrayBuffer(start.length));
  for (const [at, word] of state.entries()) hashed.setInt32(4 * at, word);
  return new Uint8Array(hashed.buffer);
}

// About ten milliseconds.
const ROUNDS_A_TURN = 20_000;

/**
 * Hashes a hash so many times over, in turns with a pause after each, so that a server answers others and a page
 * stays alive. @example await repeatInTurns(again, first, rounds - 1, setImmediate)
 */
export async function repeatInTurns(
  again: (start: Bytes, rounds: number) => Bytes,
  start: Bytes,
  rounds: number,
  pause: () => Promise<unknown>,
): Promise<Bytes> {
  let hashed = start;
  for (let left = rounds; left > 0; left -= ROUNDS_A_TURN) {
    hashed = again(hashed, Math.min(left, ROUNDS_A_TURN));
    if (left > ROUNDS_A_TURN) await pause();
  }
  return hashed;
}

// FIPS 180-4, 6.1.2: eighty steps in four parts, each with its own function and constant.
function sha1(state: Int32Array, w: Int32Array): void {
  for (let t = 16; t < 80; t++)
    w[t] = rotateLeft(at(w, t - 3) ^ at(w, t - 8) ^ at(w, t - 14) ^ at(w, t - 16), 1);
  let a = 0x67452301;
  let b = 0xefcdab89 | 0;
  let c = 0x98badcfe | 0;
  let d = 0x10325476;
  let e = 0xc3d2e1f0 | 0;
  for (let t = 0; t < 20; t++) {
    const next = (rotateLeft(a, 5) + (d ^ (b & (c ^ d))) + e + 0x5a827999 + at(w, t)) | 0;
    e = d;
    d = c;
    c = rotateLeft(b, 30);
    b = a;
    a = next;
  }
  for (let t = 20; t < 40; t++) {
    const next = (rotateLeft(a, 5) + (b ^ c ^ d) + e + 0x6ed9eba1 + at(w, t)) | 0;
    e = d;
    d = c;
    c = rotateLeft(b, 30);
    b = a;
    a = next;
  }
  for (let t = 40; t < 60; t++) {
    const next = (rotateLeft(a, 5) + ((b & c) | (d & (b | c))) + e + (0x8f1bbcdc | 0) + at(w, t)) | 0;
    e = d;
    d = c;
    c = rotateLeft(b, 30);
    b = a;
    a = next;
  }
  for (let t = 60; t < 80; t++) {
    const next = (rotateLeft(a, 5) + (b ^ c ^ d) + e + (0xca62c1d6 | 0) + at(w, t)) | 0;
    e = d;
    d = c;
    c = rotateLeft(b, 30);
    b = a;
    a = next;
  }
  state[0] = (a + 0x67452301) | 0;
  state[1] = (b + 0xefcdab89) | 0;
  state[2] = (c + 0x98badcfe) | 0;
  state[3] = (d + 0x10325476) | 0;
  state[4] = (e + 0xc3d2e1f0) | 0;
}

// The fractions of the square roots of the first primes, and of their cube roots (FIPS 180-4, 4.2.2 and 5.3.3).
const primes = Array.from({ length: 400 }, (_, n) => n).filter(
  (n) => n > 1 && !Array.from({ length: n }, (_, d) => d).some((d) => d > 1 && n % d === 0),
);
const fraction = (root: number): number => ((root % 1) * 2 ** 32) | 0;
const SHA256_START = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const SHA256_CONSTANTS = Int32Array.from(primes.slice(0, 64), (prime) => fraction(Math.cbrt(prime)));

// FIPS 180-4, 6.2.2.
function sha256(state: Int32Array, w: Int32Array): void {
  for (let t = 16; t < 64; t++) {
    const x = at(w, t - 15);
    const y = at(w, t - 2);
    const low = rotateLeft(x, 25) ^ rotateLeft(x, 14) ^ (x >>> 3);
    const high = rotateLeft(y, 15) ^ rotateLeft(y, 13) ^ (y >>> 10);
    w[t] = at(w, t - 16) + low + at(w, t - 7) + high;
  }
  let a = at(SHA256_START, 0);
  let b = at(SHA256_START, 1);
  let c = at(SHA256_START, 2);
  let d = at(SHA256_START, 3);
  let e = at(SHA256_START, 4);
  let f = at(SHA256_START, 5);
  let g = at(SHA256_START, 6);
  let h = at(SHA256_START, 7);
  for (let t = 0; t < 64; t++) {
    const one = rotateLeft(e, 26) ^ rotateLeft(e, 21) ^ rotateLeft(e, 7);
    const first = (h + one + (g ^ (e & (f ^ g))) + at(SHA256_CONSTANTS, t) + at(w, t)) | 0;
    const two = rotateLeft(a, 30) ^ rotateLeft(a, 19) ^ rotateLeft(a, 10);
    const second = (two + ((a & b) | (c & (a | b)))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0] = a + at(SHA256_START, 0);
  state[1] = b + at(SHA256_START, 1);
  state[2] = c + at(SHA256_START, 2);
  state[3] = d + at(SHA256_START, 3);
  state[4] = e + at(SHA256_START, 4);
  state[5] = f + at(SHA256_START, 5);
  state[6] = g + at(SHA256_START, 6);
  state[7] = h + at(SHA256_START, 7);
}

const COMPRESS: Readonly<Record<string, Compress>> = { sha1, sha256 };

const rotateLeft = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));
const at = (words: Int32Array, index: number): number => words[index] as number;
