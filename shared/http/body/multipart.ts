import { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { Problem } from '../errors.ts';
import { invalid } from '../validate.ts';
import { type RawBody, tooLarge } from './raw-body.ts';
import type { BodyReader } from './reader.ts';

/** One part of a form, in the order it arrived. */
export type Part = FieldPart | FilePart;
export type FieldPart = { readonly kind: 'field'; readonly name: string; readonly value: string };
export type FilePart = {
  readonly kind: 'file';
  readonly name: string;
  /** As the caller wrote it, without any folder; undefined when the part names none. */
  readonly fileName: string | undefined;
  readonly contentType: string;
  /** Read it before asking for the next part; what is left unread is skipped. */
  readonly content: Readable;
};

/** A form being received: iterate it to read its parts. Nothing is read before that. */
export type Multipart = { readonly parts: AsyncIterable<Part> };

export type MultipartLimits = {
  readonly maxFileBytes: () => number;
  readonly maxFiles: () => number;
  /** The form as JSON Schema, for the contract. */
  readonly schema: object;
};

const MAX_FIELDS = 32; // no form of ours has more than a handful
const MAX_FIELD_BYTES = 65_536; // the longest is a free-text reason
const HEADROOM_BYTES = 65_536; // what surrounds a file: fields, headers, boundaries

/**
 * A multipart form, read as a stream. A file over its limit fails where it passes it, telling both sizes.
 * @example body: multipartBody({ maxFiles: () => 1, maxFileBytes: () => settings['Upload:MaxBytes'], schema: UploadForm })
 */
export const multipartBody = (limits: MultipartLimits): BodyReader<Multipart> => ({
  accepts: (mediaType) => mediaType === 'multipart/form-data',
  optional: false,
  ceilingBytes: () => limits.maxFiles() * (limits.maxFileBytes() + HEADROOM_BYTES) + HEADROOM_BYTES,
  content: { 'multipart/form-data': { schema: limits.schema } },
  read: async (body, limitBytes) => ({ parts: receive(body, limits, limitBytes) }),
});

/**
 * Works on the first file of a form while it arrives; undefined when there is none. What follows is still read, so
 * that a form that breaks its limits further on is refused.
 * @example const stored = await firstFile(body, ({ content }) => keep(content));
 */
export async function firstFile<T>(
  { parts }: Multipart,
  work: (file: FilePart) => Promise<T>,
): Promise<T | undefined> {
  let done: { readonly value: T } | undefined;
  for await (const part of parts) {
    if (part.kind === 'file' && !done) done = { value: await work(part) };
  }
  return done?.value;
}

export const isMultipart = (body: unknown): body is Multipart =>
  typeof body === 'object' && body !== null && 'parts' in body && Symbol.asyncIterator in Object(body.parts);

async function* receive(body: RawBody, limits: MultipartLimits, limitBytes: number): AsyncGenerator<Part> {
  const maxFiles = limits.maxFiles();
  const maxFileBytes = limits.maxFileBytes();
  const parser = open(body, maxFiles);
  const source = body.stream(limitBytes);
  const arrived = new Readable({ objectMode: true, read() {} });
  const fail = (error: Error) => arrived.destroy(error);

  parser.on('file', (name, file, fileName, _encoding, contentType) => {
    file.on('error', () => {}); // told through the parser's own error
    arrived.push({
      kind: 'file',
      name: name ?? '',
      fileName: fileName || undefined,
      contentType,
      content: file,
    });
  });
  parser.on('field', (name, value, _nameCut, valueCut) => {
    const field = name ?? '';
    if (valueCut) fail(invalid([{ field, message: `is longer than ${MAX_FIELD_BYTES} bytes` }]));
    else arrived.push({ kind: 'field', name: field, value });
  });
  parser.on('filesLimit', () => fail(invalid([{ field: 'files', message: `are more than ${maxFiles}` }])));
  parser.on('fieldsLimit', () =>
    fail(invalid([{ field: 'fields', message: `are more than ${MAX_FIELDS}` }])),
  );
  parser.on('finish', () => arrived.push(null));
  parser.on('error', () => fail(invalid([{ field: 'body', message: 'is not a whole multipart form' }])));
  source.on('error', fail);
  source.pipe(parser);

  try {
    for await (const part of arrived as AsyncIterable<FieldPart | Incoming>) {
      if (part.kind === 'field') yield part;
      else {
        yield {
          ...part,
          content: Readable.from(counted(part.content, maxFileBytes, arrived), { objectMode: false }),
        };
        part.content.resume();
      }
    }
  } finally {
    source.unpipe(parser);
    source.destroy();
  }
}

type Incoming = Omit<FilePart, 'content'> & { readonly content: BusboyFileStream };

// Past the limit the rest of the file is only counted, so that the refusal can tell how large it was.
async function* counted(file: BusboyFileStream, maxBytes: number, form: Readable): AsyncGenerator<Buffer> {
  let seen = 0;
  try {
    for await (const chunk of file) {
      seen += chunk.length;
      if (seen <= maxBytes) yield chunk;
    }
  } catch (error) {
    throw form.errored ?? error;
  }
  if (seen > maxBytes) throw tooLarge(maxBytes, seen);
}

function open(body: RawBody, maxFiles: number) {
  try {
    return new Busboy({
      headers: { 'content-type': body.contentType },
      limits: { files: maxFiles, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, headerPairs: 64 },
    });
  } catch {
    throw new Problem('unsupportedMedia', {
      mediaType: body.contentType,
      accepted: 'multipart/form-data with a boundary',
    });
  }
}
