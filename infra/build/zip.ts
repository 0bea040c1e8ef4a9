import { crc32 } from 'node:zlib';
import { type DeflateOptions, deflateSync, Zip, type ZipInputFile } from 'fflate';

// Zip has no time before 1980 and no time zone. One date for all: the same code gives the same bytes everywhere, and an
// unchanged function is not deployed again.
const ZIP_DATE = new Date(1980, 0, 2);

// The method of deflated entries: APPNOTE.TXT 4.4.5.
const DEFLATED = 8;

/** A file as a zip holds it. Several zips may hold the same. */
export type ZippedFile = {
  readonly size: number;
  readonly crc: number;
  readonly deflated: Uint8Array<ArrayBuffer>;
};

/**
 * Compresses a file for zips. With level 0 it is deflated without compression and not stored: sizes follow the content,
 * and a stored entry would have no end for a program that reads a zip as it arrives. By fflate and not by Node's zlib,
 * whose output depends on the processor.
 */
export const deflateFile = (bytes: Uint8Array, level: DeflateOptions['level'] = 6): ZippedFile => ({
  size: bytes.length,
  crc: crc32(bytes),
  deflated: deflateSync(bytes, { level }),
});

/**
 * A zip of files by their paths, in this order.
 * @example await writeFile('a.zip', zipOf({ 'dist/a.mjs': deflateFile(code) }));
 */
export function zipOf(files: Readonly<Record<string, ZippedFile>>): Buffer {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  for (const [filename, { size, crc, deflated }] of Object.entries(files)) {
    const file: ZipInputFile = { filename, mtime: ZIP_DATE, compression: DEFLATED, size, crc };
    zip.add(file);
    file.ondata?.(null, deflated, true);
  }
  zip.end();
  return Buffer.concat(chunks);
}
