import * as z from 'zod';
import { callProvider } from './call-provider.ts';
import { secretOf } from './client-secret.ts';
import type { Provider } from './provider.ts';
import { tokenBodyOf } from './request-body.ts';
import { requireShape } from './shaped.ts';

/** What lets the hub act for a holder at a provider. */
export type ProviderToken = {
  readonly accessToken: string;
  /** From now on. The provider may have granted less than was asked for. */
  readonly expiresInSeconds: number;
  /** As the provider says it, where it does. */
  readonly scope: string | null;
};

// What a header carries unchanged. Tokens of a few kilobytes exist.
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
  /** The one that the user was sent with. */
  readonly redirectUri: string;
  /** What was asked for: it is what holds where the provider does not say. */
  readonly lifetimeSeconds: number;
};

/** Exchanges the code that a user came back with. Throws ProviderFailure. */
export async function exchangeCode(provider: Provider, exchange: CodeExchange): Promise<ProviderToken> {
  const { code, codeVerifier, redirectUri, lifetimeSeconds } = exchange;
  const operation = 'token';
  return callProvider(provider, {
    operation,
    method: 'POST',
    path: '/token',
    body: tokenBodyOf(provider, {
      grant_type: 'authorization_code',
      client_id: provider.clientId,
      client_secret: secretOf(provider),
      code,
      code_verifier: codeVerifier,
      redirect_uri: redirectUri,
    }),
    read: (answer) => {
      const { access_token, expires_in, scope } = requireShape(Token, answer, { provider, operation });
      return {
        accessToken: access_token,
        expiresInSeconds: Math.max(0, Math.floor(expires_in ?? lifetimeSeconds)),
        scope: scope ?? null,
      };
    },
  });
}
