import { retry } from '../../../async/retry.ts';
import { FetchFailed } from '../../../net/errors.ts';
import type { GuardedAnswer, GuardedFetch, GuardedRequest } from '../../../net/request.ts';
import { type Dated, isFromTheFuture } from '../freshness.ts';
import type { FetchResult } from '../source.ts';
import type { CachedAnswer, RevocationCache } from './cache.ts';

/** How one piece of data is fetched, parsed and authenticated. */
export type Resource<T> = {
  readonly fetch: () => Promise<Buffer>;
  /** Throws when the bytes are malformed. */
  readonly read: (bytes: Buffer) => T;
  readonly dates: (value: T) => Dated;
  /** Data that is not authentic is returned, because the caller explains why it refuses it, but not stored. */
  readonly isAuthentic: (value: T) => boolean | Promise<boolean>;
};

// After a failure the address is not tried again for this time, so that callers do not wait for it one by one.
const RETRY_AFTER_MS = 30_000;
const MAX_FAILURES = 1_000;

type ReadThrough = <T>(key: string, resource: Resource<T>) => Promise<FetchResult<T>>;

type ReadThroughOptions = {
  readonly cache: RevocationCache;
  readonly now: () => number;
  /** Called when the cache fails. Nothing else happens then: data is fetched without it. */
  readonly onCacheFailure: (error: unknown) => void;
};

/**
 * A read-through cache: a value comes from the cache until its nextUpdate, then it is fetched, once for all concurrent
 * callers. When the fetch fails, the older value is returned together with the problem.
 */
export function createReadThrough({ cache, now, onCacheFailure }: ReadThroughOptions): ReadThrough {
  const inFlight = new Map<string, Promise<FetchResult<unknown>>>();
  const failures = new Map<string, { readonly untilMs: number; readonly problem: string }>();

  const recordFailure = (key: string, problem: string): void => {
    const [oldest] = failures.keys();
    if (failures.size >= MAX_FAILURES && oldest !== undefined) failures.delete(oldest);
    failures.set(key, { untilMs: now() + RETRY_AFTER_MS, problem });
  };

  async function refresh<T>(key: string, resource: Resource<T>): Promise<FetchResult<T>> {
    const kept = await cache.get(key).catch(onCacheFailure);
    // Data from the future, from before a clock was set back, is replaced by what comes.
    const cached = kept && !isFromTheFuture(kept, now()) ? kept : undefined;
    const older = cached ? readCached(resource, cached) : undefined;
    if (cached && older && cached.nextUpdateMs > now()) return { found: older };
    const failure = failures.get(key);
    if (failure && failure.untilMs > now()) return { found: older, problem: failure.problem };
    try {
      const bytes = await resource.fetch();
      const value = resource.read(bytes);
      if (!(await resource.isAuthentic(value)))
        return older ? { found: older, problem: NOT_AUTHENTIC } : { found: value };
      const { thisUpdateMs, nextUpdateMs } = resource.dates(value);
      // Kept, it would be used until the clock reaches it, and every right one would count as a replay.
      if (isFromTheFuture({ thisUpdateMs }, now())) {
        recordFailure(key, FROM_THE_FUTURE);
        return { found: older ?? value, problem: FROM_THE_FUTURE };
      }
      // Replay: an address that gives an older CRL than before is not followed back.
      if (cached && older && thisUpdateMs < cached.thisUpdateMs) throw new Error(OLDER_THAN_BEFORE);
      if (nextUpdateMs !== undefined)
        await cache.put(key, { bytes, thisUpdateMs, nextUpdateMs }).catch(onCacheFailure);
      // Data that is already past its nextUpdate is not fetched again at once.
      if (nextUpdateMs !== undefined && nextUpdateMs <= now()) recordFailure(key, PAST_ITS_TIME);
      return { found: value };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      const isOwnAbort = error instanceof FetchFailed && error.reason === 'aborted';
      if (!isOwnAbort) recordFailure(key, problem);
      return { found: older, problem };
    }
  }

  return async <T>(key: string, resource: Resource<T>) => {
    // All callers with the same key ask for the same type.
    const joined = (inFlight.get(key) as Promise<FetchResult<T>> | undefined) ?? refresh(key, resource);
    inFlight.set(key, joined);
    return joined.finally(() => inFlight.delete(key));
  };
}

const NOT_AUTHENTIC = 'The data at its address does not have the right signature.';
const OLDER_THAN_BEFORE = 'Its address gives older data than before.';
const FROM_THE_FUTURE = 'Its address gives data that is dated in the future.';
const PAST_ITS_TIME = 'Its address gives data that is past its next update.';

function readCached<T>(resource: Resource<T>, { bytes }: CachedAnswer): T | undefined {
  try {
    return resource.read(bytes);
  } catch {
    return undefined; // stored by another version of Sinete: fetched again
  }
}

// A second attempt helps with a restarted server or a stale connection. More attempts only cost time.
const MAX_ATTEMPTS = 2;
const PAUSE_MS = 100;

const RETRIED: ReadonlySet<string> = new Set(['not-reachable', 'timed-out']);

/** Fetches the body of a 200, with retries within the timeout. Throws FetchFailed, for any other status too. */
export async function fetchBytes(
  fetch: GuardedFetch,
  request: GuardedRequest,
  now: () => number,
): Promise<Buffer> {
  const deadlineAtMs = now() + request.timeoutMs;
  return retry(
    async () => requireOk(request, await fetch({ ...request, timeoutMs: Math.max(1, deadlineAtMs - now()) })),
    {
      maxAttempts: MAX_ATTEMPTS,
      isRetryable: (error) => error instanceof FetchFailed && RETRIED.has(error.reason),
      pauseMs: () => PAUSE_MS,
      deadlineAtMs,
      now,
    },
  );
}

function requireOk({ url }: GuardedRequest, { status, bytes }: GuardedAnswer): Buffer {
  if (status === 200) return bytes;
  const reason = status >= 500 ? 'not-reachable' : 'broken-answer';
  throw new FetchFailed(reason, `The host ${new URL(url).host} answers with status ${status}.`);
}
