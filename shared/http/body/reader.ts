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
  readonly ceilingBytes: (sent: SentBody) => number;
};

/** What the size limit of a body depends on. */
export type SentBody = {
  readonly mediaType: string;
  /** The operation asks for no key: strangers send to it. */
  readonly isOpen: boolean;
};

// Enough for a form or a JSON request without documents.
const TEXT_CEILING_BYTES = 1_048_576;
// What a stranger sends names a few things: a ticket, an address, a reason.
const OPEN_TEXT_CEILING_BYTES = 16_384;
const textCeiling = ({ isOpen }: SentBody): number => (isOpen ? OPEN_TEXT_CEILING_BYTES : TEXT_CEILING_BYTES);

const isJson = (mediaType: string): boolean =>
  /^(application|text)\/json$|^application\/[\w.!#$&^+-]+\+json$/.test(mediaType);

// A thousand flow actions, or the marks of fifty pages. Twice as many would hold the thread for a third of a second.
const MAX_JSON_VALUES = 40_000;

type JsonLimits = {
  /** For a large body of few values, such as pictures in base64. */
  readonly maxValues?: number;
};

/** A JSON body. @example body: jsonBody(CreateSession) */
export const jsonBody = <S extends z.ZodType>(
  shape: S,
  { maxValues }: JsonLimits = {},
): BodyReader<z.output<S>> => ({
  accepts: isJson,
  optional: false,
  ceilingBytes: textCeiling,
  content: { 'application/json': shape },
  async read(body, limitBytes, check) {
    const bytes = await body.bytes(limitBytes);
    if (bytes.length === 0) throw invalid([{ field: 'body', message: 'is required' }]);
    const value = parseJson(bytes, 'body', maxValues);
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

// The longest form is that of a profile of the dashboard, with some lines for each of its approvers.
const MAX_FORM_FIELDS = 1_000;

/** Whether the byte of a character occurs more often than so. It stops there. */
function hasMore(bytes: Buffer, character: string, limit: number): boolean {
  let found = 0;
  for (let at = bytes.indexOf(character); at >= 0; at = bytes.indexOf(character, at + 1))
    if (++found > limit) return true;
  return false;
}

/** A urlencoded form; a repeated field is a list. @example body: formBody(LoginForm) */
export const formBody = <S extends z.ZodType>(shape: S): BodyReader<z.output<S>> => ({
  accepts: (mediaType) => mediaType === 'application/x-www-form-urlencoded',
  optional: false,
  ceilingBytes: textCeiling,
  content: { 'application/x-www-form-urlencoded': shape },
  async read(body, limitBytes, check) {
    const bytes = await body.bytes(limitBytes);
    // Before the form is parsed. The separators of n fields are n - 1.
    if (hasMore(bytes, '&', MAX_FORM_FIELDS - 1))
      throw invalid([{ field: 'fields', message: `are more than ${MAX_FORM_FIELDS}` }]);
    const fields = fieldsOf(new URLSearchParams(utf8(bytes)));
    check?.(shape, { ...fields }, 'form');
    return validate(shape, { ...fields });
  },
});

// Algorithmic complexity attack: one pass. `form.getAll(name)` for each name would read the whole form each time.
function fieldsOf(form: URLSearchParams): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of form) {
    const earlier = values.get(name);
    if (earlier) earlier.push(value);
    else values.set(name, [value]);
  }
  const fields: Record<string, string | string[]> = Object.create(null);
  for (const [name, all] of values) fields[name] = all.length === 1 ? String(all[0]) : all;
  return fields;
}

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
  ceilingBytes: (sent) => (first.accepts(sent.mediaType) ? first : second).ceilingBytes(sent),
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
export function parseJson(bytes: Buffer, name = 'body', maxValues = MAX_JSON_VALUES): unknown {
  if (hasMoreValues(bytes, maxValues))
    throw invalid([{ field: name, message: `has more than ${maxValues} values` }]);
  const text = utf8(bytes, name);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid([{ field: name, message: 'is not valid JSON' }]);
  }
  const message = faultIn(value, MAX_NESTING, SURROGATE.test(text));
  if (message) throw invalid([{ field: name, message }]);
  return value;
}

const MARKS = [',', '[', '{'] as const;
const [COMMA = 0, LIST = 0, OBJECT = 0, QUOTE = 0, BACKSLASH = 0] = Buffer.from(',[{"\\');

/**
 * Whether a JSON text has more values than so: each but the first follows a comma or a bracket. They are counted before
 * the text is parsed, and those of texts only where there are as many.
 */
function hasMoreValues(bytes: Buffer, limit: number): boolean {
  if (!MARKS.some((mark) => hasMore(bytes, mark, limit / MARKS.length))) return false;
  let found = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if ((byte === COMMA || byte === LIST || byte === OBJECT) && ++found > limit) return true;
  }
  return false;
}

// UTF-8 has no half of a character: only an escape makes one.
const SURROGATE = /\\u[dD][89a-fA-F]/;

// Requests nest a few levels. Recursive code further on must not run out of stack.
const MAX_NESTING = 64;

/**
 * The fault of a value that is JSON but cannot be stored, signed or shown. It makes no list of a value's fields: a
 * megabyte of short ones would take a second.
 */
function faultIn(value: unknown, levels: number, mayBeBroken: boolean): string | undefined {
  if (typeof value === 'string')
    return mayBeBroken && !value.isWellFormed() ? 'holds text that is not Unicode' : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return `is nested deeper than ${MAX_NESTING} levels`;
  if (Array.isArray(value)) {
    for (const inner of value) {
      const fault = faultIn(inner, levels - 1, mayBeBroken);
      if (fault) return fault;
    }
    return undefined;
  }
  for (const name in value) {
    const inner: unknown = value[name as keyof typeof value];
    const fault = faultIn(name, levels, mayBeBroken) ?? faultIn(inner, levels - 1, mayBeBroken);
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
