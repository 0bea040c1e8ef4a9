import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Caller } from '../../../../shared/access/caller.ts';
import { TooLarge } from '../../../../shared/files/errors.ts';
import { files } from '../../../../shared/files/files.ts';
import { safeFileName } from '../../../../shared/files/safe-name.ts';
import { streamFile } from '../../../../shared/files/stored-file.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import { maxFileBytes } from '../limits.ts';
import { type Blob, beginBlob, blobFolder, blobStates, blobs, findBlob } from './blob.ts';
import { fileModel } from './file-model.ts';

type Owner = Pick<Caller, 'application'>;

/** API Gateway and Lambda take 6 MB in one request, a part in base64. */
export const PART_BYTES = 4_194_304;

export type PlainUpload = {
  readonly name: string | undefined;
  readonly contentType: string;
  readonly content: Readable;
};

/** Takes a file in one request. */
export async function uploadPlain(caller: Caller, upload: PlainUpload, nowMs: number) {
  const { token, name, contentType, size } = await storePlain(caller, upload, nowMs);
  return fileModel({ name, contentType, size, blobToken: token });
}

/** Stores a file as a blob of the caller. */
export async function storePlain(caller: Caller, upload: PlainUpload, nowMs: number) {
  const contentType = upload.contentType || 'application/octet-stream';
  const name = upload.name ? safeFileName(upload.name) : null;
  const { token, blob } = await beginBlob(caller, { name, contentType }, nowMs);
  const file = await putFile(blob, upload.content);
  await transition(blobs, blobStates, blob, 'received', { file });
  return { ...{ token, name, contentType }, key: file.key, size: file.size };
}

/** Begins an upload in parts. */
export async function beginMultipart(caller: Owner, nowMs: number) {
  const description = { name: null, contentType: 'application/octet-stream' };
  const { token } = await beginBlob(caller, description, nowMs);
  return { blobToken: token, partSize: PART_BYTES };
}

type Part = { readonly token: string; readonly partNumber: string; readonly content: Readable };

/** Takes a part, in place of an earlier one of this number. Returns its entity tag. */
export async function uploadPart(caller: Owner, { token, partNumber, content }: Part, nowMs: number) {
  const blob = await findBlob(caller, token, nowMs);
  if (!blobStates.accepts(blob.state, 'received')) throw errors.refuse('InvalidToken');
  if (!PART_NUMBER.test(partNumber))
    throw errors.refuse('InvalidRequest', undefined, {
      fields: [{ field: 'partNumber', message: 'is not a number from 0 on' }],
    });
  const maxParts = Math.ceil(maxFileBytes() / PART_BYTES);
  if (Number(partNumber) >= maxParts)
    throw errors.refuse('InvalidRequest', { limitBytes: maxFileBytes(), partNumber }, { status: 413 });
  const contentType = 'application/octet-stream';
  const put = files('pki').put(partKey(blob, Number(partNumber)), content, {
    contentType,
    maxBytes: PART_BYTES,
  });
  return (await put.catch(refuseTooLarge)).etag;
}

const PART_NUMBER = /^\d{1,6}$/;

const partKey = (blob: Blob, number: number): string => `${blobFolder(blob)}part-${number}`;

type Completion = {
  readonly token: string;
  readonly partETags: readonly string[];
  readonly completeMD5?: string | null | undefined;
};

// A client that sends its completion again, because it had no answer:
//
//   first   |--lists parts--- writes file a ---- received: names a --|
//   second     |--lists parts--- writes file b ------ refused, reads Received: done. b goes with the folder
//
// The blob names the file of one of them.

/** Makes one file of the parts. Refuses parts and a file that arrived other than they were sent. */
export async function completeMultipart(caller: Owner, completion: Completion, nowMs: number) {
  await retryOnConflict(async () => {
    const blob = await findBlob(caller, completion.token, nowMs);
    const isOpen = blobStates.accepts(blob.state, 'received');
    const file = isOpen ? await assemble(blob, completion.partETags) : blob.file;
    const md5 = Buffer.from(file?.md5 ?? '', 'hex').toString('base64');
    if (completion.completeMD5 && completion.completeMD5 !== md5)
      throw errors.refuse('BadDigest', { completeMD5: md5 });
    if (isOpen) await transition(blobs, blobStates, blob, 'received', { file });
  });
}

async function assemble(blob: Stored<Blob>, partETags: readonly string[]) {
  const { files: found } = await files('pki').list(`${blobFolder(blob)}part-`);
  const tags = new Map(found.map(({ key, etag }) => [key, withoutQuotes(etag)]));
  const keys = partETags.map((etag, number) => {
    const key = partKey(blob, number);
    if (tags.get(key) !== withoutQuotes(etag)) throw errors.refuse('BadDigest', { partNumber: number });
    return key;
  });
  async function* parts() {
    for (const key of keys) yield* streamFile('pki', key);
  }
  return putFile(blob, parts());
}

const withoutQuotes = (etag: string): string => etag.replaceAll('"', '');

async function putFile(blob: Blob, content: AsyncIterable<Uint8Array>): Promise<NonNullable<Blob['file']>> {
  const key = `${blobFolder(blob)}file-${randomUUID()}`;
  const { contentType } = blob;
  const put = files('pki').put(key, content, { contentType, maxBytes: maxFileBytes() });
  const { length: size, md5 } = await put.catch(refuseTooLarge);
  if (size === 0) throw errors.refuse('EmptyDocument');
  return { key, size, md5 };
}

/** @throws the refusal of a file that is too large, or the error itself */
export function refuseTooLarge(error: unknown): never {
  if (!(error instanceof TooLarge)) throw error;
  const { limitBytes, seenBytes: actualBytes } = error;
  throw errors.refuse('InvalidRequest', { limitBytes, actualBytes }, { status: 413 });
}
