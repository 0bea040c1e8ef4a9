import { guardedFetch } from '../../../../shared/net/guarded.ts';
import { settings } from '../../settings.ts';
import { parseAnswer } from './answer.ts';
import { bulkheadOf, type Operation } from './bulkhead.ts';
import type { CircuitOutcome } from './circuit.ts';
import { failureOf } from './failure-of.ts';
import type { Provider, Timeouts } from './provider.ts';
import { ProviderFailure, type ProviderFailureReason } from './provider-failure.ts';
import { reportCall } from './report-call.ts';
import type { RequestBody } from './request-body.ts';

export type ProviderCall<T> = {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST';
  /** After the provider's base address. */
  readonly path: string;
  readonly bearer?: string | undefined;
  readonly body?: RequestBody;
  /** When the question began that this call is part of, by performance.now(): the call's time counts from then. */
  readonly sinceMs?: number | undefined;
  /** Takes what is wanted from the answer, or throws a ProviderFailure. */
  readonly read: (answer: Readonly<Record<string, unknown>>, status: number) => T | Promise<T>;
};

// Some holders have dozens of certificates, in PEM; everything else is far smaller.
const MAX_ANSWER_BYTES = 1_048_576;

const TIMEOUTS: Readonly<Record<Operation, (own: Timeouts) => number>> = {
  discovery: (own) => own.discoverySeconds ?? settings['Providers:DiscoveryTimeout'],
  'application-token': (own) => own.discoverySeconds ?? settings['Providers:DiscoveryTimeout'],
  token: (own) => own.tokenSeconds ?? settings['Providers:TokenTimeout'],
  certificates: (own) => own.certificatesSeconds ?? settings['Providers:CertificatesTimeout'],
  signature: (own) => own.signatureSeconds ?? settings['Providers:SignatureTimeout'],
};

// These say that the provider does not work. Of the others it is the provider's word that it does.
const FAILED: ReadonlySet<ProviderFailureReason> = new Set(['unreachable', 'timeout', 'unreadable']);

// A call that got its place later would end for want of time, and the provider would be blamed for it.
const WAITING_PART = 0.75;

/** One call to a provider: bounded in time, in number and in size, checked where it leads, and reported. */
export async function callProvider<T>(provider: Provider, call: ProviderCall<T>): Promise<T> {
  const startedAtMs = performance.now();
  const report = { provider: provider.name, operation: call.operation, startedAtMs };
  try {
    const taken = await inPlace(provider, call, call.sinceMs ?? startedAtMs);
    reportCall(report);
    return taken;
  } catch (error) {
    if (error instanceof ProviderFailure) reportCall(report, error);
    throw error;
  }
}

/** The time for a call holds its waiting too, so that nobody waits longer because others do. */
async function inPlace<T>(provider: Provider, call: ProviderCall<T>, sinceMs: number): Promise<T> {
  const { places } = bulkheadOf(provider, call.operation);
  const timeoutMs = TIMEOUTS[call.operation](provider.timeouts) * 1000;
  const leftMs = (): number => Math.max(1, Math.ceil(sinceMs + timeoutMs - performance.now()));
  if (!(await places.take(leftMs() * WAITING_PART)))
    throw new ProviderFailure(
      'busy',
      provider.name,
      `As many calls to ${provider.name} are under way as one instance makes (${call.operation}).`,
    );
  try {
    const { answer, status } = await throughCircuit(provider, call, leftMs());
    return await call.read(answer, status);
  } finally {
    places.giveBack();
  }
}

/**
 * Only that an answer came, and in the protocol, is a matter of the circuit. What is in it may be wrong for one
 * holder alone, who must not be able to cut others off.
 */
async function throughCircuit(provider: Provider, call: ProviderCall<unknown>, timeoutMs: number) {
  const leave = bulkheadOf(provider, call.operation).circuit.enter();
  if (!leave)
    throw new ProviderFailure(
      'unreachable',
      provider.name,
      `${provider.name} failed too often a moment ago, so it is not asked (${call.operation}).`,
    );
  try {
    const sent = await send(provider, call, timeoutMs);
    leave('answered');
    return sent;
  } catch (error) {
    leave(outcomeOf(call, error));
    throw error;
  }
}

function outcomeOf({ operation }: ProviderCall<unknown>, error: unknown): CircuitOutcome {
  if (!(error instanceof ProviderFailure)) return 'not-asked';
  const { reason, mayHaveActed } = error;
  // The provider may have waited for a holder who does not confirm, and others do.
  if (operation === 'signature' && reason === 'timeout' && mayHaveActed) return 'unclear';
  return FAILED.has(reason) ? 'failed' : 'answered';
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
