import { inflateSync } from 'node:zlib';
import { undoPngFilters } from '../../../../shared/signing/pades/pdf/filters.ts';

type Picture = { readonly width: number; readonly height: number; readonly colors: Uint8Array };

/** A PNG in colours of eight bits, as pdftoppm writes it. */
function readPicture(png: Buffer): Picture {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  if (png[24] !== 8 || png[25] !== 2) throw new Error('The picture is not in colours of eight bits.');
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const rows = { columns: width, colors: 3, bits: 8 };
  return { width, height, colors: undoPngFilters(inflateSync(Buffer.concat(parts)), rows) };
}

const RADIUS = 1; // pixels
const VISIBLE = 36; // of 255, after blurring

/**
 * The number of points at which two pictures look different. Both are blurred, so that letters that another version of a
 * font draws a little thicker are the same, and a box that is a millimetre and a half elsewhere is not.
 */
export function differingPoints(one: Buffer, other: Buffer): number {
  const [a, b] = [readPicture(one), readPicture(other)];
  if (a.width !== b.width || a.height !== b.height) return Number.POSITIVE_INFINITY;
  let count = 0;
  for (let y = RADIUS; y < a.height - RADIUS; y++)
    for (let x = RADIUS; x < a.width - RADIUS; x++)
      if (Math.abs(blurredAt(a, x, y) - blurredAt(b, x, y)) > VISIBLE) count++;
  return count;
}

/** The mean of the colours around a point. */
function blurredAt({ width, colors }: Picture, x: number, y: number): number {
  let sum = 0;
  for (let dy = -RADIUS; dy <= RADIUS; dy++) {
    const start = 3 * ((y + dy) * width + x - RADIUS);
    for (let at = start; at < start + 3 * (2 * RADIUS + 1); at++) sum += colors[at] ?? 0;
  }
  return sum / (3 * (2 * RADIUS + 1) ** 2);
}
