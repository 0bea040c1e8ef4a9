import { crc32, deflateSync } from 'node:zlib';

export type PngKind = {
  /** The colour type: 0 grey, 2 colours, 3 a palette, 4 grey with transparency, 6 colours with it. */
  readonly kind: number;
  readonly bits: number;
  readonly palette?: readonly number[];
  readonly transparency?: readonly number[];
};

const COLORS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** A PNG of these rows of bytes. The rows use the five filters in turn. */
export function pngOf(
  { kind, bits, palette, transparency }: PngKind,
  width: number,
  rows: readonly number[][],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(rows.length, 4);
  header.set([bits, kind], 8);
  const step = Math.max(1, ((COLORS[kind] ?? 1) * bits) >> 3);
  const lines = rows.map((row, at) => filtered(4 - (at % 5), row, rows[at - 1] ?? [], step));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...(palette ? [chunk('PLTE', Buffer.from(palette))] : []),
    ...(transparency ? [chunk('tRNS', Buffer.from(transparency))] : []),
    chunk('IDAT', deflateSync(Buffer.from(lines.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const [head, tail] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  head.writeUInt32BE(data.length);
  tail.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, tail]);
}

// Each byte minus its prediction: nothing, the left byte, the upper byte, their mean, or Paeth's.
function filtered(way: number, row: readonly number[], above: readonly number[], step: number): number[] {
  const line = row.map((value, at) => {
    const [left, up, corner] = [row[at - step] ?? 0, above[at] ?? 0, above[at - step] ?? 0];
    return (value - ([0, left, up, (left + up) >> 1, nearest(left, up, corner)][way] ?? 0)) & 0xff;
  });
  return [way, ...line];
}

function nearest(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const by = [left, up, corner].map((value) => Math.abs(guess - value));
  return [left, up, corner][by.indexOf(Math.min(...by))] ?? 0;
}
