import type { Hash } from 'node:crypto';

/** The chunks as they come, each hashed on its way. @example for await (const chunk of hashChunks(stream, hash)) … */
export async function* hashChunks(source: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
}
