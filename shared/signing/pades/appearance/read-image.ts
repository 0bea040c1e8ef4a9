import { name, type PdfValue } from '../pdf/values.ts';
import { type Image, refuseImage, refuseUnlessDrawable } from './image.ts';
import { checkPng, readPng } from './png.ts';

/** Reads a PNG or JPEG by its first bytes. @example const image = readImage(await readFile('signature.png')) */
export const readImage = (bytes: Uint8Array): Image => byKind(bytes, readPng, readJpeg);

/** Refuses what is no image, or too large a one, without the work of reading its points. */
export const checkImage = (bytes: Uint8Array): void => byKind(bytes, checkPng, checkJpeg);

function byKind<T>(bytes: Uint8Array, png: (source: Buffer) => T, jpeg: (source: Buffer) => T): T {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (source[0] === 0xff && source[1] === 0xd8) return jpeg(source);
  if (source.subarray(0, 8).equals(PNG_HEADER)) return png(source);
  return refuseImage('it is neither a PNG nor a JPEG.');
}

const PNG_HEADER = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const SPACES: Readonly<Record<number, string>> = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' };

// PDF embeds a JPEG as it is. Only its size and colours must be known.
function readJpeg(source: Buffer): Image {
  const frame = frameOf(source);
  refuseUnlessDrawable('JPEG', frame.width, frame.height);
  const space =
    SPACES[frame.components] ?? refuseImage(`the JPEG has ${frame.components} colour components.`);
  const entries: Record<string, PdfValue> = {
    ColorSpace: name(space),
    BitsPerComponent: 8,
    Filter: name('DCTDecode'),
  };
  // Adobe's programs write inverted CMYK.
  if (frame.components === 4 && frame.isAdobe) entries.Decode = [1, 0, 1, 0, 1, 0, 1, 0];
  return { width: frame.width, height: frame.height, unpackedPoints: 0, entries, content: source };
}

function checkJpeg(source: Buffer): void {
  readJpeg(source);
}

type Frame = {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly isAdobe: boolean;
};

// A marker, its length, and for a frame: precision, height, width, components.
function frameOf(source: Buffer): Frame {
  let isAdobe = false;
  for (let at = 2; at + 10 <= source.length; ) {
    if (source[at] !== 0xff) break;
    const marker = source[at + 1] ?? 0;
    if (marker === 0xff) {
      at++; // fill bytes may precede a marker
      continue;
    }
    if (marker === 0xee && source.toString('latin1', at + 4, at + 9) === 'Adobe') isAdobe = true;
    if (isFrame(marker)) {
      const [height, width] = [source.readUInt16BE(at + 5), source.readUInt16BE(at + 7)];
      if (source[at + 4] !== 8 || width === 0 || height === 0) break;
      return { width, height, components: source[at + 9] ?? 0, isAdobe };
    }
    at += 2 + source.readUInt16BE(at + 2);
  }
  return refuseImage('the JPEG has no readable frame.');
}

// SOF0 to SOF15. C4, C8 and CC are other markers.
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
