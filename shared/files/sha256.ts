import { createHash } from 'node:crypto';

/** The SHA-256 of a stream, in lower-case hexadecimal. Memory does not grow with it. @example await sha256Of(opened.stream) */
export async function sha256Of(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}
