import type { Readable } from 'node:stream';
import { FetchFailed } from './errors.ts';
import type { Call, GuardedAnswer } from './request.ts';
import { parseHttpUrl } from './url.ts';

/** Reads the whole body. Throws as soon as it is larger than allowed, by content-length or by its bytes. */
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
 * Reads the beginning of a body: up to the limit, or up to its end, failure or abort. An unread rest closes the
 * connection; a complete body leaves it open for the next call.
 */
export async function readBeginning(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // A stream that is destroyed without a listener throws an uncaught error.
  body.on('error', () => undefined);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) break;
    }
  } catch {
    // The bytes so far are the result.
  }
  return Buffer.concat(chunks, size).subarray(0, maxBytes);
}

const tooLargeError = (host: string, maxBytes: number): FetchFailed =>
  new FetchFailed('too-large', `The answer of ${host} is larger than the ${maxBytes} bytes that are read.`);

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * The next call of a redirect, or undefined. A POST is not redirected: its body would reach an address that its sender
 * did not name.
 */
export function redirectOf(
  call: Call,
  { status, headers }: GuardedAnswer,
  followed: number,
): Call | undefined {
  const { method = 'GET', redirects = 0, url } = call;
  const isFollowed = redirects > 0 && (method === 'GET' || method === 'HEAD');
  if (!isFollowed || !REDIRECTS.has(status) || typeof headers.location !== 'string') return undefined;
  if (followed >= redirects)
    throw new FetchFailed('too-many-redirects', `The host ${url.host} redirects too often.`);
  const to = URL.canParse(headers.location, url.href) ? new URL(headers.location, url) : undefined;
  const next = parseHttpUrl(to?.href ?? '');
  if (url.protocol === 'https:' && next.protocol === 'http:')
    throw new FetchFailed(
      'bad-address',
      `The host ${url.host} redirects from https to http, which is not followed.`,
    );
  // Credential leak: headers may contain credentials for the first host.
  return { ...call, url: next, headers: next.origin === url.origin ? call.headers : {} };
}
