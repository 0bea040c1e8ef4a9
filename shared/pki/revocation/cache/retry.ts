import { setTimeout as pause } from 'node:timers/promises';
import { FetchFailed } from '../../../net/errors.ts';
import type { GuardedAnswer, GuardedFetch, GuardedRequest } from '../../../net/request.ts';

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
