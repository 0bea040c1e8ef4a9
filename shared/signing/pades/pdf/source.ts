/** A file in pieces: the original and the appended updates. Appending copies nothing. */
export type Source = { readonly pieces: readonly Buffer[]; readonly length: number };

/** @example const source = sourceOf(await readFile('contract.pdf')) */
export const sourceOf = (bytes: Uint8Array): Source => ({
  pieces: [Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)],
  length: bytes.length,
});

export const append = (source: Source, piece: Buffer): Source => ({
  pieces: [...source.pieces, piece],
  length: source.length + piece.length,
});

export type Spot = { readonly bytes: Buffer; readonly at: number; readonly pieceStart: number };

const NOWHERE: Spot = { bytes: Buffer.alloc(0), at: 0, pieceStart: 0 };

/** The piece with this offset. No object spans two pieces: each piece ends with its %%EOF. */
export function spotOf({ pieces }: Source, offset: number): Spot {
  let pieceStart = 0;
  for (const bytes of pieces) {
    if (offset < pieceStart + bytes.length) return { bytes, at: offset - pieceStart, pieceStart };
    pieceStart += bytes.length;
  }
  return NOWHERE;
}

const SLICE_BYTES = 64 * 1024 * 1024; // a hash takes less than 2 GB at a time

/** Visits the bytes from `start` to `end` without copying them. */
export function eachSlice(source: Source, start: number, end: number, take: (slice: Buffer) => void): void {
  let pieceStart = 0;
  for (const piece of source.pieces) {
    const last = Math.min(end - pieceStart, piece.length);
    for (let at = Math.max(0, start - pieceStart); at < last; at += SLICE_BYTES)
      take(piece.subarray(at, Math.min(at + SLICE_BYTES, last)));
    pieceStart += piece.length;
  }
}
