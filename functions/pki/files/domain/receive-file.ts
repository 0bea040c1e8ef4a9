import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { safeFileName } from '../../../../shared/files/safe-name.ts';
import { readFile } from '../../../../shared/files/stored-file.ts';
import { FetchFailed } from '../../../../shared/net/errors.ts';
import { guardedFetch } from '../../../../shared/net/guarded.ts';
import { errors } from '../../errors.ts';
import type { FileReference } from '../contract.ts';
import { maxFileBytes } from '../limits.ts';
import { findBlob } from './blob.ts';

/** A file of a request. */
export type ReceivedFile = {
  readonly bytes: Buffer;
  readonly name: string | null;
  /** Empty where nobody named it. */
  readonly contentType: string;
};

type Reference = z.output<typeof FileReference>;

/** The bytes of a file, wherever the request says that they are. */
export async function receiveFile(
  caller: Caller,
  reference: Reference,
  nowMs: number,
): Promise<ReceivedFile> {
  const { bytes, ...found } = await readPlace(caller, reference, nowMs);
  if (bytes.length === 0) throw errors.refuse('EmptyDocument');
  const limitBytes = maxFileBytes();
  if (bytes.length > limitBytes)
    throw errors.refuse('InvalidRequest', { limitBytes, actualBytes: bytes.length }, { status: 413 });
  if (reference.length && reference.length !== bytes.length)
    throw errors.refuse('BadDigest', { length: bytes.length, announcedLength: reference.length });
  return {
    bytes,
    name: reference.name ? safeFileName(reference.name) : found.name,
    contentType: reference.mimeType || reference.contentType || found.contentType,
  };
}

async function readPlace(caller: Caller, reference: Reference, nowMs: number): Promise<ReceivedFile> {
  if (reference.content)
    return { bytes: Buffer.from(reference.content, 'base64'), name: null, contentType: '' };
  if (reference.blobToken) return readBlob(caller, reference.blobToken, nowMs);
  return { bytes: await download(reference.url || reference.location || ''), name: null, contentType: '' };
}

async function readBlob(caller: Caller, token: string, nowMs: number): Promise<ReceivedFile> {
  const { file, name, contentType } = await findBlob(caller, token, nowMs);
  if (!file) throw errors.refuse('InvalidToken', { reason: 'The upload is not complete.' });
  return { bytes: await readFile('pki', file), name, contentType };
}

// The caller is behind an API gateway, which waits 29 s.
const DOWNLOAD_MS = 10_000;

/** SSRF: no private address, and no redirect, which would name an address that the caller did not. */
async function download(url: string): Promise<Buffer> {
  try {
    const { status, bytes } = await guardedFetch({ url, maxBytes: maxFileBytes(), timeoutMs: DOWNLOAD_MS });
    if (status === 200) return bytes;
    throw errors.refuse('FileDownloadFailed', { reason: 'status', status });
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error;
    throw errors.refuse('FileDownloadFailed', { reason: error.reason, explanation: error.message });
  }
}
