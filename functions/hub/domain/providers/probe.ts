import { randomBytes } from 'node:crypto';
import { newSecret } from '../../../../shared/access/secrets.ts';
import type { Identifier } from '../identifier.ts';
import { discover, isHeld } from './discovery.ts';
import { exchangeCode } from './exchange-code.ts';
import type { Provider } from './provider.ts';
import { ProviderFailure } from './provider-failure.ts';

/** The result of a call to a provider that changes nothing there. */
export type Probe = {
  readonly operation: 'discovery' | 'token';
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  readonly ms: number;
  /** The names and types in the answer, without its values. */
  readonly shape: string | undefined;
  readonly isGood: boolean;
  /** One sentence for an operator. */
  readonly verdict: string;
};

// An operator probes; no application does.
const OPERATOR = { application: '' };

/**
 * Asks a provider for a holder. A provider without discovery is sent a code that it never issued: its refusal tells
 * whether it knows the hub.
 */
export async function probe(provider: Provider, identifier: Identifier, now: () => number): Promise<Probe> {
  const startedAtMs = performance.now();
  const operation = provider.discovery === 'none' ? 'token' : 'discovery';
  const probing =
    operation === 'token' ? probeToken(provider, now) : probeDiscovery(provider, identifier, now);
  const finding = await probing.catch((error: unknown) => findingOf(provider, error));
  return { operation, ms: Math.round(performance.now() - startedAtMs), ...finding };
}

type Finding = Omit<Probe, 'operation' | 'ms'>;

const probeDiscovery = (provider: Provider, identifier: Identifier, now: () => number): Promise<Finding> => {
  const read = (answer: unknown, status: number): Finding => {
    const shape = shapeOf(answer);
    try {
      const verdict = isHeld(provider, answer)
        ? `it holds a certificate of ${identifier.value}.`
        : `it holds no certificate of ${identifier.value}.`;
      return { status, shape, isGood: true, verdict };
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      return { status, shape, isGood: false, verdict: error.message };
    }
  };
  return discover(OPERATOR, provider, { identifier, read }, now);
};

async function probeToken(provider: Provider, now: () => number): Promise<Finding> {
  const exchange = {
    code: `none-${randomBytes(16).toString('hex')}`,
    codeVerifier: newSecret(),
    redirectUri: 'https://invalid.example/',
    lifetimeSeconds: 1,
  };
  try {
    await exchangeCode(OPERATOR, provider, exchange, now);
  } catch (error) {
    // Any other refusal may concern the client, or the form of the request.
    if (!(error instanceof ProviderFailure) || error.error !== 'invalid_grant') throw error;
    const verdict = 'it refuses a code that it never issued (invalid_grant), and takes the client for known.';
    return { status: error.status, shape: undefined, isGood: true, verdict };
  }
  return {
    status: 200,
    shape: undefined,
    isGood: false,
    verdict: 'it gave a token for a code that it never issued.',
  };
}

function findingOf(provider: Provider, error: unknown): Finding {
  if (!(error instanceof ProviderFailure)) throw error;
  const { status, reason, message } = error;
  const hint = hintFor(provider, error);
  const verdict = `${message} (${reason})${hint ? ` ${hint}` : ''}`;
  return { status, shape: undefined, isGood: false, verdict };
}

/** A likely cause, for the operator. */
function hintFor({ discovery }: Provider, { status, error }: ProviderFailure): string | undefined {
  if (error === 'invalid_client') return 'It does not take this client id with this secret.';
  if (error === 'invalid_token' && discovery === 'client') return 'Try --discovery application-token.';
  // The provider may not read this encoding of a token request.
  if (error === 'invalid_request' && discovery !== 'client') return 'Try the other --token-body.';
  if (status === 404) return 'Check the base address.';
  return undefined;
}

// Deep and wide enough for the certificate slots of a holder.
const MAX_DEPTH = 4;
const MAX_NAMES = 20;

function shapeOf(value: unknown, depth = 0): string {
  if (Array.isArray(value)) return value.length > 0 ? `[${shapeOf(value[0], depth + 1)}]` : '[]';
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  if (depth >= MAX_DEPTH) return '{…}';
  const all = Object.entries(value);
  const entries = all
    .slice(0, MAX_NAMES)
    .map(([name, inner]) => `${printable(name)}: ${shapeOf(inner, depth + 1)}`);
  if (all.length > MAX_NAMES) entries.push(`${all.length - MAX_NAMES} more`);
  return entries.length > 0 ? `{ ${entries.join(', ')} }` : '{}';
}

/** Terminal injection: a name from a provider is printed without control characters, in one line. */
const printable = (name: string): string =>
  /^[\w.-]{1,40}$/.test(name) ? name : JSON.stringify(name.slice(0, 40)).replace(/[^\x20-\x7e]/g, '?');
