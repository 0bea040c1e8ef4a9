import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { resumeIteration } from '../../../../shared/async/resume-iteration.ts';
import { TooLarge } from '../../../../shared/files/errors.ts';
import { files } from '../../../../shared/files/files.ts';
import { safeFileName } from '../../../../shared/files/safe-name.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { kindOf, observeKind } from './content-kind.ts';
import { signingProblemOf } from './signing-problem.ts';
import { fileOf, recordUpload, tooLarge, type Upload, uploadStates, uploads } from './upload.ts';

type UploadRequest = Pick<Upload, 'organizationId' | 'contentType'> & {
  readonly name: string | undefined;
  readonly content: Readable | Uint8Array;
  /** When it is collected unless a document has taken it; after Uploads:KeptFor where it is left out. */
  readonly collectAtMs?: number;
};

/** The name and type that fields of a form give in place of those of the file. */
type Description = { readonly name: string | null; readonly contentType: string | null };

/** A file that a request carried: in memory and not stored yet, or stored as an upload. */
export type ReceivedFile =
  | { readonly request: UploadRequest; readonly bytes: Uint8Array }
  | { readonly upload: Stored<Upload> };

// A file that ends within so many bytes is held in memory: most documents are smaller, and a hundred at once fit a
// function.
const MAX_HELD_BYTES = 1_048_576;

// No registered type is half as long, and the store limits its headers.
const MAX_TYPE_LENGTH = 100;
const UNKNOWN_TYPE = 'application/octet-stream';

/** Receives a file. The end of a small one is waited for, the rest of a larger one flows into the store. */
export async function receiveFile(request: UploadRequest, nowMs: number): Promise<ReceivedFile> {
  const { content } = request;
  const isLong = request.contentType.length > MAX_TYPE_LENGTH;
  const named = { ...request, contentType: isLong ? UNKNOWN_TYPE : request.contentType };
  if (content instanceof Uint8Array) return { request: named, bytes: content };
  try {
    const held = await hold(content);
    if (held instanceof Uint8Array) return { request: named, bytes: held };
    return { upload: await storeStream(named, held, nowMs) };
  } finally {
    content.destroy(); // Nobody reads what is left after a failure.
  }
}

// The steps of a small file, whose size and digest are known before the first one:
//
//   record, as received, + collect later  |--- file --- answer
//        item                          item and file     all
//
// A function that is killed between the two leaves an item whose id nobody knows. The message recorded with it removes
// the remains, as those of a larger file:
//
//   record + collect later  |--- file --- received
//        item              item and file     all

/** Stores a received file with the description of its form, which may follow the file. */
export async function keepUpload(
  received: ReceivedFile,
  { name, contentType }: Description,
  nowMs: number,
): Promise<Stored<Upload>> {
  if ('upload' in received) return describe(received.upload, { name, contentType });
  const { request, bytes } = received;
  const maxBytes = settings['Uploads:MaxBytes'];
  if (bytes.length > maxBytes) throw tooLarge(new TooLarge('upload', maxBytes, bytes.length));
  if (bytes.length === 0) throw errors.refuse('UploadEmpty');
  const kind = kindOf(bytes);
  const isPdf = kind === 'pdf' || kind === 'pdf-inside';
  const upload = await recordUpload(
    {
      organizationId: request.organizationId,
      name: name ?? request.name,
      contentType: contentType ?? request.contentType,
      state: 'Received',
      size: bytes.length,
      md5: createHash('md5').update(bytes).digest('hex'),
      kind,
      ...(isPdf && { signingProblem: await signingProblemOf(bytes) }),
    },
    nowMs,
    request.collectAtMs,
  );
  await files('documents').put(fileOf(upload), bytes, { contentType: request.contentType });
  return upload;
}

/** Stores a file that a request carries, without a form. */
export const receiveUpload = async (request: UploadRequest, nowMs: number): Promise<Stored<Upload>> =>
  keepUpload(await receiveFile(request, nowMs), { name: null, contentType: null }, nowMs);

/** The whole of a small stream, or a stream again of a larger one. */
async function hold(content: Readable): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const rest: AsyncIterator<Uint8Array> = content[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await rest.next();
    if (done) return Buffer.concat(chunks);
    chunks.push(value);
    length += value.length;
    if (length > MAX_HELD_BYTES) return resumeIteration(Buffer.concat(chunks), rest);
  }
}

async function storeStream(
  request: UploadRequest,
  content: AsyncIterable<Uint8Array>,
  nowMs: number,
): Promise<Stored<Upload>> {
  const { organizationId, name, contentType, collectAtMs } = request;
  const announced = await recordUpload({ organizationId, name, contentType }, nowMs, collectAtMs);
  const observed = observeKind(content);
  try {
    const options = { contentType, maxBytes: settings['Uploads:MaxBytes'] };
    const { length: size, md5 } = await files('documents').put(fileOf(announced), observed.content, options);
    const kind = observed.kind();
    return await transition(uploads, uploadStates, announced, 'received', { size, md5, kind });
  } catch (error) {
    throw error instanceof TooLarge ? tooLarge(error) : error;
  }
}

async function describe(upload: Stored<Upload>, { name, contentType }: Description): Promise<Stored<Upload>> {
  if (name === null && contentType === null) return upload;
  return uploads.change(upload, {
    name: name === null ? upload.name : safeFileName(name),
    contentType: contentType ?? upload.contentType,
  });
}
