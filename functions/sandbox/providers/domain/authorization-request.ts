import { parseTaxpayer } from '../../../../shared/taxpayer/taxpayer.ts';
import { providerErrors } from '../errors.ts';
import { clientName, isRegisteredRedirect } from './client.ts';
import type { SandboxProvider } from './provider.ts';
import { grantedSeconds, isScope, type Scope } from './scopes.ts';

/** What a client asks a holder to allow, with every parameter as it must be. */
export type AuthorizationRequest = {
  readonly provider: SandboxProvider;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly scope: Scope;
  /** As it would be granted. */
  readonly lifetimeSeconds: number;
  readonly codeChallenge: string;
  /** False when the client means somebody who keeps no certificate here. */
  readonly isForHolder: boolean;
};

export type ReadRequest =
  /** There is no address that the browser may be sent to. */
  | { readonly outcome: 'untrusted'; readonly about: 'client_id' | 'redirect_uri' }
  | { readonly outcome: 'refused'; readonly location: string }
  | { readonly outcome: 'valid'; readonly request: AuthorizationRequest };

export type Query = Readonly<Record<string, string | readonly string[]>>;

// The lifetime of a client that requests none, as the hub does for its own clients.
const DEFAULT_LIFETIME_SECONDS = 300;

/**
 * Reads the parameters of an authorization request. Who asks, and where the browser would go back to, is settled
 * first: until then nothing is sent anywhere.
 * @example const read = readRequest(provider, query);
 */
export function readRequest(provider: SandboxProvider, query: Query): ReadRequest {
  // A parameter without a value counts as left out (RFC 6749, 3.1).
  const one = (name: string): string => (typeof query[name] === 'string' ? query[name] : '');
  const [clientId, redirectUri] = [one('client_id'), one('redirect_uri')];
  const client = clientName(clientId);
  if (client === undefined) return { outcome: 'untrusted', about: 'client_id' };
  if (!isRegisteredRedirect(redirectUri)) return { outcome: 'untrusted', about: 'redirect_uri' };

  const state = one('state');
  const fault = faultIn(query, one);
  if (fault)
    return {
      outcome: 'refused',
      location: refusalLocation({ redirectUri, state }, fault.error, fault.reason),
    };
  const scope = one('scope') || 'single_signature';
  const requested = Number(one('lifetime') || DEFAULT_LIFETIME_SECONDS);
  const hint = one('login_hint');
  return {
    outcome: 'valid',
    request: {
      provider,
      clientId,
      clientName: client,
      redirectUri,
      state,
      scope: scope as Scope,
      lifetimeSeconds: grantedSeconds(provider.holder, requested),
      codeChallenge: one('code_challenge'),
      isForHolder: hint === '' || hint === provider.holder.identifier,
    },
  };
}

type Fault = { readonly error: RedirectError; readonly reason: string };
type RedirectError = 'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'access_denied';

const KNOWN = [
  ...['response_type', 'client_id', 'redirect_uri', 'state', 'scope', 'lifetime'],
  ...['code_challenge', 'code_challenge_method', 'login_hint'],
];
const CHALLENGE = /^[\w-]{43}$/; // SHA-256 in base64url
const LIFETIME = /^[1-9]\d{0,8}$/; // seconds

function faultIn(query: Query, one: (name: string) => string): Fault | undefined {
  const invalid = (reason: string): Fault => ({ error: 'invalid_request', reason });
  const repeated = KNOWN.find((name) => Array.isArray(query[name]));
  if (repeated) return invalid(`${repeated} is given more than once.`);
  if (!one('state')) return invalid('state is required.');
  if (!one('response_type')) return invalid('response_type is required.');
  if (one('response_type') !== 'code') return { error: 'unsupported_response_type', reason: '' };
  if (one('code_challenge_method') !== 'S256') return invalid('code_challenge_method must be S256.');
  if (!CHALLENGE.test(one('code_challenge')))
    return invalid('code_challenge must be a SHA-256 hash in base64url.');
  if (one('scope') && !isScope(one('scope'))) return { error: 'invalid_scope', reason: '' };
  if (one('lifetime') && !LIFETIME.test(one('lifetime'))) return invalid('lifetime must be whole seconds.');
  if (one('login_hint') && !isBareIdentifier(one('login_hint')))
    return invalid('login_hint must be a CPF of 11 or a CNPJ of 14 characters, without punctuation.');
  return undefined;
}

const isBareIdentifier = (text: string): boolean => parseTaxpayer(text)?.number === text;

type Origin = { readonly redirectUri: string; readonly state: string };

/** The client's address with an error. @example refusalLocation(request, 'access_denied') */
export const refusalLocation = (origin: Origin, error: RedirectError, reason = ''): string =>
  locationOf(origin, {
    error,
    error_description: `${providerErrors.text(error) ?? ''} ${reason}`.trim(),
  });

/** The client's address with these values, beside those that it has. */
export function locationOf({ redirectUri, state }: Origin, values: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(values)) url.searchParams.append(name, value);
  if (state !== '') url.searchParams.append('state', state);
  return url.href;
}
