import { NoAnswer, refusalOf } from './errors.ts';
import type { CallOptions } from './operation.ts';

export type ClientOptions = {
  /** The address of the service: https://sinete.example/documents */
  readonly url: string;
  /** The key of an application. Left out for operations that need none; a function where it changes. */
  readonly key?: string | (() => string | Promise<string>) | undefined;
  /** For a call with its retries. Of a file, until its body begins. 60 seconds. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is sent again that may be. 3. */
  readonly retries?: number | undefined;
  /** In place of the global one. */
  readonly fetch?: typeof fetch | undefined;
};

const TIMEOUT_MS = 60_000;
const RETRIES = 3;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;

// What a timer takes; more would be over at once.
const LONGEST_TIMER_MS = 2_147_483_647;

/** What `fetch` takes as a body. */
export type SentBody = NonNullable<RequestInit['body']>;

/** A request that is ready to be sent, as often as need be. */
export type Prepared<T> = {
  readonly name: string;
  /** Who answers, for messages. */
  readonly receiver: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Headers | Readonly<Record<string, string>>;
  readonly body: SentBody | undefined;
  /** Whether it does nothing twice when it is sent again. */
  readonly isRepeatable: boolean;
  /** Whether an answer that is no success is one all the same, and not a refusal. */
  readonly accepts?: (answer: Response) => boolean;
  /** Where a store has what was asked for. It is called without the headers: it is not shown the key. */
  readonly storeOf?: (answer: Response) => string | null;
  /** Reads the answer, in the time of the call. */
  readonly read: (answer: Response) => T | Promise<T>;
};

/**
 * Sends a request until it is answered. It is sent again where that does nothing twice: what only reads, replaces or
 * deletes; what carries an idempotency key; and whatever was refused because there were too many.
 */
export async function send<T>(request: Prepared<T>, client: ClientOptions, options: CallOptions): Promise<T> {
  const endsAtMs = performance.now() + (options.timeoutMs ?? client.timeoutMs ?? TIMEOUT_MS);
  const retries = request.body instanceof ReadableStream ? 0 : (client.retries ?? RETRIES);
  for (let attempt = 0; ; attempt++) {
    const result = await sendOnce(request, client, { ...options, endsAtMs });
    if (!('failure' in result)) return result.value;
    const { failure, retryAfterMs, mayRepeat } = result;
    const pauseMs = retryAfterMs ?? pauseBefore(attempt);
    if (!mayRepeat || attempt >= retries || performance.now() + pauseMs >= endsAtMs) throw failure;
    await pause(pauseMs, options.signal);
  }
}

type Failed = {
  readonly failure: Error;
  readonly mayRepeat: boolean;
  readonly retryAfterMs: number | undefined;
};

type Limits = CallOptions & { readonly endsAtMs: number };

async function sendOnce<T>(
  request: Prepared<T>,
  client: ClientOptions,
  limits: Limits,
): Promise<{ readonly value: T } | Failed> {
  const { name, isRepeatable } = request;
  const ended = new AbortController();
  const leftMs = Math.min(LONGEST_TIMER_MS, limits.endsAtMs - performance.now());
  const timer = setTimeout(() => ended.abort(), Math.max(0, leftMs));
  const signal = limits.signal ? AbortSignal.any([limits.signal, ended.signal]) : ended.signal;
  try {
    const answer = await exchange(request, client.fetch ?? fetch, signal);
    if (answer.ok || request.accepts?.(answer)) return { value: await request.read(answer) };
    const retryAfterMs = retryAfter(answer.headers.get('retry-after'));
    const isLater = answer.status === 502 || answer.status === 503 || answer.status === 504;
    return {
      failure: await refusalOf(request, answer, retryAfterMs),
      mayRepeat: answer.status === 429 || (isLater && isRepeatable),
      retryAfterMs,
    };
  } catch (error) {
    limits.signal?.throwIfAborted();
    if (error instanceof NoAnswer) return { failure: error, mayRepeat: false, retryAfterMs: undefined };
    const failure = ended.signal.aborted
      ? new NoAnswer(`${name}: no answer came in time.`, name, error)
      : new NoAnswer(`${name}: ${request.receiver} cannot be reached.`, name, error);
    return { failure, mayRepeat: isRepeatable && !ended.signal.aborted, retryAfterMs: undefined };
  } finally {
    clearTimeout(timer);
  }
}

async function exchange<T>(
  { url, method, headers, body, storeOf }: Prepared<T>,
  call: typeof fetch,
  signal: AbortSignal,
): Promise<Response> {
  const answer = await call(url, {
    method,
    headers,
    redirect: 'manual',
    signal,
    ...(body !== undefined && { body }),
    // Node asks for it with a body that is a stream.
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  });
  const store = storeOf?.(answer);
  if (!store) return answer;
  await answer.body?.cancel();
  return call(new URL(store, url), { signal });
}

/** What Retry-After asks for: seconds, or a date. */
function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const ms = Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

// Clients that failed together do not return together.
const pauseBefore = (attempt: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + Math.random() / 2);

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
