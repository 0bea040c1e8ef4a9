import type * as z from 'zod';
import { parseJson } from '../../../../shared/net/ask-json.ts';
import { FetchFailed, type FetchFailure } from '../../../../shared/net/errors.ts';
import type { GuardedAnswer } from '../../../../shared/net/request.ts';
import { hasEffect, type Operation, type Provider } from './provider.ts';
import { ProviderFailure, type ProviderFailureReason } from './provider-failure.ts';

type Answer = Pick<GuardedAnswer, 'status' | 'bytes'>;
type AnsweredCall = { readonly operation: Operation; readonly bearer?: string | undefined };

/** The JSON object of a provider's answer. Throws ProviderFailure for a refusal, and for anything but JSON. */
export function parseAnswer(
  provider: string,
  { operation, bearer }: AnsweredCall,
  { status, bytes }: Answer,
): Readonly<Record<string, unknown>> {
  const object = objectIn(bytes);
  if (status >= 200 && status < 300) {
    if (object) return object;
    const what = /^\s*</.test(bytes.subarray(0, 100).toString('latin1')) ? 'a page' : 'something else';
    const message = `${provider} answered ${operation} with ${what} instead of JSON.`;
    throw new ProviderFailure('unreadable', provider, message, {
      mayHaveActed: hasEffect(operation),
      status,
    });
  }
  const error = errorIn(object);
  const message = `${provider} answered ${operation} with ${status}${error ? ` ${error}` : ''}.`;
  const failure = (reason: ProviderFailureReason, mayHaveActed = false) =>
    new ProviderFailure(reason, provider, message, { mayHaveActed, status, error });

  if (bearer !== undefined && (status === 401 || error === 'invalid_token')) throw failure('token-rejected');
  if (status < 400) throw failure('unreadable');
  if (status === 429) throw failure('busy');
  // A 503 means that nothing was done. Any other server error may have come after the work.
  if (status >= 500) throw failure('unreachable', hasEffect(operation) && status !== 503);
  throw failure('refused');
}

function objectIn(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  const json = parseJson(bytes);
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
  return isObject ? (json as Record<string, unknown>) : undefined;
}

// An error code of RFC 6749, 5.2. Other texts of the provider are dropped: they may repeat what we sent.
function errorIn(object: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const error = object?.error;
  return typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : undefined;
}

const REASONS: Readonly<Record<FetchFailure, ProviderFailureReason>> = {
  'bad-address': 'unreachable',
  'private-address': 'unreachable',
  'bad-request': 'unreachable',
  'name-not-found': 'unreachable',
  'not-reachable': 'unreachable',
  aborted: 'timeout',
  'timed-out': 'timeout',
  'too-large': 'unreadable',
  'too-many-redirects': 'unreadable',
  'broken-answer': 'unreadable',
};

const NEVER_SENT: ReadonlySet<FetchFailure> = new Set([
  'bad-address',
  'private-address',
  'bad-request',
  'name-not-found',
]);

// Codes of a connection that was never made. A connection that broke has other codes.
const NO_CONNECTION =
  /^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT)$|CERT|TLS|SSL|ALTNAME/;

/** The failure of a call that got no answer. Any other error is returned as it is. */
export function failureOf(provider: string, operation: Operation, error: unknown): unknown {
  if (!(error instanceof FetchFailed)) return error;
  const isSent = !NEVER_SENT.has(error.reason) && !NO_CONNECTION.test(codeOf(error.cause));
  return new ProviderFailure(REASONS[error.reason], provider, error.message, {
    mayHaveActed: hasEffect(operation) && isSent,
    cause: error,
  });
}

const codeOf = (cause: unknown): string => String((cause as { code?: unknown } | undefined)?.code ?? '');

type Source = { readonly provider: Provider; readonly operation: Operation };

/** An answer in the shape that it must have. The failure names fields only: the values may hold a token. */
export function requireShape<S extends z.ZodType>(shape: S, answer: unknown, source: Source): z.output<S> {
  const parsed = shape.safeParse(answer);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path }) => path.join('.'));
  throw unreadable(source, `not as it should be: ${[...new Set(fields)].slice(0, 5).join(', ')}`);
}

export const unreadable = ({ provider: { name }, operation }: Source, what: string): ProviderFailure =>
  new ProviderFailure('unreadable', name, `The answer of ${name} to ${operation} is ${what}.`, {
    mayHaveActed: hasEffect(operation),
  });
