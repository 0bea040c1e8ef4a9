import { PENDING_SECONDS } from '../../../../shared/access/identity-provider/pending-sign-in.ts';
import type { Cookie } from '../../../../shared/http/response/answer.ts';
import { batchClient } from '../domain/client.ts';

const NAME = 'lbs-idp';

/** The cookie of the browser that began a sign-in. A second sign-in replaces the first. */
export const pendingIn = (cookies: Readonly<Record<string, string | undefined>>): string | undefined =>
  cookies[NAME];

/** For the callback alone. SameSite=Lax: the provider, another site, sends the browser there by a GET. */
export const pendingCookie = (value: string): Cookie => ({
  name: NAME,
  value,
  path: batchClient.callbackPath(),
  sameSite: 'lax',
  maxAge: value === '' ? 0 : PENDING_SECONDS,
});
