import type { Call } from './request.ts';

/** The reason why a call was not made or got no answer. */
export type FetchFailure =
  /** The form of the address, its scheme, or a user name in it. */
  | 'bad-address'
  /** The host, by name or by IP address, is not on the public internet. */
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
 * A call through the guarded connector failed. The message has the host and the cause only: no path or query (they
 * may contain a secret), and no resolved IP address (it would reveal the internal network).
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

/** The failure of a call as FetchFailed. The error of undici or the system is its cause, for the log. */
export function failureOf(call: Call, timeout: AbortSignal, cause: unknown): FetchFailed {
  if (cause instanceof FetchFailed) return cause;
  const { host } = call.url;
  const failed = (reason: FetchFailure, message: string) => new FetchFailed(reason, message, { cause });
  if (call.signal?.aborted) return failed('aborted', `The call to ${host} was aborted by its caller.`);
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
