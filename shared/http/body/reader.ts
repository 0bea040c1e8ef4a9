import type { Readable } from 'node:stream';
import type * as z from 'zod';
import { Problem } from '../../errors/errors.ts';
import type { FieldCheck } from '../unknown-fields.ts';
import { invalid, validate } from '../validate.ts';
import type { RawBody } from './raw-body.ts';

/** A way to read a body: the media types it accepts, and the value it makes of them. */
export type BodyReader<T> = {
  readonly accepts: (mediaType: string) => boolean;
  /** `check` belongs to a service that refuses fields outside its contract. */
  readonly read: (body: RawBody, limitBytes: number, check?: FieldCheck) => Promise<T>;
  /** For the contract document: media type -> shape. Files have a JSON Schema and no zod shape. */
  readonly content: Readonly<Record<string, z.ZodType | { readonly schema: object }>>;
  /** Whether a request may come without a body. */
  readonly optional: boolean;
  /** Whether the endpoint reads the body itself, and has it refused only then. */
  readonly isDeferred?: boolean;
  /** The size limit where the endpoint sets none. */
  readonly ceilingBytes: () => number;
};

// Enough for a form or a JSON request without documents.
const TEXT_CEILING_BYTES = 1_048_576;
const textCeiling = (): number => TEXT_CEILING_BYTES;

