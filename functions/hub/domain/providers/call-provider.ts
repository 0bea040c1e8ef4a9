import type { Caller } from '../../../../shared/access/caller.ts';
import { guardedFetch } from '../../../../shared/net/guarded.ts';
import { settings } from '../../settings.ts';
import { failureOf, parseAnswer } from './answer.ts';
import { type Bulkhead, bulkheadOf } from './bulkhead.ts';
import type { CircuitOutcome } from './circuit.ts';
import { logCall } from './log-call.ts';
import type { Operation, Provider, Timeouts } from './provider.ts';
import { ProviderFailure, type ProviderFailureReason } from './provider-failure.ts';
import type { RequestBody } from './request-body.ts';

export type ProviderCall<T> = {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST';
  /** After the provider's base address. */
  readonly path: string;
  readonly bearer?: string | undefined;
  readonly body?: RequestBody;
  /** When the operation began that this call is part of, by performance.now(). The time-out counts from then. */
  readonly sinceMs?: number | undefined;
  /** Reads the result out of the answer, or throws a ProviderFailure. */
  readonly read: (answer: Readonly<Record<string, unknown>>, status: number) => T | Promise<T>;
};

// Some holders have dozens of certificates, in PEM. All other answers are far smaller.
const MAX_ANSWER_BYTES = 1_048_576;

const CERTIFICATES_SECONDS = 15;

const TIMEOUTS: Readonly<Record<Operation, (own: Timeouts) => number>> = {
  discovery: (own) => own.discoverySeconds ?? settings['Providers:DiscoveryTimeout'],
  'application-token': (own) => own.discoverySeconds ?? settings['Providers:DiscoveryTimeout'],
  token: (own) => own.tokenSeconds ?? settings['Providers:TokenTimeout'],
  certificates: (own) => own.certificatesSeconds ?? CERTIFICATES_SECONDS,
  signature: (own) => own.signatureSeconds ?? settings['Providers:SignatureTimeout'],
};

// These mean that the provider does not work. Other failures are answers of a provider that works.
const BROKEN: ReadonlySet<ProviderFailureReason> = new Set(['unreachable', 'timeout', 'unreadable']);

// A call that gets its slot later than this would time out, and the provider would be blamed for it.
const MAX_WAITING_PART = 0.75;

/**
 * Calls a provider on behalf of an application: bounded in time, number and size, to a checked address, and logged.
 * Throws ProviderFailure.
 */
export async function callProvider<T>(
  caller: Pick<Caller, 'application'>,
  provider: Provider,
  call: ProviderCall<T>,
  now: () => number,
): Promise<T> {
  const startedAtMs = performance.now();
  const log = (failure?: ProviderFailure) =>
    logCall({ provider: provider.name, operation: call.operation, startedAtMs, nowMs: now() }, failure);
  try {
    const bulkhead = bulkheadOf(caller, provider, call.operation);
    const result = await callInSlot(
      bulkhead,
      provider,
      { ...call, sinceMs: call.sinceMs ?? startedAtMs },
      now,
    );
    log();
    return result;
  } catch (error) {
    if (error instanceof ProviderFailure) log(error);
    throw error;
  }
}

/** The time-out of a call includes its wait for a slot. */
async function callInSlot<T>(
  { circuit, acquire }: Bulkhead,
  provider: Provider,
  call: ProviderCall<T> & { readonly sinceMs: number },
  now: () => number,
): Promise<T> {
  const timeoutMs = TIMEOUTS[call.operation](provider.timeouts) * 1000;
  const leftMs = (): number => Math.max(1, Math.ceil(call.sinceMs + timeoutMs - performance.now()));
  const slot = await acquire(leftMs() * MAX_WAITING_PART);
  if (!slot)
    throw new ProviderFailure(
      'busy',
      provider.name,
      `As many calls to ${provider.name} are under way as one instance makes (${call.operation}).`,
    );
  try {
    const { answer, status } = await callThroughCircuit();
    return await call.read(answer, status);
  } finally {
    slot.release();
  }

  // The circuit counts only whether an answer came in the protocol. Its content may be wrong for one holder alone, who
  // must not be able to cut others off.
  async function callThroughCircuit() {
    const report = circuit.enter(now);
    if (!report)
      throw new ProviderFailure(
        'unreachable',
        provider.name,
        `${provider.name} failed too often a moment ago, so it is not asked (${call.operation}).`,
      );
    try {
      const sent = await send(provider, call, leftMs());
      report('answered');
      return sent;
    } catch (error) {
      report(outcomeOf(call.operation, error));
      throw error;
    }
  }
}

function outcomeOf(operation: Operation, error: unknown): CircuitOutcome {
  if (!(error instanceof ProviderFailure)) return 'not-asked';
  const { reason, mayHaveActed } = error;
  // The provider may have waited for a holder who does not confirm. Other holders do.
  if (operation === 'signature' && reason === 'timeout' && mayHaveActed) return 'unclear';
  return BROKEN.has(reason) ? 'failed' : 'answered';
}

async function send(provider: Provider, call: ProviderCall<unknown>, timeoutMs: number) {
  const { method, path, bearer, body } = call;
  const answer = await guardedFetch({
    url: `${provider.baseUrl}${path}`,
    method,
    headers: {
      accept: 'application/json',
      'user-agent': 'sinete-hub',
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(body && { 'content-type': body.contentType }),
    },
    ...(body && { body: body.text }),
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs,
  }).catch((error: unknown) => {
    throw failureOf(provider.name, call.operation, error);
  });
  return { answer: parseAnswer(provider.name, call, answer), status: answer.status };
}
