import type { Bytes } from '../bytes.ts';

const BLOCK_BYTES = 64;
const HASH_BYTES = 20;

// One for all calls: nothing runs between the filling and the reading of it.
const words = new Int32Array(80);

/**
 * SHA-1, for a derivation that hashes a hash some thousand times: each call to WebCrypto would take longer than the
 * hash. Old PKCS#12 files need it; nothing is signed or trusted by it.
 */
export function sha1(message: Uint8Array): Bytes {
  const blocks = Math.ceil((message.length + 9) / BLOCK_BYTES);
  const padded = new Uint8Array(blocks * BLOCK_BYTES);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, message.length * 8);

  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
  for (let block = 0; block < padded.length; block += BLOCK_BYTES) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(block + i * 4);
    for (let i = 16; i < 80; i++)
      words[i] = rotated(word(i - 3) ^ word(i - 8) ^ word(i - 14) ^ word(i - 16), 1);
    mix(state);
  }
  const hash = new Uint8Array(HASH_BYTES);
  const out = new DataView(hash.buffer);
  for (let i = 0; i < state.length; i++) out.setInt32(i * 4, state[i] ?? 0);
  return hash;
}

const word = (i: number): number => words[i] ?? 0;
const rotated = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

function mix(state: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let i = 0; i < 80; i++) {
    const next = (((rotated(a, 5) + chosen(i, b, c, d)) | 0) + ((e + word(i)) | 0)) | 0;
    e = d;
    d = c;
    c = rotated(b, 30);
    b = a;
    a = next;
  }
  state[0] = (state[0] ?? 0) + a;
  state[1] = (state[1] ?? 0) + b;
  state[2] = (state[2] ?? 0) + c;
  state[3] = (state[3] ?? 0) + d;
  state[4] = (state[4] ?? 0) + e;
}

/** The function of the round and its constant, which change every twenty rounds. */
function chosen(round: number, b: number, c: number, d: number): number {
  if (round < 20) return (((b & c) | (~b & d)) + 0x5a827999) | 0;
  if (round < 40) return ((b ^ c ^ d) + 0x6ed9eba1) | 0;
  if (round < 60) return (((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc) | 0;
  return ((b ^ c ^ d) + 0xca62c1d6) | 0;
}