const isJson = (mediaType: string): boolean =>
  /^(application|text)\/json$|^application\/[\w.!#$&^+-]+\+json$/.test(mediaType);

/** A JSON body. @example body: jsonBody(CreateSession) */
export const jsonBody = <S extends z.ZodType>(shape: S): BodyReader<z.output<S>> => ({
  accepts: isJson,
  optional: false,
  ceilingBytes: textCeiling,
  content: { 'application/json': shape },
  async read(body, limitBytes, check) {
    const bytes = await body.bytes(limitBytes);
    if (bytes.length === 0) throw invalid([{ field: 'body', message: 'is required' }]);
    const value = parseJson(bytes);
    check?.(shape, value);
    return validate(shape, value);
  },
});

/**
 * A JSON body that may be absent, then read as `{}`. A client that sends no bytes may call them anything: curl -d ''
 * calls them a form.
 * @example body: optionalJsonBody(PauseRequest)
 */
export const optionalJsonBody = <S extends z.ZodType>(shape: S): BodyReader<z.output<S>> => ({
  ...jsonBody(shape),
  optional: true,
  accepts: () => true,
  async read(body, limitBytes, check) {
    const bytes = await body.bytes(limitBytes);
    if (bytes.length > 0 && body.mediaType !== '') requireAccepted(jsonBody(shape), body);
    const value = bytes.length === 0 ? {} : parseJson(bytes);
    check?.(shape, value);
    return validate(shape, value);
  },
});

/** For operations without a body: JSON that is sent anyway is checked, anything else is ignored. */
export const undeclaredBody = (shape: z.ZodObject): BodyReader<undefined> => ({
  ...anyBody(),
  ceilingBytes: textCeiling,
  async read(body, limitBytes, check) {
    if (!isJson(body.mediaType)) return undefined;
    const bytes = await body.bytes(limitBytes);
    if (bytes.length > 0) check?.(shape, parseJson(bytes));
    return undefined;
  },
});

/** A urlencoded form; a repeated field is a list. @example body: formBody(LoginForm) */
export const formBody = <S extends z.ZodType>(shape: S): BodyReader<z.output<S>> => ({
  accepts: (mediaType) => mediaType === 'application/x-www-form-urlencoded',
  optional: false,
  ceilingBytes: textCeiling,
  content: { 'application/x-www-form-urlencoded': shape },
  async read(body, limitBytes, check) {
    const form = new URLSearchParams(utf8(await body.bytes(limitBytes)));
    const fields: Record<string, string | string[]> = Object.create(null);
    for (const name of new Set(form.keys())) {
      const values = form.getAll(name);
      fields[name] = values.length === 1 ? String(values[0]) : values;
    }
    check?.(shape, { ...fields });
    return validate(shape, { ...fields });
  },
});

/** A body that the endpoint reads itself, within the limit. */
export type UnreadBody = {
  readonly contentType: string;
  readonly stream: () => Readable;
  readonly bytes: () => Promise<Buffer>;
};

/** Any bytes, as they arrive. @example body: anyBody() */
export const anyBody = (): BodyReader<UnreadBody> => ({
  accepts: () => true,
  optional: true,
  ceilingBytes: () => Number.POSITIVE_INFINITY,
  content: { '*/*': { schema: {} } },
  read: async (body, limitBytes) => ({
    contentType: body.contentType,
    stream: () => body.stream(limitBytes),
    bytes: () => body.bytes(limitBytes),
  }),
});

/**
 * A body that nothing looks at before the endpoint reads it: for one that knows by itself who calls.
 * @example body: deferredBody(jsonBody(Notification))
 */
export const deferredBody = <T>(reader: BodyReader<T>): BodyReader<() => Promise<T>> => ({
  ...reader,
  isDeferred: true,
  read: async (body, limitBytes, check) => () => readBody(reader, body, limitBytes, check),
});

/** One body of several kinds, told apart by media type. @example body: oneOf(jsonBody(Sign), multipartBody(limits)) */
export const oneOf = <A, B>(first: BodyReader<A>, second: BodyReader<B>): BodyReader<A | B> => ({
  accepts: (mediaType) => first.accepts(mediaType) || second.accepts(mediaType),
  optional: first.optional && second.optional,
  ceilingBytes: () => Math.max(first.ceilingBytes(), second.ceilingBytes()),
  content: { ...first.content, ...second.content },
  read: (body, limitBytes, check): Promise<A | B> =>
    first.accepts(body.mediaType)
      ? first.read(body, limitBytes, check)
      : second.read(body, limitBytes, check),
});

/** Reads a body, or refuses its encoding or media type. */
export async function readBody<T>(
  reader: BodyReader<T>,
  body: RawBody,
  limitBytes: number,
  check?: FieldCheck,
): Promise<T> {
  if (reader.isDeferred) return reader.read(body, limitBytes, check);
  if (body.encoding) {
    throw new Problem('unsupportedMedia', { contentEncoding: body.encoding, accepted: 'identity' });
  }
  requireAccepted(reader, body);
  return reader.read(body, limitBytes, check);
}

function requireAccepted({ accepts, content }: BodyReader<unknown>, { mediaType }: RawBody): void {
  if (accepts(mediaType)) return;
  throw new Problem('unsupportedMedia', {
    mediaType: mediaType || 'none',
    accepted: Object.keys(content).join(', '),
  });
}

/**
 * The value of a JSON text, or the `invalid` problem of something called `name`. Messages never repeat the text.
 * @example const value = parseJson(line, 'line');
 */
export function parseJson(bytes: Buffer, name = 'body'): unknown {
  const text = utf8(bytes, name);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid([{ field: name, message: 'is not valid JSON' }]);
  }
  const message = faultIn(value, 0);
  if (message) throw invalid([{ field: name, message }]);
  return value;
}

// Requests nest a few levels. Recursive code further on must not run out of stack.
const MAX_NESTING = 64;

/** The fault of a value that is JSON but cannot be stored, signed or shown. */
function faultIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'holds text that is not Unicode';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_NESTING) return `is nested deeper than ${MAX_NESTING} levels`;
  for (const [name, inner] of Object.entries(value)) {
    const fault = faultIn(name, depth) ?? faultIn(inner, depth + 1);
    if (fault) return fault;
  }
  return undefined;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function utf8(bytes: Buffer, name = 'body'): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw invalid([{ field: name, message: 'is not UTF-8 text' }]);
  }
}
