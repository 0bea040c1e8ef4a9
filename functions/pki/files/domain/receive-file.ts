import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { safeFileName } from '../../../../shared/files/safe-name.ts';
import { readFile, streamFile } from '../../../../shared/files/stored-file.ts';
import { FetchFailed } from '../../../../shared/net/errors.ts';
import { guardedFetch } from '../../../../shared/net/guarded.ts';
import { errors } from '../../errors.ts';
import type { FileReference } from '../contract.ts';
import { maxFileBytes } from '../limits.ts';
import { findBlob } from './blob.ts';

type Description = {
  readonly name: string | null;
  /** Empty where nobody named it. */
  readonly contentType: string;
};

/** A file of a request. */
export type ReceivedFile = Description & { readonly bytes: Buffer };

/** The same, of which an upload is not read yet. */
export type OpenedFile = Description & {
  readonly size: number;
  readonly read: () => Promise<Buffer>;
  readonly stream: () => AsyncIterable<Uint8Array>;
};

type Reference = z.output<typeof FileReference>;

/** The bytes of a file, wherever the request says that they are. */
export async function receiveFile(
  caller: Caller,
  reference: Reference,
  nowMs: number,
): Promise<ReceivedFile> {
  const { read, name, contentType } = await openFile(caller, reference, nowMs);
  return { bytes: await read(), name, contentType };
}

/** Opens a file, wherever the request says that it is. One at an address is fetched, in `downloadMs`. */
export async function openFile(
  caller: Pick<Caller, 'application'>,
  reference: Reference,
  nowMs: number,
  downloadMs = DOWNLOAD_MS,
): Promise<OpenedFile> {
  const found = await openPlace(caller, reference, nowMs, downloadMs);
  const { size } = found;
  if (size === 0) throw errors.refuse('EmptyDocument');
  const limitBytes = maxFileBytes();
  if (size > limitBytes)
    throw errors.refuse('InvalidRequest', { limitBytes, actualBytes: size }, { status: 413 });
  if (reference.length && reference.length !== size)
    throw errors.refuse('BadDigest', { length: size, announcedLength: reference.length });
  return {
    ...found,
    name: reference.name ? safeFileName(reference.name) : found.name,
    contentType: reference.mimeType || reference.contentType || found.contentType,
  };
}

async function openPlace(
  caller: Pick<Caller, 'application'>,
  reference: Reference,
  nowMs: number,
  downloadMs: number,
): Promise<OpenedFile> {
  if (reference.content) return inMemory(Buffer.from(reference.content, 'base64'));
  if (reference.blobToken) return openBlob(caller, reference.blobToken, nowMs);
  return inMemory(await download(reference.url || reference.location || '', downloadMs));
}

const inMemory = (bytes: Buffer): OpenedFile => ({
  ...{ name: null, contentType: '', size: bytes.length },
  read: async () => bytes,
  async *stream() {
    yield bytes;
  },
});

async function openBlob(
  caller: Pick<Caller, 'application'>,
  token: string,
  nowMs: number,
): Promise<OpenedFile> {
  const { file, name, contentType } = await findBlob(caller, token, nowMs);
  if (!file) throw errors.refuse('InvalidToken', { reason: 'The upload is not complete.' });
  return {
    ...{ name, contentType, size: file.size },
    read: () => readFile('pki', file),
    stream: () => streamFile('pki', file.key),
  };
}

// The caller is behind an API gateway, which waits 29 s.
const DOWNLOAD_MS = 10_000;

/** SSRF: no private address, and no redirect, which would name an address that the caller did not. */
async function download(url: string, timeoutMs: number): Promise<Buffer> {
  try {
    const { status, bytes } = await guardedFetch({ url, maxBytes: maxFileBytes(), timeoutMs });
    if (status === 200) return bytes;
    throw errors.refuse('FileDownloadFailed', { reason: 'status', status });
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error;
    throw errors.refuse('FileDownloadFailed', { reason: error.reason, explanation: error.message });
  }
}
