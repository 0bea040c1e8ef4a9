import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { integer } from '../../der/write.ts';
import type { Stamp } from '../cms/stamp.ts';
import type { Digest } from '../digest.ts';
import { readAnswer, type Timestamp, TimestampRefused } from './answer.ts';
import type { Post } from './post.ts';
import { type RequestInput, writeRequest } from './request.ts';

export type Authority = {
  readonly url: string;
  /** The requested policy, which the answer must have. */
  readonly policy?: string | undefined;
};

export type TimestampSettings = {
  /** Tried in this order until one gives a good answer. */
  readonly authorities: readonly Authority[];
  readonly post: Post;
  /** For one attempt. */
  readonly timeoutMs?: number;
  readonly attemptsEach?: number;
  /** Before the second attempt at an authority; doubled before each one after. */
  readonly pauseMs?: number;
  /** The maximum difference between an authority's clock and ours. */
  readonly clockToleranceMs?: number;
  readonly now?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
};

/** No authority gave a timestamp. `failures` has the reason of each. */
export class TimestampFailed extends Error {
  override readonly name = 'TimestampFailed';
  readonly failures: readonly { readonly authority: string; readonly message: string }[];

  constructor(failures: TimestampFailed['failures']) {
    const details = failures.map(({ authority, message }) => `${authority}: ${message}`).join(' ');
    super(`No timestamp authority gave a timestamp. ${details || 'None is configured.'}`);
    this.failures = failures;
  }
}

const TIMEOUT_MS = 10_000;
const ATTEMPTS_EACH = 2; // one retry covers a short outage; then the next authority is the better choice
const PAUSE_MS = 500;
const CLOCK_TOLERANCE_MS = 300_000; // clocks drift by seconds; at five minutes one of the two is wrong
const NONCE_BYTES = 16;

/**
 * Requests a timestamp over a hash from the first authority that gives a good answer. Throws TimestampFailed only.
 * @example const { token, info } = await requestTimestamp('sha256', hash, { authorities: [{ url }], post });
 */
export async function requestTimestamp(
  digest: Digest,
  hash: Buffer,
  settings: TimestampSettings,
): Promise<Timestamp> {
  const failures: { authority: string; message: string }[] = [];
  for (const authority of settings.authorities) {
    const outcome = await requestFrom(authority, digest, hash, settings);
    if (!(outcome instanceof TimestampRefused)) return outcome;
    failures.push({ authority: hostOf(authority.url), message: outcome.message });
  }
  throw new TimestampFailed(failures);
}

/** The client as a Stamp, which signing functions take. @example signDetached(content, key, { signingTimeMs, stamp: stampWith(settings) }) */
export const stampWith =
  (settings: TimestampSettings): Stamp =>
  async (digest, hash) =>
    (await requestTimestamp(digest, hash, settings)).token;

async function requestFrom(
  authority: Authority,
  digest: Digest,
  hash: Buffer,
  settings: TimestampSettings,
): Promise<Timestamp | TimestampRefused> {
  const { attemptsEach = ATTEMPTS_EACH, pauseMs = PAUSE_MS, wait = setTimeout } = settings;
  for (let attempt = 1; ; attempt++) {
    // Replay: each attempt has a fresh nonce, so a late answer to the first does not pass for the second.
    const input = { digest, hash, nonce: integer(randomBytes(NONCE_BYTES)), policy: authority.policy };
    const outcome = await attemptRequest(authority.url, input, settings);
    if (!(outcome instanceof TimestampRefused) || !outcome.isRetryable || attempt >= attemptsEach)
      return outcome;
    await wait(pauseMs * 2 ** (attempt - 1));
  }
}

async function attemptRequest(
  url: string,
  input: RequestInput,
  { post, timeoutMs = TIMEOUT_MS, clockToleranceMs = CLOCK_TOLERANCE_MS, now = Date.now }: TimestampSettings,
): Promise<Timestamp | TimestampRefused> {
  const answer = await post(url, writeRequest(input), { timeoutMs }).catch(noAnswerRefusal);
  if (answer instanceof TimestampRefused) return answer;
  try {
    return readAnswer(answer, input, { nowMs: now(), toleranceMs: clockToleranceMs });
  } catch (error) {
    if (error instanceof TimestampRefused) return error;
    throw error;
  }
}

const noAnswerRefusal = (error: unknown): TimestampRefused =>
  new TimestampRefused(
    `It did not answer: ${error instanceof Error ? error.message : 'unknown reason'}`,
    true,
  );

// An address may hold credentials, in its path too. Messages and logs get the host alone.
function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return 'an invalid address';
  }
}
