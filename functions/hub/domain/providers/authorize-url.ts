import type { Provider } from './provider.ts';

export type SessionType = 'SingleSignature' | 'MultiSignature' | 'SignatureSession' | 'AuthenticationSession';

const SCOPES: Readonly<Record<SessionType, string>> = {
  SingleSignature: 'single_signature',
  MultiSignature: 'multi_signature',
  SignatureSession: 'signature_session',
  AuthenticationSession: 'authentication_session',
};

export type AuthorizeRequest = {
  readonly state: string;
  /** Of S256. */
  readonly codeChallenge: string;
  readonly type: SessionType;
  readonly lifetimeSeconds: number;
  /** A CPF or CNPJ, with its leading zeros. */
  readonly loginHint?: string | undefined;
  /** The hub's own, registered at the provider. */
  readonly redirectUri: string;
};

/** Where a user is sent to let the hub act for them at this provider. */
export function authorizeUrl({ baseUrl, clientId }: Provider, authorization: AuthorizeRequest): string {
  const { state, codeChallenge, type, lifetimeSeconds, loginHint, redirectUri } = authorization;
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    scope: SCOPES[type],
    lifetime: String(lifetimeSeconds),
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...(loginHint !== undefined && { login_hint: loginHint }),
  });
  return `${baseUrl}/authorize?${query}`;
}
