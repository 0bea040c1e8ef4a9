import type { Readable } from 'node:stream';
import * as z from 'zod';
import { type Deadline, leftMs, MAX_TIMER_MS } from '../async/deadline.ts';
import { FetchFailed } from '../net/errors.ts';
import { guardedFetch } from '../net/guarded.ts';
import type { GuardedAnswer, GuardedRequest } from '../net/request.ts';
import { retryAfterMs } from '../net/retry-after.ts';
import { PlatformRefused, PlatformUnreachable } from './errors.ts';
import { cutText } from './text.ts';

/** Where the platform is, and how it is called. The values are read at each call. */
export type PlatformAccess = {
  readonly address: string;
  readonly apiKey: string;
  /** Of one call without its waits. A streamed body may take longer, as long as bytes move. */
  readonly requestTimeoutMs: number;
};

/** Waits for so many milliseconds. */
export type Pause = (ms: number) => Promise<unknown>;

export type Platform = { readonly access: PlatformAccess; readonly pause: Pause };

export type PlatformRequest = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: {
    readonly contentType: string;
    readonly bytes: Uint8Array | string | Readable;
    /** Of a stream. */
    readonly length?: number;
  };
  readonly deadline: Deadline;
  /** Ends a call that streams, in place of the request time-out. */
  readonly signal?: AbortSignal;
};

// JSON answers only: signed files are streamed.
export const MAX_ANSWER_BYTES = 4_194_304;

/** One call to the platform, within its time-out and the deadline. A platform that is busy is waited for. */
export const call = (platform: Platform, request: PlatformRequest): Promise<unknown> =>
  waitWhileBusy(platform, request.deadline, () => callOnce(platform, request));

/** One call, without a second attempt: a stream is sent once. */
export async function callOnce({ access }: Platform, request: PlatformRequest): Promise<unknown> {
  const { method, path, body, deadline, signal } = request;
  const remainingMs = requireTime(deadline);
  const answer = await guardedFetch({
    ...addressed(access, path),
    method,
    headers: {
      'x-api-key': access.apiKey,
      accept: 'application/json',
      ...(body && { 'content-type': body.contentType }),
      ...(body?.length !== undefined && { 'content-length': String(body.length) }),
    },
    ...(body && { body: body.bytes }),
    ...(signal && { signal }),
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs: signal ? remainingMs : Math.min(remainingMs, access.requestTimeoutMs),
  }).catch(rethrowUnreachable);
  return parseAnswer(answer, deadline.now());
}

/** The address of a path. It comes from the settings and not from a caller, so it may be private. */
export const addressed = (
  { address }: PlatformAccess,
  path: string,
): Pick<GuardedRequest, 'url' | 'allowPrivateAddresses' | 'carriesTrace'> => ({
  url: `${address}${path}`,
  allowPrivateAddresses: true,
  carriesTrace: true,
});

/** The time that is left, as a timer takes it. Throws when there is none. */
export function requireTime(deadline: Deadline): number {
  const remainingMs = Math.min(leftMs(deadline), MAX_TIMER_MS);
  if (remainingMs > 0) return remainingMs;
  throw new PlatformUnreachable('No time is left to ask the signature service.');
}

export function rethrowUnreachable(error: unknown): never {
  throw error instanceof FetchFailed ? new PlatformUnreachable(error.message, { cause: error }) : error;
}

// A platform that says "0" is not asked in a loop.
const MIN_PAUSE_MS = 1_000;

/** Repeats an attempt that was answered 429 after the wait that Retry-After names, until the deadline. */
export async function waitWhileBusy<T>(
  { pause }: Platform,
  deadline: Deadline,
  attempt: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof PlatformUnreachable) || error.retryAfterMs === undefined) throw error;
      const waitMs = Math.max(error.retryAfterMs, MIN_PAUSE_MS);
      if (waitMs >= leftMs(deadline)) throw error;
      await pause(waitMs);
    }
  }
}

/** The JSON of an answer. Throws PlatformRefused for a refusal, PlatformUnreachable for anything else. */
export function parseAnswer({ status, headers, bytes }: GuardedAnswer, nowMs: number): unknown {
  if (status >= 200 && status < 300) return bytes.length === 0 ? undefined : parseJson(bytes);
  // A temporary failure or a problem with our own key says nothing about the document.
  if (status >= 500 || status === 401 || status === 403 || status === 429 || status < 400)
    throw new PlatformUnreachable(`The signature service answered ${status}.`, {
      status,
      ...(status === 429 && { retryAfterMs: retryAfterMs(headers['retry-after'], nowMs) }),
    });
  if (!isJson(bytes))
    throw new PlatformUnreachable(`The signature service answered ${status} without JSON.`, { status });
  const { code, message } = parseJson(bytes) as { code?: unknown; message?: unknown };
  throw new PlatformRefused(
    status,
    cutText(String(code ?? status)),
    cutText(String(message ?? 'It gave no reason.')),
  );
}

const isJson = (bytes: Buffer): boolean => bytes.subarray(0, 1).toString() === '{';

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new PlatformUnreachable('The signature service answered something that is not JSON.', { cause });
  }
}

/** The answer in its shape. Another shape means that the platform does not speak our protocol. */
export function requireShape<S extends z.ZodType>(shape: S, answer: unknown): z.output<S> {
  const read = shape.safeParse(answer);
  if (read.success) return read.data;
  throw new PlatformUnreachable(
    `The signature service answered in another shape: ${cutText(z.prettifyError(read.error))}`,
  );
}

export const json = (value: unknown) => ({ contentType: 'application/json', bytes: JSON.stringify(value) });

/** A path with an id in it. */
export function pathOf(before: string, id: string, after = ''): string {
  // Path traversal: a URL resolves these even where they are encoded.
  if (/^\.{0,2}$/.test(id)) throw new PlatformRefused(404, 'NotFound', 'Nothing has such an id.');
  return `${before}/${encodeURIComponent(id)}${after}`;
}
