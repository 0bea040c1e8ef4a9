import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Deadline } from '../async/deadline.ts';
import { fileNameIn, safeFileName } from '../files/safe-name.ts';
import { readBeginning } from '../net/answer.ts';
import { guardedStream } from '../net/guarded.ts';
import {
  addressed,
  MAX_ANSWER_BYTES,
  type Platform,
  parseAnswer,
  pathOf,
  requireTime,
  rethrowUnreachable,
  waitWhileBusy,
} from './call.ts';
import { PlatformUnreachable } from './errors.ts';
import { watchStall } from './stall.ts';

type ContentFacts = { readonly fileName?: string; readonly contentType?: string };

/** The signed file. The caller reads the stream to its end or destroys it: it holds a connection. */
export type SignedContent = ContentFacts & { readonly stream: Readable };

export type Downloaded = ContentFacts & { readonly length: number };

/** The calls that download the signed version of a document. */
export const downloadCalls = (platform: Platform) => ({
  /** Opens the signed file. The deadline counts to its last byte. */
  openSigned: (documentId: string, deadline: Deadline): Promise<SignedContent> =>
    waitWhileBusy(platform, deadline, () => open(platform, documentId, deadline)),

  /**
   * Writes the signed file to a path. A file that broke off, or is longer than `maxBytes`, is deleted. A failure of the
   * disk is thrown as it is.
   */
  downloadSigned: (
    documentId: string,
    path: string,
    deadline: Deadline,
    maxBytes = Number.POSITIVE_INFINITY,
  ): Promise<Downloaded> =>
    waitWhileBusy(platform, deadline, () => download(platform, documentId, { path, maxBytes }, deadline)),
});

async function open(
  { access }: Platform,
  documentId: string,
  deadline: Deadline,
  signal?: AbortSignal,
): Promise<SignedContent> {
  const answer = await guardedStream({
    ...addressed(access, pathOf('/api/documents', documentId, '/content?type=Signatures')),
    headers: { 'x-api-key': access.apiKey },
    timeoutMs: requireTime(deadline),
    ...(signal && { signal }),
  }).catch(rethrowUnreachable);
  const { status, headers, stream } = answer;
  if (status === 200) return { stream, ...factsOf(headers) };
  parseAnswer({ status, headers, bytes: await readBeginning(stream, MAX_ANSWER_BYTES) }, deadline.now());
  throw new PlatformUnreachable(`The signature service answered ${status} instead of the document.`);
}

type Target = { readonly path: string; readonly maxBytes: number };

async function download(
  platform: Platform,
  documentId: string,
  target: Target,
  deadline: Deadline,
): Promise<Downloaded> {
  const stall = watchStall(platform.access.requestTimeoutMs);
  try {
    const { stream, ...facts } = await open(platform, documentId, deadline, stall.signal);
    return { length: await write(stream, target, stall.reset), ...facts };
  } finally {
    stall.stop();
  }
}

async function write(stream: Readable, { path, maxBytes }: Target, onChunk: () => void): Promise<number> {
  let length = 0;
  const count = (chunk: Buffer): void => {
    onChunk();
    length += chunk.length;
    if (length > maxBytes)
      throw new PlatformUnreachable(
        `The signature service sent a document of more than ${maxBytes} bytes, and it was not taken.`,
      );
  };
  try {
    await pipeline(withUnreachable(stream, count), createWriteStream(path));
    return length;
  } catch (error) {
    // A path that cannot be opened leaves the answer unread, and that holds its connection.
    stream.on('error', () => undefined).destroy();
    await rm(path, { force: true });
    throw error;
  }
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function factsOf(headers: Headers): ContentFacts {
  const [disposition] = [headers['content-disposition']].flat();
  const [contentType] = [headers['content-type']].flat();
  const fileName = fileNameIn(disposition);
  return { ...(fileName && { fileName: safeFileName(fileName) }), ...(contentType && { contentType }) };
}

async function* withUnreachable(stream: Readable, onChunk: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) {
      onChunk(chunk);
      yield chunk;
    }
  } catch (cause) {
    if (cause instanceof PlatformUnreachable) throw cause;
    throw new PlatformUnreachable('The signature service broke off while it sent the document.', { cause });
  }
}
