import { commonSettings } from '../settings/common.ts';
import { shareHeader } from '../trace/share.ts';
import { traceCall } from '../trace/spans.ts';
import type { ReachOptions, Resolve } from './addresses.ts';
import { readBeginning, readLimited, redirectOf } from './answer.ts';
import type { GuardedAgent } from './connector.ts';
import { failureOf } from './errors.ts';
import type { Call, GuardedAnswer, GuardedFetch, GuardedRequest, GuardedStream } from './request.ts';
import { parseHttpUrl } from './url.ts';

/**
 * A fetch with connections of its own, to be closed after use. Most callers want `guardedFetch`.
 * @example const fetch = createGuardedFetch();
 *          await fetch({ url, maxBytes, timeoutMs }).finally(fetch.close);
 */
export function createGuardedFetch(
  resolve?: Resolve,
): GuardedFetch & { readonly stream: GuardedStream; close(): Promise<void> } {
  // Separate agents: a call that may not reach private machines never reuses a connection to one. All calls of a process
  // use some three kinds of reach, which settings choose.
  const agents = new Map<string, ReturnType<typeof createLazyAgent>>();

  const agentFor = ({ allowPrivateAddresses = commonSettings['Network:AllowPrivateAddresses'] }: Allowed) => {
    const reach = String(allowPrivateAddresses);
    const agent = agents.get(reach) ?? createLazyAgent({ resolve, allowPrivateAddresses });
    agents.set(reach, agent);
    return agent.get();
  };

  const stream: GuardedStream = (request) =>
    traced({ ...request, maxBytes: Number.POSITIVE_INFINITY }, async (call) => {
      const { timeout, signal } = timeoutOf(request);
      const answer = await open(await agentFor(request), call, signal).catch((cause: unknown) => {
        throw failureOf(call, timeout, cause);
      });
      return { status: answer.statusCode, headers: answer.headers, stream: answer.body };
    });

  const fetch: GuardedFetch = (request) => traced(request, (call) => fetchAll(request, call));

  const fetchAll = async (request: GuardedRequest, first: Call): Promise<GuardedAnswer> => {
    let call = first;
    const { timeout, signal } = timeoutOf(request);
    const agent = await agentFor(request);
    for (let followed = 0; ; followed++) {
      const answer = await fetchOnce(agent, call, signal).catch((cause: unknown) => {
        throw failureOf(call, timeout, cause);
      });
      const next = redirectOf(call, answer, followed);
      if (!next) return answer;
      call = next;
    }
  };
  return Object.assign(fetch, {
    stream,
    close: async () => {
      await Promise.all([...agents.values()].map(({ close }) => close()));
    },
  });
}

/** Makes a call of a request. A redirect to another host carries neither its headers nor its trace. */
async function traced<T extends { readonly status: number }>(
  { carriesTrace, callee, ...request }: GuardedRequest,
  run: (call: Call) => Promise<T>,
): Promise<T> {
  const url = parseHttpUrl(request.url);
  return traceCall({ method: request.method ?? 'GET', url, callee }, (trace) =>
    run({
      ...request,
      url,
      ...(carriesTrace && { headers: { ...request.headers, ...trace, ...shareHeader(url) } }),
    }),
  );
}

type Allowed = Pick<GuardedRequest, 'allowPrivateAddresses'>;

function timeoutOf({ timeoutMs, signal: given }: Pick<GuardedRequest, 'timeoutMs' | 'signal'>) {
  const timeout = AbortSignal.timeout(timeoutMs);
  return { timeout, signal: given ? AbortSignal.any([timeout, given]) : timeout };
}

// An HTTP client takes a tenth of a second to load: loaded at the first call.
function createLazyAgent(reach: ReachOptions) {
  let agent: Promise<GuardedAgent> | undefined;
  return {
    get: (): Promise<GuardedAgent> => {
      agent ??= import('./connector.ts').then(({ createGuardedAgent }) => createGuardedAgent(reach));
      return agent;
    },
    close: async (): Promise<void> => (await agent)?.close(),
  };
}

let shared: ReturnType<typeof createGuardedFetch> | undefined;

/**
 * Calls an address that a caller or a certificate chose. SSRF: resolved once, checked, and connected to the checked
 * address. Throws FetchFailed only; any status is an answer.
 * @example const { status, bytes } = await guardedFetch({ url, maxBytes: 20_000_000, timeoutMs: 5_000 });
 */
export const guardedFetch: GuardedFetch = (request) => {
  shared ??= createGuardedFetch();
  return shared(request);
};

/**
 * The same for an answer that is too large for memory: its body is a stream.
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
    headers: requestHeaders(headers),
    body: body ?? null,
    signal,
    // The signal alone ends a call. The timers of undici are coarse and fire up to half a second early.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

async function fetchOnce(agent: GuardedAgent, call: Call, signal: AbortSignal): Promise<GuardedAnswer> {
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
    // An unread body holds the connection. Destroyed without a listener, the stream throws at the process.
    answer.body.on('error', () => undefined).destroy();
    throw error;
  }
}

// Decompression bomb: bodies are not compressed, so the limit counts real bytes.
function requestHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const sent: Record<string, string> = { 'accept-encoding': 'identity' };
  for (const [name, value] of Object.entries(headers)) if (name.toLowerCase() !== 'host') sent[name] = value;
  return sent;
}
