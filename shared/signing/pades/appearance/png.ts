import { deflateSync, inflateSync } from 'node:zlib';
import { rowBytes, undoPngFilters } from '../pdf/filters.ts';
import { name, type PdfValue } from '../pdf/values.ts';
import { type Image, refuseImage } from './image.ts';

type Png = {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly kind: number;
  readonly packed: Buffer;
  readonly palette: Buffer | undefined;
  readonly transparency: Buffer | undefined;
};

const COLORS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const MAX_POINTS = 25_000_000; // a page at 600 dots an inch has 35 million; a signature's image is far smaller

/** Reads a PNG. Compressed data without an alpha channel goes into the PDF as it is; an alpha channel is split off. */
export function readPng(source: Buffer): Image {
  const png = readChunks(source);
  const { width, height, bits, kind } = png;
  const colors = COLORS[kind] ?? refuseImage(`the PNG has the unknown colour type ${kind}.`);
  const rows = { columns: width, colors, bits };
  const filtered = inflate(png.packed, (rowBytes(rows) + 1) * height);
  if (kind >= 4) return splitAlpha(png, undoPngFilters(filtered, rows), colors);
  const entries: Record<string, PdfValue> = {
    ColorSpace: kind === 3 ? indexedColors(png) : name(kind === 0 ? 'DeviceGray' : 'DeviceRGB'),
    BitsPerComponent: bits,
    Filter: name('FlateDecode'),
    DecodeParms: new Map<string, PdfValue>([
      ['Predictor', 15],
      ['Colors', colors],
      ['BitsPerComponent', bits],
      ['Columns', width],
    ]),
  };
  const { transparency } = png;
  if (transparency && kind !== 3) entries.Mask = transparentColor(transparency, colors);
  const image = { width, height, entries, content: png.packed };
  if (!transparency || kind !== 3) return image;
  return { ...image, mask: channel(paletteAlpha(png, undoPngFilters(filtered, rows)), 8) };
}

function readChunks(source: Buffer): Png {
  const chunks = chunksOf(source);
  const header = chunks.get('IHDR')?.[0];
  if (header?.length !== 13) return refuseImage('the PNG has no header.');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (width === 0 || height === 0 || width * height > MAX_POINTS)
    refuseImage(`it has ${width} by ${height} points; the limit is ${MAX_POINTS} in all.`);
  const bits = header[8] ?? 0;
  if (![1, 2, 4, 8, 16].includes(bits))
    refuseImage(`the PNG has ${bits} bits for each colour, which is not supported.`);
  if (header[12] !== 0) refuseImage('the PNG is interlaced: save it without interlacing.');
  return {
    width,
    height,
    bits,
    kind: header[9] ?? 0,
    packed: Buffer.concat(chunks.get('IDAT') ?? []),
    palette: chunks.get('PLTE')?.[0],
    transparency: chunks.get('tRNS')?.[0],
  };
}

function chunksOf(source: Buffer): Map<string, Buffer[]> {
  const chunks = new Map<string, Buffer[]>();
  for (let at = 8; at + 12 <= source.length; ) {
    const length = source.readUInt32BE(at);
    const type = source.toString('latin1', at + 4, at + 8);
    if (length > source.length - at - 12) refuseImage('the PNG is cut short.');
    const sameType = chunks.get(type) ?? [];
    sameType.push(source.subarray(at + 8, at + 8 + length));
    chunks.set(type, sameType);
    at += 12 + length;
  }
  return chunks;
}

function inflate(packed: Buffer, bytes: number): Buffer {
  try {
    const filtered = inflateSync(packed, { maxOutputLength: bytes });
    return filtered.length === bytes ? filtered : refuseImage('the PNG is cut short.');
  } catch {
    return refuseImage('the PNG does not unpack.');
  }
}

function indexedColors({ palette }: Png): PdfValue {
  if (!palette || palette.length === 0 || palette.length % 3) return refuseImage('the PNG has no palette.');
  const raw = Buffer.from(`<${palette.toString('hex')}>`);
  return [name('Indexed'), name('DeviceRGB'), palette.length / 3 - 1, { kind: 'string', raw }];
}

// One transparent colour, two bytes for each component. PDF needs a range.
function transparentColor(transparency: Buffer, colors: number): PdfValue {
  if (transparency.length < 2 * colors) return refuseImage('the transparent colour of the PNG is invalid.');
  return Array.from({ length: colors }, (_, at) => transparency.readUInt16BE(2 * at)).flatMap((v) => [v, v]);
}

function paletteAlpha({ width, height, bits, transparency }: Png, plain: Buffer): Buffer {
  const alpha = Buffer.alloc(width * height);
  const perRow = rowBytes({ columns: width, colors: 1, bits });
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const bit = column * bits;
      const byte = plain[row * perRow + (bit >> 3)] ?? 0;
      const index = (byte >> (8 - bits - (bit & 7))) & ((1 << bits) - 1);
      alpha[row * width + column] = transparency?.[index] ?? 255;
    }
  return alpha;
}

function splitAlpha({ width, height, bits, kind }: Png, plain: Buffer, colors: number): Image {
  const sampleBytes = bits >> 3 || refuseImage('the PNG has too few bits for its transparency.');
  const colorBytes = (colors - 1) * sampleBytes;
  const points = width * height;
  const color = Buffer.alloc(points * colorBytes);
  const alpha = Buffer.alloc(points * sampleBytes);
  for (let point = 0; point < points; point++) {
    const from = point * (colorBytes + sampleBytes);
    plain.copy(color, point * colorBytes, from, from + colorBytes);
    plain.copy(alpha, point * sampleBytes, from + colorBytes, from + colorBytes + sampleBytes);
  }
  const { entries, content } = channel(color, bits, kind === 4 ? 'DeviceGray' : 'DeviceRGB');
  return { width, height, entries, content, mask: channel(alpha, bits) };
}

function channel(samples: Buffer, bits: number, space = 'DeviceGray') {
  const entries = { ColorSpace: name(space), BitsPerComponent: bits, Filter: name('FlateDecode') };
  return { entries, content: deflateSync(samples) };
}
