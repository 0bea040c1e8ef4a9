import type { Call } from './request.ts';

/** Why a call to an address that somebody else chose did not happen or gave no answer. */
export type FetchFailure =
  /** The address itself cannot be used: its form, its scheme, a user name in it. */
  | 'bad-address'
  /** It leads, by number or by name, to a machine that is not on the public internet. */
  | 'private-address'
  /** A header that HTTP cannot carry. */
  | 'bad-request'
  | 'name-not-found'
  | 'not-reachable'
  | 'timed-out'
  | 'too-large'
  | 'too-many-redirects'
  | 'broken-answer'
  | 'aborted';

/**
 * A call through the guarded connector failed. The message names the host and the cause and nothing more:
 * no path or query (they may hold a secret) and no address that a name led to (it would map our network).
 */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
  readonly reason: FetchFailure;

  constructor(reason: FetchFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

const TIMED_OUT: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
const NOT_HTTP: ReadonlySet<string> = new Set([
  'HTTPParserError',
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
]);
const BAD_REQUEST: ReadonlySet<string> = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED']);

/** The failure of a call, in plain words. The error of undici or the system is the cause, for the log. */
export function failureOf(call: Call, timeout: AbortSignal, cause: unknown): FetchFailed {
  if (cause instanceof FetchFailed) return cause;
  const { host } = call.url;
  const failed = (reason: FetchFailure, message: string) => new FetchFailed(reason, message, { cause });
  if (call.signal?.aborted) return failed('aborted', `The call to ${host} was given up by its caller.`);
  if (timeout.aborted)
    return failed('timed-out', `The host ${host} did not answer within ${call.timeoutMs} ms.`);
  const { code: given, name } = (cause ?? {}) as { code?: unknown; name?: unknown };
  const code = String(given ?? name);
  if (BAD_REQUEST.has(code))
    return failed('bad-request', `The call to ${host} has a header that HTTP cannot carry.`);
  if (TIMED_OUT.has(code)) return failed('timed-out', `The host ${host} did not answer in time.`);
  if (NOT_HTTP.has(code) || code.startsWith('HPE_'))
    return failed('broken-answer', `The answer of ${host} is not HTTP.`);
  if (/CERT|TLS|SSL|ALTNAME/.test(code))
    return failed('not-reachable', `The host ${host} has no TLS certificate that is trusted (${code}).`);
  return failed('not-reachable', `The host ${host} could not be reached or closed the connection.`);
}
