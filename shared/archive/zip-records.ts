// The records of a ZIP file, by the names of APPNOTE.TXT 6.3.10. Numbers are little-endian.

/** A file in a ZIP, once its bytes have passed. */
export type Member = {
  readonly name: string;
  readonly modifiedAtMs: number;
  readonly crc32: number;
  readonly compressedBytes: number;
  readonly bytes: number;
  /** Where its local file header begins. */
  readonly offset: number;
};

const DEFLATED = 8;
// Sizes follow the data, in a data descriptor (bit 3). The name is UTF-8 (bit 11).
const FLAGS = 0x0808;
const VERSION_PLAIN = 20;
const VERSION_ZIP64 = 45;
// Made by Unix: without a mode, unzip would write files that nobody may read.
const MADE_BY = (3 << 8) | VERSION_ZIP64;
const REGULAR_FILE = (0o100644 << 16) >>> 0;

const MAX_U16 = 0xffff;
const MAX_U32 = 0xffff_ffff;
/** Fields of this value or more take Zip64. Tests lower it, since a file of 4 GB takes too long. */
export type Zip64Limit = number;
export const ZIP64_LIMIT: Zip64Limit = MAX_U32;

/** The local file header. Sizes and CRC are not known yet. */
export const localFileHeader = (name: string, modifiedAtMs: number): Buffer => {
  const [nameBytes, extra] = [encodeName(name), timestamp(modifiedAtMs)];
  const lengths = [u16(nameBytes.length), u16(extra.length)];
  const head = [u32(0x04034b50), u16(VERSION_PLAIN), u16(FLAGS), u16(DEFLATED), dosTime(modifiedAtMs)];
  return Buffer.concat([...head, u32(0), u32(0), u32(0), ...lengths, nameBytes, extra]);
};

/** The data descriptor, after the data. Readers learn from the central directory which sizes are long. */
export const dataDescriptor = ({ crc32, compressedBytes, bytes }: Member, limit: Zip64Limit): Buffer => {
  const size = Math.max(compressedBytes, bytes) >= limit ? u64 : u32;
  return Buffer.concat([u32(0x08074b50), u32(crc32), size(compressedBytes), size(bytes)]);
};

/** The file header in the central directory. */
export const centralFileHeader = (member: Member, limit: Zip64Limit): Buffer => {
  const { name, modifiedAtMs, crc32, compressedBytes, bytes, offset } = member;
  // The order of the Zip64 extra field: only the fields that do not fit are in it.
  const long = [bytes, compressedBytes, offset].filter((value) => value >= limit);
  const zip64 = long.length > 0 ? [u16(0x0001), u16(8 * long.length), ...long.map(u64)] : [];
  const [nameBytes, extra] = [encodeName(name), Buffer.concat([...zip64, timestamp(modifiedAtMs)])];
  const short = (value: number) => u32(value >= limit ? MAX_U32 : value);
  return Buffer.concat([
    ...[u32(0x02014b50), u16(MADE_BY), u16(long.length > 0 ? VERSION_ZIP64 : VERSION_PLAIN)],
    ...[u16(FLAGS), u16(DEFLATED), dosTime(modifiedAtMs)],
    ...[u32(crc32), short(compressedBytes), short(bytes)],
    ...[u16(nameBytes.length), u16(extra.length), u16(0), u16(0), u16(0), u32(REGULAR_FILE), short(offset)],
    ...[nameBytes, extra],
  ]);
};

/** The end of the central directory, with its Zip64 record and locator where a field does not fit. */
export const endOfDirectory = (
  { entries, bytes, offset }: { entries: number; bytes: number; offset: number },
  limit: Zip64Limit,
): Buffer => {
  const needsZip64 = entries >= Math.min(limit, MAX_U16) || Math.max(bytes, offset) >= limit;
  const zip64 = [
    ...[u32(0x06064b50), u64(44), u16(MADE_BY), u16(VERSION_ZIP64), u32(0), u32(0)],
    ...[u64(entries), u64(entries), u64(bytes), u64(offset)],
    ...[u32(0x07064b50), u32(0), u64(offset + bytes), u32(1)],
  ];
  const count = u16(needsZip64 ? MAX_U16 : entries);
  return Buffer.concat([
    ...(needsZip64 ? zip64 : []),
    ...[u32(0x06054b50), u16(0), u16(0), count, count],
    ...[u32(needsZip64 ? MAX_U32 : bytes), u32(needsZip64 ? MAX_U32 : offset), u16(0)],
  ]);
};

function encodeName(name: string): Buffer {
  const bytes = Buffer.from(name, 'utf8');
  if (bytes.length > MAX_U16) throw new RangeError(`A name in a ZIP has at most ${MAX_U16} bytes.`);
  return bytes;
}

// DOS time has no zone and counts from 1980 to 2107 in steps of two seconds. It is UTC here.
function dosTime(ms: number): Buffer {
  const at = new Date(Math.min(Math.max(ms, Date.UTC(1980, 0)), Date.UTC(2107, 11, 31)));
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  return Buffer.concat([u16(time), u16(date)]);
}

// The extended timestamp of Info-ZIP: the same time with its zone. Its seconds are signed 32 bits.
function timestamp(ms: number): Buffer {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 0 || seconds > 0x7fff_ffff) return Buffer.alloc(0);
  return Buffer.concat([u16(0x5455), u16(5), Buffer.of(1), u32(seconds)]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
