import { crc32, deflateSync } from 'node:zlib';

const uint32 = (number: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
};

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

/** A black PNG, and bytes behind it that fill it up to `size` where that is given. */
export function png(width: number, height: number, size?: number): Buffer<ArrayBuffer> {
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 0, 0, 0, 0])]);
  const parts = [
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
  ];
  const end = chunk('IEND', Buffer.alloc(0));
  const room = size === undefined ? 0 : size - Buffer.concat([...parts, end]).length;
  const filling = room > 0 ? [chunk('fiLl', Buffer.alloc(room - 12))] : [];
  return Buffer.concat([...parts, ...filling, end]);
}

/** The header of a JPEG, which says how large its image is. */
export function jpeg(width: number, height: number): Buffer<ArrayBuffer> {
  const frame = Buffer.alloc(19);
  frame.set([0xff, 0xc0, 0, 17, 8]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  frame.set([3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0], 9);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), frame, Buffer.from([0xff, 0xd9])]);
}
