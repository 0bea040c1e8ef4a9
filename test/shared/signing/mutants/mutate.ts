/** A file with some of its bytes changed, and how: `edits` is what a failing test prints. */
export type Mutant = { readonly bytes: Buffer; readonly edits: readonly string[] };

type Random = (below: number) => number;

/** mulberry32: the same seed gives the same mutants on every machine. */
function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Edit = (bytes: Buffer, random: Random) => Buffer;

const replace = (bytes: Buffer, start: number, end: number, put: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(end)]);

const MAX_PIECE_BYTES = 64;

const takePiece = (bytes: Buffer, random: Random): Buffer => {
  const start = random(bytes.length);
  return bytes.subarray(start, start + 1 + random(MAX_PIECE_BYTES));
};

const bytesOf = (count: number, random: Random): Buffer =>
  Buffer.from(Array.from({ length: count }, () => random(256)));

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

const EDITS: Readonly<Record<string, Edit>> = {
  flip: (bytes, random) => {
    const at = random(bytes.length);
    return replace(bytes, at, at + 1, Buffer.from([(bytes[at] ?? 0) ^ (1 << random(8))]));
  },
  set: (bytes, random) => {
    const at = random(bytes.length);
    return replace(bytes, at, at + 1, bytesOf(1, random));
  },
  insert: (bytes, random) => {
    const at = random(bytes.length + 1);
    return replace(bytes, at, at, bytesOf(1 + random(8), random));
  },
  remove: (bytes, random) => {
    const at = random(bytes.length);
    return replace(bytes, at, at + 1 + random(40), Buffer.alloc(0));
  },
  // Numbers carry the structure of a PDF: offsets, lengths, references.
  renumber: (bytes, random) => {
    const from = random(bytes.length);
    const at = bytes.findIndex((byte, place) => place >= from && isDigit(byte));
    return at < 0 ? bytes : replace(bytes, at, at + 1, Buffer.from([0x30 + random(10)]));
  },
  overwrite: (bytes, random) => {
    const piece = takePiece(bytes, random);
    const at = random(bytes.length);
    return replace(bytes, at, at + piece.length, piece);
  },
  repeat: (bytes, random) => {
    const piece = takePiece(bytes, random);
    const at = random(bytes.length + 1);
    return replace(bytes, at, at, piece);
  },
  blank: (bytes, random) => {
    const at = random(bytes.length);
    return replace(bytes, at, at + 1, Buffer.from([[0x20, 0x0a, 0x0d, 0x09, 0x00][random(5)] ?? 0]));
  },
  cut: (bytes, random) => bytes.subarray(0, random(bytes.length)),
  append: (bytes, random) => Buffer.concat([bytes, takePiece(bytes, random)]),
};

const NAMES = Object.keys(EDITS);
const MAX_EDITS = 3;

/** Mutants that differ from the original, by the same seed always the same. @example for (const { bytes } of mutantsOf(pdf, 100, 1)) … */
export function* mutantsOf(original: Buffer, count: number, seed: number): Generator<Mutant> {
  const random = createRandom(seed);
  for (let made = 0; made < count; ) {
    // One edit most often: several seldom leave a file that is still read.
    const names = Array.from(
      { length: 1 + (random(4) === 0 ? random(MAX_EDITS) : 0) },
      () => NAMES[random(NAMES.length)] ?? 'flip',
    );
    const bytes = names.reduce(
      (file, name) => (file.length ? (EDITS[name]?.(file, random) ?? file) : file),
      original,
    );
    if (bytes.equals(original)) continue;
    made++;
    yield { bytes, edits: names };
  }
}
