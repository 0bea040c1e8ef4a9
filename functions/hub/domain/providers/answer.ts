import type { GuardedAnswer } from '../../../../shared/net/guarded.ts';
import { hasEffect } from './acting.ts';
import type { Operation } from './bulkhead.ts';
import { ProviderFailure } from './provider-failure.ts';

type Asked = { readonly operation: Operation; readonly bearer?: string | undefined };
type Answer = Pick<GuardedAnswer, 'status' | 'bytes'>;

/** The JSON object that a provider answered. An answer that is none, or says no, is a failure. */
export function parseAnswer(
  provider: string,
  { operation, bearer }: Asked,
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
  const said = `${provider} answered ${operation} with ${status}${error ? ` ${error}` : ''}.`;
  const failed = (reason: ProviderFailure['reason'], mayHaveActed = false) =>
    new ProviderFailure(reason, provider, said, { mayHaveActed, status, error });

  if (bearer !== undefined && (status === 401 || error === 'invalid_token')) throw failed('token-rejected');
  if (status < 400) throw failed('unreadable');
  if (status === 429) throw failed('busy');
  // Busy, it has done nothing. Of any other fault of its own, nobody knows what was done before it.
  if (status >= 500) throw failed('unreachable', hasEffect(operation) && status !== 503);
  throw failed('refused');
}

function objectIn(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(bytes.toString('utf8'));
    const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
    return isObject ? (json as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

// A word of RFC 6749. Whatever else stands there is the provider's to know, and may hold what we sent.
function errorIn(object: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const error = object?.error;
  return typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : undefined;
}
