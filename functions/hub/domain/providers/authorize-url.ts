import type { SessionType } from '../../contract.ts';
import type { Provider } from './provider.ts';

const SCOPES: Readonly<Record<SessionType, string>> = {
  SingleSignature: 'single_signature',
  MultiSignature: 'multi_signature',
  SignatureSession: 'signature_session',
  AuthenticationSession: 'authentication_session',
};

export type AuthorizeRequest = {
  readonly state: string;
  /** RFC 7636, method S256. */
  readonly codeChallenge: string;
  readonly type: SessionType;
  readonly lifetimeSeconds: number;
  /** A CPF or CNPJ, with leading zeros. */
  readonly loginHint?: string | undefined;
  /** The hub's own address, registered at the provider. */
  readonly redirectUri: string;
};

/** The address where a user authorizes the hub at this provider. */
export function authorizeUrl({ baseUrl, clientId }: Provider, request: AuthorizeRequest): string {
  const { state, codeChallenge, type, lifetimeSeconds, loginHint, redirectUri } = request;
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
