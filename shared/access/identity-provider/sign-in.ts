import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';
import * as z from 'zod';
import { logger } from '../../log/logger.ts';
import { FetchFailed } from '../../net/errors.ts';
import type { ServiceName } from '../../settings/names.ts';
import { createPending, takePending } from './pending-sign-in.ts';
import {
  authorizationUrl,
  callbackUrl,
  exchangeCode,
  findProvider,
  type IdpClient,
  type KnownProvider,
} from './provider.ts';

type BeginResult =
  | { readonly outcome: 'begun'; readonly location: string; readonly cookie: string }
  | { readonly outcome: 'noProvider' | 'unreachable' };

/** Begins a sign-in: where the browser goes, and the cookie that it comes back with. */
export async function beginSignIn(
  client: IdpClient,
  { returnPath }: { readonly returnPath: string },
  nowMs: number,
): Promise<BeginResult> {
  if (client.settings['Idp:Authority'] === undefined) return { outcome: 'noProvider' };
  const provider = await findReachable(client);
  if (!provider) return { outcome: 'unreachable' };
  const { authority } = provider;
  const { checks, cookie } = await createPending(client.service, { authority, returnPath }, nowMs);
  return { outcome: 'begun', location: await authorizationUrl(client, provider, checks), cookie };
}

async function findReachable(client: IdpClient): Promise<KnownProvider | undefined> {
  try {
    return await findProvider(client);
  } catch (error) {
    logFailure(client.service, 'The identity provider cannot be used: nobody can sign in.', error);
    return undefined;
  }
}

type Query = Readonly<Record<string, string | string[]>>;

type ProviderAnswer = {
  /** The parameters of the provider's answer, as they came. */
  readonly query: Query;
  /** The cookie of the browser that began the sign-in. */
  readonly cookie: string | undefined;
};

/** The claims of an ID token. */
export type Claims = Readonly<Record<string, unknown>>;

/** Who the provider says that came back. `wasBegun`: the sign-in was one of this browser, and is over. */
type EndResult =
  | {
      readonly outcome: 'identified';
      readonly address: string;
      readonly claims: Claims;
      readonly returnPath: string;
    }
  | { readonly outcome: 'failed'; readonly wasBegun: boolean };

/** Ends a sign-in with the provider's answer. One that is not right is a failure, which does not say why. */
export async function endSignIn(
  client: IdpClient,
  { query, cookie }: ProviderAnswer,
  nowMs: number,
): Promise<EndResult> {
  const authority = client.settings['Idp:Authority'];
  const { state } = query;
  if (authority === undefined || typeof state !== 'string') return { outcome: 'failed', wasBegun: false };
  const pending = await takePending(client.service, { state, cookie, authority }, nowMs);
  if (!pending) return { outcome: 'failed', wasBegun: false };
  try {
    const provider = await findProvider(client);
    const claims =
      provider && (await exchangeCode(client, provider, answerOf(client, query), { ...pending, state }));
    const claim = client.settings['Idp:AddressClaim'];
    const address = claims && addressIn(claims, claim);
    if (!claims || address === undefined)
      throw new Error(
        `The ID token has no address in its claim ${claim} that the provider vouches for: see Idp:AddressClaim.`,
      );
    return { outcome: 'identified', address, claims, returnPath: pending.returnPath };
  } catch (error) {
    logFailure(client.service, 'A sign-in by the identity provider failed.', error);
    return { outcome: 'failed', wasBegun: true };
  }
}

/** The address that the provider sent the browser to. Made of the settings: a Host header is the caller's. */
function answerOf(client: IdpClient, query: Query): URL {
  const url = callbackUrl(client);
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat()) url.searchParams.append(name, value);
  return url;
}

const Address = z.email().max(254);

/** The address that the provider vouches for, in lower case: people are known by theirs. */
// Account takeover: at many providers anybody writes any address or user name into their profile. Some send the flag as
// text.
function addressIn(claims: Claims, claim: string): string | undefined {
  const { [claim]: address, email_verified: verified } = claims;
  const isRefused = verified === false || verified === 'false';
  const isVouchedFor = claim === 'email' ? verified === true || verified === 'true' : !isRefused;
  return isVouchedFor ? Address.safeParse(address).data?.trim().toLowerCase() : undefined;
}

// An error code of RFC 6749, 4.1.2.1 and 5.2. Other texts of an answer are dropped: anybody can write them.
const OAUTH_ERROR = /^[a-z_]{1,40}$/;

/**
 * Tells whoever runs the service why a sign-in failed. Causes of the library's errors are left out, because they hold
 * answers, codes and tokens; that of a call without an answer names the host alone.
 */
function logFailure(service: ServiceName, event: string, error: unknown): void {
  const { cause } = error as { readonly cause?: unknown };
  const { name, message, code } = (cause instanceof FetchFailed ? cause : error) as Partial<
    Error & { code: unknown }
  >;
  const answered = error instanceof AuthorizationResponseError || error instanceof ResponseBodyError;
  const providerError = answered && OAUTH_ERROR.test(error.error) ? error.error : undefined;
  logger(service).warn(event, { failure: name, failureCode: code, reason: message, providerError });
}
