import { formatTime } from '../../pki/findings/display.ts';
import { allErrors, resultsOf } from '../../pki/findings/validation-results.ts';
import { CmsMalformed } from '../errors.ts';
import { checkToken } from './check-token.ts';
import type { TimestampInfo } from './info.ts';
import type { PostAnswer } from './post.ts';
import type { RequestInput } from './request.ts';
import { type Failure, readResponse } from './response.ts';

/** Why an authority gave no usable timestamp. `isRetryable`: asking it again may help. */
export class TimestampRefused extends Error {
  override readonly name = 'TimestampRefused';
  readonly isRetryable: boolean;

  constructor(message: string, isRetryable = false) {
    super(message);
    this.isRetryable = isRetryable;
  }
}

export type Timestamp = { readonly token: Buffer; readonly info: TimestampInfo };

const TRANSIENT_FAILURES: ReadonlySet<Failure> = new Set([
  'timeNotAvailable',
  'systemFailure',
  'addInfoNotAvailable',
]);
const TOO_MANY_REQUESTS = 429;

/** The token in an answer, if it fits the request. Throws TimestampRefused and nothing else. */
export function readAnswer(
  answer: PostAnswer,
  input: RequestInput,
  clock: { readonly nowMs: number; readonly toleranceMs: number },
): Timestamp {
  if (answer.status !== 200)
    throw new TimestampRefused(
      `It answered with status ${answer.status}.`,
      answer.status >= 500 || answer.status === TOO_MANY_REQUESTS,
    );
  const response = refuseMalformed(() => readResponse(answer.bytes));
  if (!response.granted) {
    const { status, failure, text } = response;
    const words = [failure, text].filter(Boolean).join(': ') || `status ${status}`;
    throw new TimestampRefused(
      `It refused (${words}).`,
      failure !== undefined && TRANSIENT_FAILURES.has(failure),
    );
  }
  // RFC 3161, 2.4.2: the imprint must be the requested one. Another digest algorithm never matches.
  const imprint = (digest: string) => (digest === input.digest ? input.hash : Buffer.alloc(0));
  const { info, findings } = refuseMalformed(() => checkToken(response.token, imprint, []));
  const [error] = allErrors(resultsOf(findings));
  if (error) throw new TimestampRefused(`Its answer is not good. ${error.message}`);
  checkInfo(info, input, clock);
  return { token: response.token, info };
}

function checkInfo(
  info: TimestampInfo,
  input: RequestInput,
  { nowMs, toleranceMs }: { readonly nowMs: number; readonly toleranceMs: number },
): void {
  // Replay (RFC 3161, 2.4.1): an old token has another nonce.
  if (!info.nonce?.equals(input.nonce))
    throw new TimestampRefused('It answered another request: the nonce differs.');
  if (input.policy !== undefined && info.policy !== input.policy)
    throw new TimestampRefused(
      `It stamped under the policy ${info.policy} and not ${input.policy}, as requested.`,
    );
  if (Math.abs(info.timeMs - nowMs) > toleranceMs + (info.accuracyMs ?? 0))
    throw new TimestampRefused(`It tells ${formatTime(info.timeMs)}, too far from our ${formatTime(nowMs)}.`);
}

function refuseMalformed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CmsMalformed)
      throw new TimestampRefused(`Its answer cannot be read. ${error.message}`);
    throw error;
  }
}
