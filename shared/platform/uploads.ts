import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import * as z from 'zod';
import type { Deadline } from '../async/deadline.ts';
import { isOwnStoreLink } from '../files/presign.ts';
import { guardedFetch } from '../net/guarded.ts';
import {
  call,
  callOnce,
  json,
  MAX_ANSWER_BYTES,
  type Platform,
  requireShape,
  requireTime,
  rethrowUnreachable,
} from './call.ts';
import { PlatformRefused, PlatformUnreachable } from './errors.ts';
import { watchStall } from './stall.ts';

/** A file at the platform, from which a document can be created. */
export type Upload = { readonly uploadId: string; readonly fileName: string };

export type UploadFile = {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  /** A PDF when left out. */
  readonly contentType?: string;
};

export type UploadStream = {
  /** Read once, and destroyed however the call ends. */
  readonly stream: Readable;
  readonly length: number;
  readonly fileName: string;
  readonly contentType: string;
};

const UploadAnswer = z.object({ id: z.string() });

/** The calls that upload a file. The platform collects an upload from which no document is created. */
export const uploadCalls = (platform: Platform) => ({
  async uploadFile(file: UploadFile, deadline: Deadline): Promise<Upload> {
    const { bytes, fileName, contentType = 'application/pdf' } = file;
    const byLink = await uploadByLink(platform, { bytes, fileName, contentType }, deadline);
    if (byLink) return byLink;
    const form = formOf(fileName, contentType);
    const body = { contentType: form.contentType, bytes: Buffer.concat([form.head, bytes, form.tail]) };
    const answer = await call(platform, { method: 'POST', path: '/api/uploads', body, deadline });
    return { uploadId: requireShape(UploadAnswer, answer).id, fileName };
  },

  /**
   * Uploads a file that is too large for memory. It is not repeated when the platform is busy: the failure has the
   * wait as `retryAfterMs`. A failure of the stream itself is thrown as it is.
   */
  async uploadStream(request: UploadStream, deadline: Deadline): Promise<Upload> {
    const { stream, length, fileName, contentType } = request;
    const form = formOf(fileName, contentType);
    const stall = watchStall(platform.access.requestTimeoutMs);
    const source = watchSource(stream, length, stall.reset);
    const body = {
      contentType: form.contentType,
      bytes: Readable.from(concatenate(form.head, source.chunks(), form.tail), { objectMode: false }),
      length: form.head.length + length + form.tail.length,
    };
    try {
      const answer = await callOnce(platform, {
        ...{ method: 'POST', path: '/api/uploads', body, deadline },
        signal: stall.signal,
      });
      return { uploadId: requireShape(UploadAnswer, answer).id, fileName };
    } catch (error) {
      if (source.failure()) throw source.failure();
      throw stall.signal.aborted
        ? new PlatformUnreachable('The signature service stopped taking the file.', { cause: error })
        : error;
    } finally {
      stall.stop();
      stream.destroy();
    }
  },
});

// AWS Lambda takes a request of 6 MB, and has a form in base64. The operation for a link is Sinete's own, beside the
// contract: where the platform does not have it, or refuses it, the form follows.
const MAX_FORM_BYTES = 4 * 1024 * 1024;

const LinkAnswer = z.object({
  id: z.string(),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()),
});

/** Uploads a large file straight to the platform's store. Undefined where the platform has no such operation. */
async function uploadByLink(
  platform: Platform,
  { bytes, fileName: name, contentType }: Required<UploadFile>,
  deadline: Deadline,
): Promise<Upload | undefined> {
  if (bytes.length <= MAX_FORM_BYTES) return undefined;
  const body = json({ name, contentType, size: bytes.length });
  const answer = await call(platform, {
    method: 'POST',
    path: '/api/uploads/presigned',
    body,
    deadline,
  }).catch(ifNotOffered);
  const link = LinkAnswer.safeParse(answer).data;
  if (!link) return undefined;
  const { status } = await guardedFetch({
    url: link.url,
    method: 'PUT',
    headers: link.headers,
    body: bytes,
    // SSRF: the address is the platform's word. One on its own host may be private, and one of the store that this
    // installation shares with it; any other as the settings say.
    allowPrivateAddresses:
      isOwnStoreLink(link.url) || isSameHost(link.url, platform.access.address) || undefined,
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs: Math.min(requireTime(deadline), platform.access.requestTimeoutMs),
  }).catch(rethrowUnreachable);
  if (status !== 200) throw new PlatformUnreachable(`The store of the signature service answered ${status}.`);
  return { uploadId: link.id, fileName: name };
}

const isSameHost = (link: string, address: string): boolean =>
  new URL(link).hostname === new URL(address).hostname;

const NOT_OFFERED: ReadonlySet<number | undefined> = new Set([403, 404, 405, 501]);

function ifNotOffered(error: unknown): undefined {
  if (error instanceof PlatformRefused) return undefined;
  if (error instanceof PlatformUnreachable && NOT_OFFERED.has(error.status)) return undefined;
  throw error;
}

/** A form with one file, as multipart/form-data. */
function formOf(fileName: string, contentType: string) {
  const boundary = `sinete-${randomUUID()}`;
  const quoted = fileName.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${quoted}"\r\ncontent-type: ${contentType}\r\n\r\n`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(head),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  };
}

/** The chunks of a file, and the failure that is its own and not the platform's. */
function watchSource(stream: Readable, length: number, onChunk: () => void) {
  let failure: unknown;
  // Destroyed or failing without a listener, a stream throws at the process.
  stream.on('error', () => undefined);
  const fail = (error: unknown): never => {
    failure = error;
    throw error;
  };
  async function* chunks(): AsyncGenerator<Buffer> {
    const source = stream[Symbol.asyncIterator]();
    let read = 0;
    for (;;) {
      // Only its own failures: an abort of the call is thrown in at the yield.
      const { done, value } = await source.next().catch(fail);
      if (!done) read += value.length;
      if (read > length || (done && read < length))
        fail(new Error(`The file does not have the ${length} bytes that were announced.`));
      if (done) return;
      onChunk();
      yield value;
    }
  }
  return { chunks, failure: () => failure };
}

async function* concatenate(
  head: Buffer,
  chunks: AsyncIterable<Buffer>,
  tail: Buffer,
): AsyncGenerator<Buffer> {
  yield head;
  yield* chunks;
  yield tail;
}
