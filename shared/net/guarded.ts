import { house } from '../settings/house.ts';
import { checkedUrl } from './checked-url.ts';
import type { ConnectorOptions, GuardedAgent, Resolve } from './connector.ts';
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
  /** Whether this call may reach private and loopback machines; by default as Network:AllowPrivateAddresses says. */
  readonly allowPrivateAddresses?: boolean | undefined;
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
  const guarded = onceNeeded({ resolve, allowPrivateAddresses: false });
  const free = onceNeeded({ resolve, allowPrivateAddresses: true });

  const fetch: GuardedFetch = async (request) => {
    let call: Call = { ...request, url: checkedUrl(request.url) };
    const timeout = AbortSignal.timeout(request.timeoutMs);
    const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
    const mayReachPrivate = request.allowPrivateAddresses ?? house['Network:AllowPrivateAddresses'];
    const agent = await (mayReachPrivate ? free : guarded).get();
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
      await Promise.all([guarded.close(), free.close()]);
    },
  });
}

// An HTTP client takes a tenth of a second to load: a function that calls nobody never waits for it.
function onceNeeded(options: ConnectorOptions) {
  let agent: Promise<GuardedAgent> | undefined;
  return {
    get: (): Promise<GuardedAgent> => {
      agent ??= import('./connector.ts').then(({ guardedAgent }) => guardedAgent(options));
      return agent;
    },
    close: async (): Promise<void> => (await agent)?.close(),
  };
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

async function once(agent: GuardedAgent, call: Call, signal: AbortSignal): Promise<GuardedAnswer> {
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
