import { type Readable, Transform } from 'node:stream';
import { MIMEType } from 'node:util';
import * as z from 'zod';
import { Problem } from '../../errors/errors.ts';
import type { FieldCheck } from '../unknown-fields.ts';
import { invalid, validate } from '../validate.ts';
import { type FoundPart, partsOf } from './form-parser.ts';
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
  /** The parts that are files also without a file name. Other parts without one are fields, which are short. */
  readonly files?: readonly string[];
  /** The form as JSON Schema, for the contract. Its properties are the fields that are known. */
  readonly schema: { readonly properties?: Readonly<Record<string, unknown>> };
};

const BOUNDARY = /^[\x20-\x7e]{1,70}$/; // RFC 2046, section 5.1.1, a little wider
const MAX_FIELD_BYTES = 65_536; // the longest is a free-text reason
const HEADROOM_BYTES = 65_536; // what surrounds a file: fields, headers, boundaries

/**
 * A multipart form, read as a stream. A file over its limit fails its reader, telling both sizes.
 * @example body: multipartBody({ maxFiles: () => 1, maxFileBytes: () => settings['Upload:MaxBytes'], schema: UploadForm })
 */
export const multipartBody = (limits: MultipartLimits): BodyReader<Multipart> => ({
  accepts: (mediaType) => mediaType === 'multipart/form-data',
  optional: false,
  ceilingBytes: () => limits.maxFiles() * (limits.maxFileBytes() + HEADROOM_BYTES) + HEADROOM_BYTES,
  content: { 'multipart/form-data': { schema: limits.schema } },
  read: async (body, limitBytes, check) => ({ parts: receive(body, limits, limitBytes, check) }),
});

/**
 * Works on the first file of a form while it arrives; undefined when there is none. What follows is still read, so
 * that a form that breaks its limits further on is refused. `fields` is filled with the fields before and after it; one
 * that is given twice with two values is refused.
 * @example const stored = await firstFile(body, ({ content }) => keep(content));
 */
export async function firstFile<T>(
  { parts }: Multipart,
  work: (file: FilePart) => Promise<T>,
  fields?: Record<string, string>,
): Promise<T | undefined> {
  let done: { readonly value: T } | undefined;
  for await (const part of parts) {
    if (part.kind === 'file') done ??= { value: await work(part) };
    else if (fields && (fields[part.name] ?? part.value) !== part.value)
      throw invalid([{ field: part.name, message: 'may be given once' }]);
    else if (fields) fields[part.name] = part.value;
  }
  return done?.value;
}

/**
 * A multipart form of fields alone, read whole. A file in it is refused.
 * @example body: oneOf(formBody(LoginForm), multipartFields(LoginForm))
 */
export function multipartFields<S extends z.ZodObject>(shape: S): BodyReader<z.output<S>> {
  const schema = { properties: shape.shape };
  const form = multipartBody({ maxFiles: () => 0, maxFileBytes: () => 0, schema });
  return {
    ...form,
    content: { 'multipart/form-data': shape },
    async read(body, limitBytes, check) {
      const fields: Record<string, string> = Object.create(null);
      await firstFile(await form.read(body, limitBytes, check), async () => undefined, fields);
      return validate(shape, { ...fields });
    },
  };
}

const fieldsOf = ({ schema: { properties = {} } }: MultipartLimits): z.ZodObject =>
  z.object(Object.fromEntries(Object.keys(properties).map((name) => [name, z.unknown()])));

async function* receive(
  body: RawBody,
  limits: MultipartLimits,
  limitBytes: number,
  check?: FieldCheck,
): AsyncGenerator<Part> {
  const boundary = boundaryOf(body);
  const maxFileBytes = limits.maxFileBytes();
  const known = fieldsOf(limits);
  const form = partsOf(body.stream(limitBytes), boundary, limits.maxFiles());
  for await (const part of form as AsyncIterable<FoundPart>) {
    const { name, fileName, type } = part;
    if (fileName === undefined && !limits.files?.includes(name)) {
      const value = await textIn(part, form);
      check?.(known, { [name]: value }, 'form');
      yield { kind: 'field', name, value };
      continue;
    }
    // Kept beside the file and sent with it later.
    const contentType = type?.essence ?? 'application/octet-stream';
    const content = measured(maxFileBytes);
    content.on('error', () => undefined); // told to whoever reads it; unread, it harms nobody
    part.content.on('error', (error) => content.destroy(form.errored ?? error));
    part.content.pipe(content);
    try {
      yield { kind: 'file', name, fileName: fileName || undefined, contentType, content };
    } finally {
      part.content.unpipe(content);
      content.destroy(new Error('This file was not read before the next part was asked for.'));
      part.content.resume();
    }
  }
}

function boundaryOf({ contentType }: RawBody): string {
  const { params } = new MIMEType(contentType.replace(/^[^;]*/, 'multipart/form-data'));
  const boundary = params.get('boundary') ?? '';
  if (BOUNDARY.test(boundary)) return boundary;
  const accepted = 'multipart/form-data with a boundary';
  throw new Problem('unsupportedMedia', { mediaType: contentType, accepted });
}

// Past the limit the rest of the file is only counted, so that the refusal can tell how large it was.
function measured(maxBytes: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      seen += chunk.length;
      done(null, seen <= maxBytes ? chunk : undefined);
    },
    flush(done) {
      done(seen > maxBytes ? tooLarge(maxBytes, seen) : null);
    },
  });
}

async function textIn({ name, type, content }: FoundPart, form: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of content) {
      size += chunk.length;
      if (size > MAX_FIELD_BYTES)
        throw invalid([{ field: name, message: `is longer than ${MAX_FIELD_BYTES} bytes` }]);
      chunks.push(chunk);
    }
  } catch (error) {
    throw form.errored ?? error;
  }
  return decoded(Buffer.concat(chunks), type?.params.get('charset') ?? undefined);
}

function decoded(bytes: Buffer, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString('utf8'); // a charset that nobody knows
  }
}
