import { constants, deflateSync, inflateSync } from 'node:zlib';
import { type Rows, rowBytes, undoPngFilters } from '../pdf/filters.ts';
import { name, type PdfValue } from '../pdf/values.ts';
import { type Image, refuseImage, refuseUnlessDrawable } from './image.ts';

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

/** Reads a PNG. Compressed data without an alpha channel goes into the PDF as it is; an alpha channel is split off. */
export function readPng(source: Buffer): Image {
  const { png, rows, filtered } = unpack(source);
  const { width, height, bits, kind } = png;
  const { colors } = rows;
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
  const image = { width, height, unpackedPoints: width * height, entries, content: png.packed };
  if (!transparency || kind !== 3) return image;
  return { ...image, mask: channel(paletteAlpha(png, undoPngFilters(filtered, rows)), 8) };
}

/** Refuses a PNG that readPng refuses for its size or for data that is missing, for a tenth of its work. */
export const checkPng = (source: Buffer): void => {
  unpack(source);
};

function unpack(source: Buffer): { png: Png; rows: Rows; filtered: Buffer } {
  const png = readChunks(source);
  const colors = COLORS[png.kind] ?? refuseImage(`the PNG has the unknown colour type ${png.kind}.`);
  const rows = { columns: png.width, colors, bits: png.bits };
  return { png, rows, filtered: inflate(png.packed, (rowBytes(rows) + 1) * png.height) };
}

function readChunks(source: Buffer): Png {
  const chunks = chunksOf(source);
  const header = chunks.get('IHDR')?.[0];
  if (header?.length !== 13) return refuseImage('the PNG has no header.');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  refuseUnlessDrawable('PNG', width, height);
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
  let filtered: Buffer;
  try {
    filtered = inflateSync(packed, { maxOutputLength: bytes });
  } catch {
    return refuseImage('the PNG does not unpack.');
  }
  return filtered.length === bytes ? filtered : refuseImage('the PNG is cut short.');
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
  for (let from = 0, toColor = 0, toAlpha = 0; toAlpha < alpha.length; ) {
    for (let at = 0; at < colorBytes; at++) color[toColor++] = plain[from++] ?? 0;
    for (let at = 0; at < sampleBytes; at++) alpha[toAlpha++] = plain[from++] ?? 0;
  }
  const { entries, content } = channel(color, bits, kind === 4 ? 'DeviceGray' : 'DeviceRGB');
  return { width, height, unpackedPoints: points, entries, content, mask: channel(alpha, bits) };
}

function channel(samples: Buffer, bits: number, space = 'DeviceGray') {
  const entries = { ColorSpace: name(space), BitsPerComponent: bits, Filter: name('FlateDecode') };
  // At the usual level noise takes four times as long and gets a hundredth smaller.
  return { entries, content: deflateSync(samples, { level: constants.Z_BEST_SPEED }) };
}
