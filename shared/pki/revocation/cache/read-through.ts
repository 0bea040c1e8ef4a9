import { setTimeout as pause } from 'node:timers/promises';
import { FetchFailed } from '../../../net/errors.ts';
import type { GuardedAnswer, GuardedFetch, GuardedRequest } from '../../../net/request.ts';
import type { Dated } from '../freshness.ts';
import type { FetchResult } from '../source.ts';
import type { CachedAnswer, RevocationCache } from './cache.ts';

/** How one kind of data is fetched, read and found to be real. */
export type Resource<T> = {
  readonly fetch: () => Promise<Buffer>;
  /** Throws when the bytes are not what they should be. */
  readonly read: (bytes: Buffer) => T;
  readonly dates: (value: T) => Dated;
  /** What is not authentic is given to the caller, who will refuse it and say why, but not kept. */
  readonly isAuthentic: (value: T) => boolean | Promise<boolean>;
};

// While an address gives nothing new, callers are not made to wait for it one after the other.
const RETRY_AFTER_MS = 30_000;
const MAX_FAILURES = 1_000;

export type ReadThrough = <T>(key: string, kind: Resource<T>) => Promise<FetchResult<T>>;

export type ReadThroughOptions = {
  readonly cache: RevocationCache;
  readonly now: () => number;
  /** The cache is a convenience: what it fails at is told here and nowhere else. */
  readonly onCacheFailure: (error: unknown) => void;
};

/**
 * What is asked for by a key: from the cache until newer is due, then fetched, once for all who ask meanwhile.
 * When nothing newer can be had, what is past its time is given together with the problem.
 */
export function createReadThrough({ cache, now, onCacheFailure }: ReadThroughOptions): ReadThrough {
  const inFlight = new Map<string, Promise<FetchResult<unknown>>>();
  const failures = new Map<string, { readonly untilMs: number; readonly problem: string }>();

  const recordFailure = (key: string, problem: string): void => {
    const [oldest] = failures.keys();
    if (failures.size >= MAX_FAILURES && oldest !== undefined) failures.delete(oldest);
    failures.set(key, { untilMs: now() + RETRY_AFTER_MS, problem });
  };

  async function refresh<T>(key: string, kind: Resource<T>): Promise<FetchResult<T>> {
    const cached = await cache.get(key).catch(onCacheFailure);
    const older = cached ? readCached(kind, cached) : undefined;
    if (cached && older && cached.nextUpdateMs > now()) return { found: older };
    const failure = failures.get(key);
    if (failure && failure.untilMs > now()) return { found: older, problem: failure.problem };
    try {
      const bytes = await kind.fetch();
      const value = kind.read(bytes);
      if (!(await kind.isAuthentic(value)))
        return older ? { found: older, problem: NOT_AUTHENTIC } : { found: value };
      const { thisUpdateMs, nextUpdateMs } = kind.dates(value);
      if (cached && older && thisUpdateMs < cached.thisUpdateMs) throw new Error(OLDER_THAN_BEFORE);
      if (nextUpdateMs !== undefined)
        await cache.put(key, { bytes, thisUpdateMs, nextUpdateMs }).catch(onCacheFailure);
      // What is past its time on arrival will be so a moment later too.
      if (nextUpdateMs !== undefined && nextUpdateMs <= now()) recordFailure(key, PAST_ITS_TIME);
      return { found: value };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      const isOwnAbort = error instanceof FetchFailed && error.reason === 'aborted';
      if (!isOwnAbort) recordFailure(key, problem);
      return { found: older, problem };
    }
  }

  return async <T>(key: string, kind: Resource<T>) => {
    // Everyone who asks by this key asks for the same kind.
    const joined = (inFlight.get(key) as Promise<FetchResult<T>> | undefined) ?? refresh(key, kind);
    inFlight.set(key, joined);
    return joined.finally(() => inFlight.delete(key));
  };
}

const NOT_AUTHENTIC = 'What its address gives is not signed by whoever it should be.';
const OLDER_THAN_BEFORE = 'Its address gives older data than it gave before.';
const PAST_ITS_TIME = 'Its address gives data that is past its time.';

function readCached<T>(kind: Resource<T>, { bytes }: CachedAnswer): T | undefined {
  try {
    return kind.read(bytes);
  } catch {
    return undefined; // kept by another version of this program: fetched anew
  }
}

// A second try meets a server that was restarting or a connection that had gone stale. More would only wait.
const ATTEMPTS = 2;
const PAUSE_MS = 100;

const RETRIED: ReadonlySet<string> = new Set(['not-reachable', 'timed-out']);

/** The body of a 200, tried again within the time given. Throws FetchFailed; any other status is one too. */
export async function fetchBytes(
  fetch: GuardedFetch,
  request: GuardedRequest,
  now: () => number,
): Promise<Buffer> {
  const deadlineMs = now() + request.timeoutMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return requireOk(request, await fetch({ ...request, timeoutMs: Math.max(1, deadlineMs - now()) }));
    } catch (error) {
      const isRetried = error instanceof FetchFailed && RETRIED.has(error.reason);
      if (!isRetried || attempt >= ATTEMPTS || now() + PAUSE_MS >= deadlineMs) throw error;
    }
    await pause(PAUSE_MS);
  }
}

function requireOk({ url }: GuardedRequest, { status, bytes }: GuardedAnswer): Buffer {
  if (status === 200) return bytes;
  const reason = status >= 500 ? 'not-reachable' : 'broken-answer';
  throw new FetchFailed(reason, `The host ${new URL(url).host} answers with status ${status}.`);
}
