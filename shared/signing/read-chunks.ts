import { open } from 'node:fs/promises';

// Small: a cipher takes a fresh buffer for what it makes of each.
const CHUNK_BYTES = 32 * 1024;

/** A file on disk by its path, or the bytes of a small one. */
export type LocalFile = string | Uint8Array;

/**
 * The chunks of a file. Those of one on disk come each in the same buffer: a chunk is overwritten when the next one is requested. A read
 * stream takes a fresh buffer for every chunk, and a large file leaves tens of megabytes to collect. For consumers that
 * hash, encrypt, write or copy a chunk before they ask for the next; a parser that keeps slices needs a read stream.
 * @example for await (const chunk of readChunks('data.bin')) hash.update(chunk);
 */
export async function* readChunks(file: LocalFile): AsyncGenerator<Uint8Array> {
  if (typeof file !== 'string') return yield file;
  const handle = await open(file);
  try {
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
