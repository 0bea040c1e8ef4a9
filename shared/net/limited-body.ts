import { FetchFailed } from './errors.ts';

/** The whole body, given up as soon as it is larger than allowed: announced or not. */
export async function readLimited(
  host: string,
  body: AsyncIterable<Uint8Array>,
  announcedBytes: number,
  maxBytes: number,
): Promise<Buffer> {
  if (announcedBytes > maxBytes) throw tooLarge(host, maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(host, maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

const tooLarge = (host: string, maxBytes: number): FetchFailed =>
  new FetchFailed('too-large', `The answer of ${host} is larger than the ${maxBytes} bytes that are read.`);
