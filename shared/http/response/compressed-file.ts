import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';

type Read = { readonly compressed: Buffer; plain?: Buffer };

const read = new Map<string, Read>();

/**
 * A file that the build wrote compressed, in the form that a client takes. It is read and unpacked once: all answers share
 * its bytes. Undefined where there is none.
 * @example const script = await compressedFile(new URL('scalar.js.gz', folder), accepts(headers['accept-encoding'], 'gzip'));
 */
export async function compressedFile(place: URL, asGzip: boolean): Promise<Buffer | undefined> {
  const known = read.get(place.href) ?? (await readIfThere(place));
  if (!known) return undefined;
  read.set(place.href, known);
  if (asGzip) return known.compressed;
  known.plain ??= gunzipSync(known.compressed);
  return known.plain;
}

async function readIfThere(place: URL): Promise<Read | undefined> {
  try {
    return { compressed: await readFile(place) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
