import { maskCpf, parseCpf } from '../taxpayer/cpf.ts';
import { readableStack } from './readable-stack.ts';

// A line that a person can read. A larger value means that the wrong thing is logged.
const MAX_DEPTH = 6;
const MAX_ITEMS = 20;
const MAX_VALUES = 500;

type Visit = { values: number; readonly open: Set<object> };

/**
 * A copy of the fields for the log: without secrets and CPFs at any depth, and of bounded size.
 * @example redact({ cpf, pin: '1234' }) // { cpf: '***.982.247-**', pin: '[redacted]' }
 */
export function redact(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return redactEntries(Object.entries(fields), 0, { values: 0, open: new Set() });
}

function redactEntries(
  entries: readonly (readonly [string, unknown])[],
  depth: number,
  visit: Visit,
): Record<string, unknown> {
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      isSensitive(key, value) ? REDACTED : redactValue(value, depth + 1, visit),
    ]),
  );
}

function redactValue(value: unknown, depth: number, visit: Visit): unknown {
  visit.values += 1;
  if (visit.values > MAX_VALUES) return '[cut]';
  if (typeof value === 'string') return maskText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (visit.open.has(value)) return '[circular]';
  if (depth > MAX_DEPTH) return '[deep]';
  visit.open.add(value);
  try {
    return redactObject(value, depth, visit);
  } catch {
    return '[unreadable]'; // a getter that throws must not lose the line
  } finally {
    visit.open.delete(value);
  }
}

function redactObject(value: object, depth: number, visit: Visit): unknown {
  if (value instanceof Error) return redactError(value, depth, visit);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof URL) return maskText(value.href);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) {
    const kept = value.slice(0, MAX_ITEMS).map((item) => redactValue(item, depth + 1, visit));
    return value.length > MAX_ITEMS ? [...kept, `[${value.length - MAX_ITEMS} more]`] : kept;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) {
    return redactEntries(Object.entries(value), depth, visit);
  }
  // Streams, clients and other objects: their properties do not help a reader and may contain secrets.
  return `[${value.constructor?.name ?? 'object'}]`;
}

function redactError(error: Error, depth: number, visit: Visit): unknown {
  const { name, message, cause } = error;
  const stack = readableStack(error.stack);
  const nested = error instanceof AggregateError ? { errors: error.errors } : {};
  const described: Record<string, unknown> = { ...error, ...nested, name, message, stack };
  if (cause !== undefined) described.cause = cause;
  return redactEntries(Object.entries(described), depth, visit);
}

/** Replaces every value that a log must not contain. */
const REDACTED = '[redacted]';

// The part of a text that is masked. It is longer than the part kept, so that a secret at the cut is found whole.
const READ_CHARACTERS = 20_000;
// A stack of ten frames fits; a document does not.
const KEPT_CHARACTERS = 2_000;

const SECRET_WORDS = 'pass ?word|pass ?phrase|passwd|secret|token|authorization|cookie|credential|api ?key';

// Long words match anywhere in a key ("accesstoken"); short ones only as whole words ("pin", not "shipping").
// A session id opens a session, so it is as secret as a token.
const SECRET_KEY = new RegExp(`${SECRET_WORDS}|\\b(pin|otp|jwt|pfx|p12|pem|private ?key|session ?id)s?\\b`);
// A measure or a name of a secret is not secret: pinAttempts, tokenExpiresAt, cookieName.
const MEASURE = /\b(at|attempts|bytes|count|kind|length|limit|ms|name|seconds|size|status|type|version)$/;
// Content that people sign, matched at the end of a key only: "document" holds content, "documentId" does not.
const CONTENT_KEY = /\b(document|certificate|content|body|bodies|payload|base ?64|pdf|image|photo|selfie)s?$/;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [^-]+-----[\s\S]*?(?:-----END [^-]+-----|$)/g, REDACTED],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, REDACTED],
  // A header has several words: the whole value is removed.
  [/((?:authorization|cookie)\\*["']?\s*[:=]\s*\\*["']?)[^\\"'\r\n]+/gi, `$1${REDACTED}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${REDACTED}`],
  // "pin":"1234" as JSON.parse quotes it in its errors, password=…, and the parameters of presigned links.
  [
    /((?:password|passphrase|secret|token|credential|api[-_]?key|signature|session_?id|(?<![a-z])pin|(?<![a-z])otp)[\w-]{0,40}\\*["']?\s*[:=]\s*)(?:\\*"[^"\\]*|'[^']*|[^\\"'&,\s}<>]+)/gi,
    `$1${REDACTED}`,
  ],
  [/([?&](?:code|state)=)[^&\s"'<>]+/gi, `$1${REDACTED}`],
  // SHORTEST_RUN: one this long is a file in base64 or hexadecimal; hashes and ids are much shorter.
  [/[A-Za-z0-9+/_-]{200,}={0,2}/g, REDACTED],
];

// Whatever one of the patterns finds, or a CPF, this finds too. Most texts of a log are short words, routes and ids.
const SUSPECT = /-----BEGIN |eyJ|[:=]|(?:bearer|basic)\s|\d{11}|\d{3}\.\d{3}\./i;
const SHORTEST_RUN = 200;

// Alone, after a name, or inside an id or address. Digits inside a longer number or a hash are not a CPF.
const CPF = /(?<![0-9A-Za-z])(?:\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})(?![0-9A-Za-z])/g;

// A CPF identifies a person for life. The middle digits stay, so that an operator who knows the CPF can recognize it.
const maskCpfs = (text: string): string =>
  text.replace(CPF, (found) => {
    const cpf = parseCpf(found);
    return cpf ? maskCpf(cpf) : found;
  });

/** Whether a key's value is kept out of the logs. Booleans are always logged. */
function isSensitive(key: string, value: unknown): boolean {
  if (value === undefined || value === null || typeof value === 'boolean') return false;
  let kind = kinds.get(key);
  if (kind === undefined) {
    kind = kindOf(key);
    // Every line has the same keys, but for those of objects that others have made.
    if (kinds.size < MAX_KINDS) kinds.set(key, kind);
  }
  return kind === 'secret' || (kind === 'content' && typeof value !== 'number');
}

type Kind = 'secret' | 'content' | 'open';
const MAX_KINDS = 1_000;
const kinds = new Map<string, Kind>();

function kindOf(key: string): Kind {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase();
  if (SECRET_KEY.test(words)) return MEASURE.test(words) ? 'open' : 'secret';
  return CONTENT_KEY.test(words) ? 'content' : 'open';
}

/**
 * Text that is safe to log or to store with a failed message: secrets and CPFs masked, long text cut.
 * @example maskText('Authorization: Bearer abc') // 'Authorization: [redacted]'
 */
export function maskText(text: string): string {
  if (text.length < SHORTEST_RUN && !SUSPECT.test(text)) return text;
  let masked = text.slice(0, READ_CHARACTERS);
  for (const [pattern, replacement] of PATTERNS) masked = masked.replace(pattern, replacement);
  masked = maskCpfs(masked);
  const cut = text.length > READ_CHARACTERS || masked.length > KEPT_CHARACTERS;
  return cut ? `${masked.slice(0, KEPT_CHARACTERS)}… (${text.length} characters)` : masked;
}
