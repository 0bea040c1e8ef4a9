import type { Dispatcher } from 'undici';
import { checkedUrl } from './checked-url.ts';
import { guardedAgent, type Resolve } from './connector.ts';
import { interrupted } from './failures.ts';
import { readLimited } from './limited-body.ts';
import { redirected } from './redirect.ts';

export type GuardedRequest = {
  readonly url: string;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  /** `Host` is always that of the address. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** A larger answer is given up while it is read. */
  readonly maxBytes: number;
  /** From the start to the last byte, redirects included. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** How many redirects of a GET or HEAD are followed, each checked like the first address. None by default. */
  readonly redirects?: number;
  /** Lets this call reach private and loopback machines too, as a sandbox on one machine must. */
  readonly allowPrivateAddresses?: boolean;
};

export type GuardedAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
};

export type GuardedFetch = (request: GuardedRequest) => Promise<GuardedAnswer>;

/** A request on its way: its address is checked. */
export type Call = Omit<GuardedRequest, 'url'> & { readonly url: URL };

/** Connections of its own, for tests with a resolver of theirs. Services use `guardedFetch`. */
export function createGuardedFetch(resolve?: Resolve): GuardedFetch & { close(): Promise<void> } {
  // Apart, so that a call which may not reach private machines never meets a connection opened to one.
  const guarded = guardedAgent({ resolve, allowPrivateAddresses: false });
  const free = guardedAgent({ resolve, allowPrivateAddresses: true });

  const fetch: GuardedFetch = async (request) => {
    let call: Call = { ...request, url: checkedUrl(request.url) };
    const timeout = AbortSignal.timeout(request.timeoutMs);
    const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
    const agent = request.allowPrivateAddresses ? free : guarded;
    for (let followed = 0; ; followed++) {
      const answer = await once(agent, call, signal).catch((cause: unknown) => {
        throw interrupted(call, timeout, cause);
      });
      const next = redirected(call, answer, followed);
      if (!next) return answer;
      call = next;
    }
  };
  return Object.assign(fetch, {
    close: async () => {
      await Promise.all([guarded.destroy(), free.destroy()]);
    },
  });
}

let shared: GuardedFetch | undefined;

/**
 * Calls an address that somebody else chose: a certificate's CRL, a webhook, a redirect URI. Resolved once,
 * checked, and connected to what was checked. Throws FetchFailed and nothing else; any status is an answer.
 * @example const { status, bytes } = await guardedFetch({ url, maxBytes: 20_000_000, timeoutMs: 5_000 });
 */
export const guardedFetch: GuardedFetch = (request) => {
  shared ??= createGuardedFetch();
  return shared(request);
};

async function once(agent: Dispatcher, call: Call, signal: AbortSignal): Promise<GuardedAnswer> {
  const { url, method = 'GET', headers = {}, body, maxBytes, timeoutMs } = call;
  const answer = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: sentHeaders(headers),
    body: body ?? null,
    signal,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  try {
    const announced = method === 'HEAD' ? 0 : Number(answer.headers['content-length'] ?? 0);
    const bytes = await readLimited(url.host, answer.body, announced, maxBytes);
    return { status: answer.statusCode, headers: answer.headers, bytes };
  } catch (error) {
    // What is not read would hold the connection; destroyed with no listener, the stream throws at the process.
    answer.body.on('error', () => undefined).destroy();
    throw error;
  }
}

// Bodies are not unpacked, so that what is measured is what came.
function sentHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'host');
  return { 'accept-encoding': 'identity', ...Object.fromEntries(own) };
}
