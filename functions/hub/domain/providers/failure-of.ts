import { FetchFailed, type FetchFailure } from '../../../../shared/net/errors.ts';
import { hasEffect } from './acting.ts';
import type { Operation } from './bulkhead.ts';
import { ProviderFailure, type ProviderFailureReason } from './provider-failure.ts';

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

// What the system says of a connection that never was. Of one that broke it says something else.
const NO_CONNECTION =
  /^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT)$|CERT|TLS|SSL|ALTNAME/;

/** A call that got no answer, as a failure of the provider. What is no failure of a call stays what it is. */
export function failureOf(provider: string, operation: Operation, error: unknown): unknown {
  if (!(error instanceof FetchFailed)) return error;
  const isSent = !NEVER_SENT.has(error.reason) && !NO_CONNECTION.test(codeOf(error.cause));
  return new ProviderFailure(REASONS[error.reason], provider, error.message, {
    mayHaveActed: hasEffect(operation) && isSent,
    cause: error,
  });
}

const codeOf = (cause: unknown): string => String((cause as { code?: unknown } | undefined)?.code ?? '');
