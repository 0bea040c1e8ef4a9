// Images of 16 by 8 pixels, as short as their formats allow.

/** ITU-T T.6: in every row the pixels 4 to 11 are black. */
export function faxRows(): Uint8Array {
  const first = `${'001'}${'1011'}${'000101'}${'1'}`; // horizontal mode: white 4, black 8; then the end of the line
  const same = '111'; // each change is right below the one above
  const end = '000000000001'.repeat(2);
  const bits = `${first}${same.repeat(7)}${end}`;
  return Uint8Array.from(bits.match(/.{1,8}/g) ?? [], (part) => Number.parseInt(part.padEnd(8, '0'), 2));
}

/** The same picture as JBIG2 (ITU-T T.88): the information of the page, and a generic region that is coded like a fax. */
export function jbig2(): Uint8Array {
  const segment = (number: number, type: number, data: Uint8Array): Buffer => {
    const header = Buffer.alloc(11);
    header.writeUInt32BE(number, 0);
    header.writeUInt8(type, 4);
    header.writeUInt8(1, 6); // of page 1
    header.writeUInt32BE(data.length, 7);
    return Buffer.concat([header, data]);
  };
  const size = Buffer.alloc(8);
  size.writeUInt32BE(16, 0);
  size.writeUInt32BE(8, 4);
  const page = Buffer.concat([size, Buffer.alloc(11)]);
  const region = Buffer.concat([size, Buffer.alloc(9), Buffer.from([1]), faxRows()]);
  return Buffer.concat([segment(0, 48, page), segment(1, 38, region)]);
}

/** JPEG 2000 (ITU-T T.800): one component of 8 bits whose only packet is empty, which is an even gray. */
export function jpeg2000(): Uint8Array {
  const marker = (code: number, ...data: number[]): number[] => [
    0xff,
    code,
    ...u16(data.length + 2),
    ...data,
  ];
  const u16 = (number: number): number[] => [number >> 8, number & 0xff];
  const u32 = (number: number): number[] => [...u16(number >>> 16), ...u16(number & 0xffff)];
  const grid = [16, 8, 0, 0].flatMap(u32);
  const size = marker(0x51, ...u16(0), ...grid, ...grid, ...u16(1), 7, 1, 1);
  const coding = marker(0x52, 0, 0, ...u16(1), 0, 0, 2, 2, 0, 1);
  const quantization = marker(0x5c, 0x40, 0x40);
  const packet = [0x00];
  const tile = marker(0x90, ...u16(0), ...u32(12 + 2 + packet.length), 0, 1);
  return Uint8Array.from([
    ...[0xff, 0x4f],
    ...size,
    ...coding,
    ...quantization,
    ...tile,
    ...[0xff, 0x93],
    ...packet,
    ...[0xff, 0xd9],
  ]);
}
