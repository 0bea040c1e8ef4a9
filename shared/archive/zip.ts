import { pipeline } from 'node:stream';
import { constants, crc32, createDeflateRaw } from 'node:zlib';
import { safeFileName } from '../files/safe-name.ts';
import { normalizeText } from '../text/normalize.ts';
import {
  centralFileHeader,
  dataDescriptor,
  endOfDirectory,
  localFileHeader,
  type Member,
  ZIP64_LIMIT,
} from './zip-records.ts';

// The longest name of common file systems.
const MAX_NAME_BYTES = 255;

export type ZipEntry = {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
  readonly modifiedAtMs: number;
};

/**
 * A ZIP of files, written as they are read. Names are made safe to unpack anywhere, and one that is taken gets a number:
 * `a.pdf`, `a (2).pdf`. An entry is opened when the one before it has been read: make its content lazily.
 * @example return file(Readable.from(zipFiles(entries)), 'application/zip', { name: 'jobs.zip' });
 */
export const zipFiles = (entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> =>
  writeZip(withSafeNames(entries));

/**
 * A ZIP of entries whose names are paths that this program chose. Entries are deflated and have data descriptors, since
 * their sizes are not known before: stored ones would have no end for a program that reads a ZIP as it arrives. The
 * memory taken grows by the central directory alone, some 200 bytes an entry.
 */
export async function* writeZip(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  zip64Limit = ZIP64_LIMIT,
): AsyncGenerator<Uint8Array> {
  // Not yet as bytes: each small buffer would keep the whole slab that Node cut it from.
  const members: Member[] = [];
  let offset = 0;
  for await (const { name, content, modifiedAtMs } of entries) {
    const header = localFileHeader(name, modifiedAtMs);
    yield header;
    const sizes = yield* deflate(content);
    const member: Member = { name, modifiedAtMs, offset, ...sizes };
    const descriptor = dataDescriptor(member, zip64Limit);
    yield descriptor;
    members.push(member);
    offset += header.length + sizes.compressedBytes + descriptor.length;
  }
  let bytes = 0;
  for (const member of members) {
    const header = centralFileHeader(member, zip64Limit);
    bytes += header.length;
    yield header;
  }
  yield endOfDirectory({ entries: members.length, bytes, offset }, zip64Limit);
}

/** Passes the content on deflated, and returns its sizes and checksum. */
async function* deflate(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, Pick<Member, 'crc32' | 'bytes' | 'compressedBytes'>> {
  const measured = { crc32: 0, bytes: 0, compressedBytes: 0 };
  async function* measure(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      measured.crc32 = crc32(chunk, measured.crc32);
      measured.bytes += chunk.length;
      yield chunk;
    }
  }
  // Signed PDFs hardly shrink. Payment files, XML and worksheets do at any level.
  const deflated = createDeflateRaw({ level: constants.Z_BEST_SPEED });
  // An error of the content is thrown by the loop below. A reader that stops there closes the content.
  pipeline(content, measure, deflated, () => undefined);
  for await (const chunk of deflated as AsyncIterable<Buffer>) {
    measured.compressedBytes += chunk.length;
    yield chunk;
  }
  return measured;
}

async function* withSafeNames(entries: AsyncIterable<ZipEntry>): AsyncGenerator<ZipEntry> {
  const nextNumbers = new Map<string, number>();
  for await (const entry of entries)
    yield { ...entry, name: freeName(safeFileName(entry.name), nextNumbers) };
}

// Windows and macOS take names that differ in case or in the form of their accents for one.
const sameName = (name: string): string => normalizeText(name, 'NFC').toLowerCase();

/** The name, or the first of its numbered forms that is free. It is taken from then on. */
function freeName(name: string, nextNumbers: Map<string, number>): string {
  let free = name;
  // Kept by name: a thousand equal names take a thousand steps, and not a million.
  let number = nextNumbers.get(sameName(name)) ?? 2;
  for (; nextNumbers.has(sameName(free)); number++) free = numbered(name, number);
  nextNumbers.set(sameName(name), number);
  nextNumbers.set(sameName(free), nextNumbers.get(sameName(free)) ?? 2);
  return free;
}

function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const end = ` (${number})${extension}`;
  const kept = Buffer.from(stem).subarray(0, Math.max(0, MAX_NAME_BYTES - Buffer.byteLength(end)));
  // A character that was cut in its middle is left out.
  return kept.toString().replace(/\uFFFD+$/, '') + end;
}
