import { describe, expect, test } from 'vitest';
import { checkImage, readImage } from '../../../../../shared/signing/pades/appearance/read-image.ts';
import { pngOf } from './png.ts';

/** A PNG or JPEG that says so about its size, and has nothing to show. */
function pngOfSize(width: number, height: number): Buffer {
  const image = pngOf({ kind: 6, bits: 8 }, 1, [[0, 0, 0, 0]]);
  image.writeUInt32BE(width, 16);
  image.writeUInt32BE(height, 20);
  return image;
}
function jpegOfSize(width: number, height: number): Buffer {
  const image = Buffer.from('ffd8ffc0001108000000000301110002110103110100', 'hex');
  image.writeUInt16BE(height, 7);
  image.writeUInt16BE(width, 9);
  return image;
}

const reasonOf = (work: () => unknown): string => {
  try {
    work();
    return 'is read';
  } catch (error) {
    return (error as Error).message;
  }
};

describe.each([
  ['readImage', readImage],
  ['checkImage', checkImage],
])('%s', (_, read) => {
  test.each([
    ['a PNG of 2,000 by 2,001 points', pngOfSize(2_000, 2_001), 'the limit of a PNG is 4000000'],
    ['a PNG at the limit without its data', pngOfSize(2_000, 2_000), 'the PNG is cut short'],
    ['a PNG of 4,294,967,295 by 1 points', pngOfSize(2 ** 32 - 1, 1), 'the limit of a PNG'],
    ['a PNG of no height', pngOfSize(1, 0), 'it has no points'],
    ['a JPEG of 5,000 by 5,001 points', jpegOfSize(5_000, 5_001), 'the limit of a JPEG is 25000000'],
    ['a JPEG of 5,000 by 5,000 points', jpegOfSize(5_000, 5_000), 'is read'],
    ['what is no image', Buffer.from('GIF89a'), 'neither a PNG nor a JPEG'],
  ])('judges %s by its header, before it is unpacked', (_, image, reason) => {
    expect(reasonOf(() => read(image))).toContain(reason);
  });
});
