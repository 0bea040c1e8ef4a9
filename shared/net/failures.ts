import { errors } from 'undici';
import { FetchFailed, type FetchFailure } from './errors.ts';
import type { Call } from './guarded.ts';

const TIMED_OUT = [errors.ConnectTimeoutError, errors.HeadersTimeoutError, errors.BodyTimeoutError];
const TIMED_OUT_CODES = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT']);
const BROKEN = [
  errors.HTTPParserError,
  errors.ResponseContentLengthMismatchError,
  errors.HeadersOverflowError,
];

/** What undici and the system say of a call, in our words. Their own error stays as the cause, for the log. */
export function interrupted(call: Call, timeout: AbortSignal, cause: unknown): FetchFailed {
  if (cause instanceof FetchFailed) return cause;
  const { host } = call.url;
  const failed = (reason: FetchFailure, message: string) => new FetchFailed(reason, message, { cause });
  if (call.signal?.aborted) return failed('aborted', `The call to ${host} was given up by its caller.`);
  if (timeout.aborted)
    return failed('timed-out', `The host ${host} did not answer within ${call.timeoutMs} ms.`);
  if (cause instanceof errors.InvalidArgumentError)
    return failed('bad-request', `The call to ${host} has a header that HTTP cannot carry.`);
  const code = String((cause as { code?: unknown } | undefined)?.code ?? '');
  if (TIMED_OUT.some((kind) => cause instanceof kind) || TIMED_OUT_CODES.has(code))
    return failed('timed-out', `The host ${host} did not answer in time.`);
  if (BROKEN.some((kind) => cause instanceof kind) || code.startsWith('HPE_'))
    return failed('broken-answer', `The answer of ${host} is not HTTP.`);
  if (/CERT|TLS|SSL|ALTNAME/.test(code))
    return failed('not-reachable', `The host ${host} has no TLS certificate that is trusted (${code}).`);
  return failed('not-reachable', `The host ${host} could not be reached or closed the connection.`);
}
