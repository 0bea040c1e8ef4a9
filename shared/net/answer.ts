import type { Readable } from 'node:stream';
import { FetchFailed } from './errors.ts';

/** The whole body, given up as soon as it is larger than allowed: announced or not. */
export async function readLimited(
  host: string,
  body: AsyncIterable<Uint8Array>,
  announcedBytes: number,
  maxBytes: number,
): Promise<Buffer> {
  if (announcedBytes > maxBytes) throw tooLargeError(host, maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw tooLargeError(host, maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/**
 * The beginning of a body, as much as is wanted or has come when it ends, breaks off or is given up. A rest that
 * is not read closes the connection; a body that ends leaves it to the next call.
 */
export async function readBeginning(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Destroyed with no listener, the stream would throw at the process.
  body.on('error', () => undefined);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) break;
    }
  } catch {
    // What has come is what there is.
  }
  return Buffer.concat(chunks, size).subarray(0, maxBytes);
}

const tooLargeError = (host: string, maxBytes: number): FetchFailed =>
  new FetchFailed('too-large', `The answer of ${host} is larger than the ${maxBytes} bytes that are read.`);
