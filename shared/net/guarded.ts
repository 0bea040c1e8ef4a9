import type { Readable } from 'node:stream';
import { commonSettings } from '../settings/common.ts';
import type { Reach, Resolve } from './addresses.ts';
import { checkedUrl } from './checked-url.ts';
import type { GuardedAgent } from './connector.ts';
import { interrupted } from './failures.ts';
import { readBeginning, readLimited } from './limited-body.ts';
import { redirected } from './redirect.ts';

export type GuardedRequest = {
  readonly url: string;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  /** `Host` is always that of the address. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** A larger answer is given up while it is read. */
  readonly maxBytes: number;
  /**
   * Takes the beginning of a larger answer for the answer, and of one that breaks off or does not end in time
   * what has come of it: for callers to whom the status is all that matters.
   */
  readonly beginningIsEnough?: boolean;
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

/** An answer whose body still flows. Whoever takes it reads it to its end or destroys it: it holds a connection. */
export type FlowingAnswer = Omit<GuardedAnswer, 'bytes'> & { readonly stream: Readable };

export type GuardedStream = (
  request: Omit<GuardedRequest, 'maxBytes' | 'beginningIsEnough' | 'redirects'>,
) => Promise<FlowingAnswer>;

export type GuardedFetch = (request: GuardedRequest) => Promise<GuardedAnswer>;

/** A request on its way: its address is checked. */
export type Call = Omit<GuardedRequest, 'url'> & { readonly url: URL };

/**
 * Connections of its own, which nobody else waits for, to be closed after use. Most callers want `guardedFetch`.
 * @example const fetch = createGuardedFetch();
 *          await fetch({ url, maxBytes, timeoutMs }).finally(fetch.close);
 */
export function createGuardedFetch(
  resolve?: Resolve,
): GuardedFetch & { readonly stream: GuardedStream; close(): Promise<void> } {
  // Apart, so that a call which may not reach private machines never meets a connection opened to one.
  const guarded = onceNeeded({ resolve, allowPrivateAddresses: false });
  const free = onceNeeded({ resolve, allowPrivateAddresses: true });

  const agentFor = ({ allowPrivateAddresses = commonSettings['Network:AllowPrivateAddresses'] }: Allowed) =>
    (allowPrivateAddresses ? free : guarded).get();

  const stream: GuardedStream = async (request) => {
    const call: Call = { ...request, url: checkedUrl(request.url), maxBytes: Number.POSITIVE_INFINITY };
    const { timeout, signal } = endOf(request);
    const answer = await open(await agentFor(request), call, signal).catch((cause: unknown) => {
      throw interrupted(call, timeout, cause);
    });
    return { status: answer.statusCode, headers: answer.headers, stream: answer.body };
  };

  const fetch: GuardedFetch = async (request) => {
    let call: Call = { ...request, url: checkedUrl(request.url) };
    const { timeout, signal } = endOf(request);
    const agent = await agentFor(request);
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
    stream,
    close: async () => {
      await Promise.all([guarded.close(), free.close()]);
    },
  });
}

type Allowed = Pick<GuardedRequest, 'allowPrivateAddresses'>;

function endOf({ timeoutMs, signal: given }: Pick<GuardedRequest, 'timeoutMs' | 'signal'>) {
  const timeout = AbortSignal.timeout(timeoutMs);
  return { timeout, signal: given ? AbortSignal.any([timeout, given]) : timeout };
}

// An HTTP client takes a tenth of a second to load: a function that calls nobody never waits for it.
function onceNeeded(reach: Reach) {
  let agent: Promise<GuardedAgent> | undefined;
  return {
    get: (): Promise<GuardedAgent> => {
      agent ??= import('./connector.ts').then(({ guardedAgent }) => guardedAgent(reach));
      return agent;
    },
    close: async (): Promise<void> => (await agent)?.close(),
  };
}

let shared: ReturnType<typeof createGuardedFetch> | undefined;

/**
 * Calls an address that somebody else chose: a certificate's CRL, a webhook, a redirect URI. Resolved once,
 * checked, and connected to what was checked. Throws FetchFailed and nothing else; any status is an answer.
 * @example const { status, bytes } = await guardedFetch({ url, maxBytes: 20_000_000, timeoutMs: 5_000 });
 */
export const guardedFetch: GuardedFetch = (request) => {
  shared ??= createGuardedFetch();
  return shared(request);
};

/**
 * The same for an answer that is too large to hold: its body flows on to whoever asked, as long as the time lasts.
 * @example const { status, stream } = await guardedStream({ url, timeoutMs: 30_000 });
 */
export const guardedStream: GuardedStream = (request) => {
  shared ??= createGuardedFetch();
  return shared.stream(request);
};

function open(agent: GuardedAgent, call: Call, signal: AbortSignal) {
  const { url, method = 'GET', headers = {}, body } = call;
  return agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: sentHeaders(headers),
    body: body ?? null,
    signal,
    // The signal ends it at its very moment. The client's own clocks count in half seconds, and may be that early.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

async function once(agent: GuardedAgent, call: Call, signal: AbortSignal): Promise<GuardedAnswer> {
  const { url, method, maxBytes, beginningIsEnough } = call;
  const answer = await open(agent, call, signal);
  if (beginningIsEnough) {
    const bytes = await readBeginning(answer.body, maxBytes);
    return { status: answer.statusCode, headers: answer.headers, bytes };
  }
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
