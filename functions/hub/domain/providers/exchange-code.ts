import * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { requireShape } from './answer.ts';
import { callProvider } from './call-provider.ts';
import { secretOf } from './client-secret.ts';
import type { Provider } from './provider.ts';
import { tokenBodyOf } from './request-body.ts';

/** A token with which the hub acts for a holder at a provider. */
export type ProviderToken = {
  readonly accessToken: string;
  /** From now on. The provider may grant less than was requested. */
  readonly expiresInSeconds: number;
  /** As the provider answers it, if it does. */
  readonly scope: string | null;
};

// The characters that a header carries unchanged. Tokens of a few kilobytes exist.
export const AccessToken = z.string().regex(/^[\x21-\x7e]{1,16384}$/);

export const Seconds = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,12}$/)
      .transform(Number),
  ])
  .nullish();

const Token = z.object({ access_token: AccessToken, expires_in: Seconds, scope: z.string().nullish() });

export type CodeExchange = {
  readonly code: string;
  readonly codeVerifier: string;
  /** The redirect URI of the authorize URL. */
  readonly redirectUri: string;
  /** The requested lifetime, which counts where the provider does not answer one. */
  readonly lifetimeSeconds: number;
};

/** Exchanges the code with which a user came back. Throws ProviderFailure. */
export async function exchangeCode(
  caller: Pick<Caller, 'application'>,
  provider: Provider,
  { code, codeVerifier, redirectUri, lifetimeSeconds }: CodeExchange,
  now: () => number,
): Promise<ProviderToken> {
  const operation = 'token';
  const body = tokenBodyOf(provider, {
    grant_type: 'authorization_code',
    client_id: provider.clientId,
    client_secret: await secretOf(provider),
    code,
    code_verifier: codeVerifier,
    redirect_uri: redirectUri,
  });
  const read = (answer: unknown): ProviderToken => {
    const { access_token, expires_in, scope } = requireShape(Token, answer, { provider, operation });
    return {
      accessToken: access_token,
      expiresInSeconds: Math.max(0, Math.floor(expires_in ?? lifetimeSeconds)),
      scope: scope ?? null,
    };
  };
  return callProvider(caller, provider, { operation, method: 'POST', path: '/token', body, read }, now);
}
