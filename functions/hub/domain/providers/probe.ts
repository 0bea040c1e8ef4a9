import { randomBytes } from 'node:crypto';
import { newSecret } from '../../../../shared/access/secrets.ts';
import { discover, type Identifier, isHeld } from './discovery.ts';
import { exchangeCode } from './exchange-code.ts';
import type { Provider } from './provider.ts';
import { ProviderFailure } from './provider-failure.ts';

/** What was seen of a provider when it was asked something that changes nothing. */
export type Probe = {
  /** What it was asked. */
  readonly operation: 'discovery' | 'token';
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  readonly ms: number;
  /** The names and kinds in the answer, without what they hold. */
  readonly shape: string | undefined;
  readonly isGood: boolean;
  /** One sentence for an operator. */
  readonly verdict: string;
};

/**
 * Asks a provider for a holder. One that cannot be asked for holders is sent a code that it never issued: its
 * refusal tells whether it knows the hub.
 */
export async function probe(provider: Provider, identifier: Identifier): Promise<Probe> {
  const startedAtMs = performance.now();
  const asked = provider.discovery === 'none' ? 'token' : 'discovery';
  const asking = asked === 'token' ? offerNoCode(provider) : askFor(provider, identifier);
  const seen = await asking.catch((error: unknown) => failed(provider, error));
  return { operation: asked, ms: Math.round(performance.now() - startedAtMs), ...seen };
}

type Seen = Omit<Probe, 'operation' | 'ms'>;

const askFor = (provider: Provider, identifier: Identifier): Promise<Seen> =>
  discover(provider, identifier, (answer, status) => {
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
  });

async function offerNoCode(provider: Provider): Promise<Seen> {
  try {
    await exchangeCode(provider, {
      code: `none-${randomBytes(16).toString('hex')}`,
      codeVerifier: newSecret(),
      redirectUri: 'https://invalid.example/',
      lifetimeSeconds: 1,
    });
  } catch (error) {
    // Any other refusal may be of the client, or of the way in which the hub asks.
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

function failed(provider: Provider, error: unknown): Seen {
  if (!(error instanceof ProviderFailure)) throw error;
  const { status, reason, message } = error;
  const hint = hintFor(provider, error);
  const verdict = `${message} (${reason})${hint ? ` ${hint}` : ''}`;
  return { status, shape: undefined, isGood: false, verdict };
}

/** What an operator looks at first. */
function hintFor({ discovery }: Provider, { status, error }: ProviderFailure): string | undefined {
  if (error === 'invalid_client') return 'It does not take this client id with this secret.';
  if (error === 'invalid_token' && discovery === 'client') return 'Try --discovery application-token.';
  // A token is asked for in a way that the provider has to read.
  if (error === 'invalid_request' && discovery !== 'client') return 'Try the other --token-body.';
  if (status === 404) return 'Check the base address.';
  return undefined;
}

// Deep and wide enough for the slots of a holder.
const MAX_DEPTH = 4;
const MAX_NAMES = 20;

function shapeOf(value: unknown, depth = 0): string {
  if (Array.isArray(value)) return value.length > 0 ? `[${shapeOf(value[0], depth + 1)}]` : '[]';
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  if (depth >= MAX_DEPTH) return '{…}';
  const all = Object.entries(value);
  const entries = all
    .slice(0, MAX_NAMES)
    .map(([name, inner]) => `${shown(name)}: ${shapeOf(inner, depth + 1)}`);
  if (all.length > MAX_NAMES) entries.push(`${all.length - MAX_NAMES} more`);
  return entries.length > 0 ? `{ ${entries.join(', ')} }` : '{}';
}

/** A provider's word goes to an operator's terminal: as text, in one line. */
const shown = (name: string): string =>
  /^[\w.-]{1,40}$/.test(name) ? name : JSON.stringify(name.slice(0, 40)).replace(/[^\x20-\x7e]/g, '?');
