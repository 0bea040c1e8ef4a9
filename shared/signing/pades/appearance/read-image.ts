import { type Image, refuseImage } from './image.ts';
import { readJpeg } from './jpeg.ts';
import { readPng } from './png.ts';

/** @example const image = readImage(await readFile('signature.png')) */
export function readImage(bytes: Uint8Array): Image {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (source[0] === 0xff && source[1] === 0xd8) return readJpeg(source);
  if (source.subarray(0, 8).equals(PNG_HEADER)) return readPng(source);
  return refuseImage('it is of another kind.');
}

const PNG_HEADER = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
