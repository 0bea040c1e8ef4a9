import { isSensitive, maskText, REDACTED } from './sensitive.ts';

// A line that a person can read. What exceeds these is a sign that the wrong thing is logged.
const MAX_DEPTH = 6;
const MAX_ITEMS = 20;
const MAX_VALUES = 500;

type Visit = { values: number; readonly open: Set<object> };

/**
 * A copy of what is about to be logged, without secrets and CPFs at any depth and of bounded size.
 * @example redact({ cpf, pin: '1234' }) // { cpf: '***.***.***-25', pin: '[redacted]' }
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
    return '[unreadable]'; // A getter that throws must not cost the line.
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
  // Streams, clients and the like: their insides say nothing and may hold anything.
  return `[${value.constructor?.name ?? 'object'}]`;
}

function redactError(error: Error, depth: number, visit: Visit): unknown {
  const { name, message, stack, cause } = error;
  const nested = error instanceof AggregateError ? { errors: error.errors } : {};
  const described: Record<string, unknown> = { ...error, ...nested, name, message, stack };
  if (cause !== undefined) described.cause = cause;
  return redactEntries(Object.entries(described), depth, visit);
}
