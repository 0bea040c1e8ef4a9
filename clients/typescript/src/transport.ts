import { NoAnswer, type Refused, refusalOf } from './errors.ts';
import type { CallOptions, Operation } from './operation.ts';

export type ClientOptions = {
  /** The address of the service: https://sinete.example/documents */
  readonly url: string;
  /** The key of an application. Left out for operations that need none; a function where it changes. */
  readonly key?: string | (() => string | Promise<string>) | undefined;
  /** For a call with its retries, until the answer begins. 60 seconds. */
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

/** What `fetch` takes as a body. */
export type SentBody = NonNullable<RequestInit['body']>;

/** A request that is ready to be sent, as often as need be. */
export type Prepared = {
  readonly name: string;
  readonly operation: Operation;
  readonly path: string;
  readonly headers: Headers;
  readonly body: SentBody | undefined;
};

/**
 * Sends a request until it is answered. It is sent again where that does nothing twice: what only reads, replaces or
 * deletes; what carries an idempotency key; and whatever was refused because there were too many.
 */
export async function send(
  request: Prepared,
  client: ClientOptions,
  options: CallOptions,
): Promise<Response> {
  const endsAtMs = performance.now() + (options.timeoutMs ?? client.timeoutMs ?? TIMEOUT_MS);
  const retries = request.body instanceof ReadableStream ? 0 : (client.retries ?? RETRIES);
  for (let attempt = 0; ; attempt++) {
    const result = await sendOnce(request, client, { ...options, endsAtMs });
    if (result instanceof Response) return result;
    const { failure, retryAfterMs, mayRepeat } = result;
    const pauseMs = retryAfterMs ?? pauseBefore(attempt);
    if (!mayRepeat || attempt >= retries || performance.now() + pauseMs >= endsAtMs) throw failure;
    await pause(pauseMs, options.signal);
  }
}

type Failed = {
  readonly failure: Refused | NoAnswer;
  readonly mayRepeat: boolean;
  readonly retryAfterMs: number | undefined;
};

type Limits = CallOptions & { readonly endsAtMs: number };

async function sendOnce(
  request: Prepared,
  client: ClientOptions,
  limits: Limits,
): Promise<Response | Failed> {
  const { name, operation, path, headers, body } = request;
  const { method } = operation;
  const isRepeatable = method !== 'POST' || operation.once === true;
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), Math.max(0, limits.endsAtMs - performance.now()));
  const signal = limits.signal ? AbortSignal.any([limits.signal, ended.signal]) : ended.signal;
  const call = client.fetch ?? fetch;
  const url = `${client.url.replace(/\/+$/, '')}${path}`;
  try {
    const answer = await call(url, {
      method,
      headers,
      redirect: 'manual',
      signal,
      ...(body !== undefined && { body }),
      // Node asks for it with a body that is a stream.
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    });
    if (answer.ok) return answer;
    if (operation.answer === 'redirect' && answer.status >= 300 && answer.status < 400) return answer;
    const location = answer.status === 302 ? answer.headers.get('location') : null;
    // To a store, which is not shown the key.
    if (operation.answer === 'file' && location) return await call(new URL(location, url), { signal });
    const retryAfterMs = retryAfter(answer.headers.get('retry-after'));
    const isLater = answer.status === 502 || answer.status === 503 || answer.status === 504;
    return {
      failure: await refusalOf(name, answer, retryAfterMs),
      mayRepeat: answer.status === 429 || (isLater && isRepeatable),
      retryAfterMs,
    };
  } catch (error) {
    limits.signal?.throwIfAborted();
    const failure = ended.signal.aborted
      ? new NoAnswer(`${name}: no answer came in time.`, name, error)
      : new NoAnswer(`${name}: ${client.url} cannot be reached.`, name, error);
    return { failure, mayRepeat: isRepeatable && !ended.signal.aborted, retryAfterMs: undefined };
  } finally {
    clearTimeout(timer);
  }
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
