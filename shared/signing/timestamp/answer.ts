import { formatTime } from '../../pki/findings/display.ts';
import { allErrors, resultsOf } from '../../pki/findings/validation-results.ts';
import { CmsMalformed } from '../errors.ts';
import { checkToken } from './check-token.ts';
import type { TimestampInfo } from './info.ts';
import type { PostAnswer } from './post.ts';
import type { Asked } from './request.ts';
import { type Failure, readResponse } from './response.ts';

/** Why an authority gave no usable timestamp. `again` says whether asking it again may help. */
export class TimestampRefused extends Error {
  override readonly name = 'TimestampRefused';
  readonly again: boolean;

  constructor(message: string, again = false) {
    super(message);
    this.again = again;
  }
}

export type Timestamp = { readonly token: Buffer; readonly info: TimestampInfo };

const PASSING: ReadonlySet<Failure> = new Set(['timeNotAvailable', 'systemFailure', 'addInfoNotAvailable']);
const TOO_MANY_REQUESTS = 429;

/** The token in an answer, if it answers what was asked. Throws TimestampRefused and nothing else. */
export function readAnswer(
  answer: PostAnswer,
  asked: Asked,
  clock: { readonly nowMs: number; readonly toleranceMs: number },
): Timestamp {
  if (answer.status !== 200)
    throw new TimestampRefused(
      `It answered with status ${answer.status}.`,
      answer.status >= 500 || answer.status === TOO_MANY_REQUESTS,
    );
  const response = orRefused(() => readResponse(answer.bytes));
  if (!response.granted) {
    const { status, failure, text } = response;
    const words = [failure, text].filter(Boolean).join(': ') || `status ${status}`;
    throw new TimestampRefused(`It refused (${words}).`, failure !== undefined && PASSING.has(failure));
  }
  // A hash of another kind is of something else than was asked for, whatever it is of.
  const imprint = (digest: string) => (digest === asked.digest ? asked.hash : Buffer.alloc(0));
  const { info, findings } = orRefused(() => checkToken(response.token, imprint, []));
  const [error] = allErrors(resultsOf(findings));
  if (error) throw new TimestampRefused(`Its answer is not good. ${error.message}`);
  checkInfo(info, asked, clock);
  return { token: response.token, info };
}

function checkInfo(
  info: TimestampInfo,
  asked: Asked,
  { nowMs, toleranceMs }: { readonly nowMs: number; readonly toleranceMs: number },
): void {
  if (!info.nonce?.equals(asked.nonce))
    throw new TimestampRefused('It answered another request: the nonce differs.');
  if (asked.policy !== undefined && info.policy !== asked.policy)
    throw new TimestampRefused(
      `It stamped under the policy ${info.policy} and not ${asked.policy}, as asked.`,
    );
  if (Math.abs(info.timeMs - nowMs) > toleranceMs + (info.accuracyMs ?? 0))
    throw new TimestampRefused(`It tells ${formatTime(info.timeMs)}, too far from our ${formatTime(nowMs)}.`);
}

function orRefused<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CmsMalformed)
      throw new TimestampRefused(`Its answer cannot be read. ${error.message}`);
    throw error;
  }
}
