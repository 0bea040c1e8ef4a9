import { findRegistered } from '../../../shared/access/applications.ts';
import type { Caller } from '../../../shared/access/caller.ts';
import { errors } from '../errors.ts';

const HTTP = /^https?:$/;

/** Whether people may be sent to an address at all, once it is registered. */
export const isReturnUrl = (address: string): boolean =>
  URL.canParse(address) && HTTP.test(new URL(address).protocol);

/** Refuses an address that people must not be sent to: none of the web, or one that nobody registered, to the letter. */
export function checkReturnUrl(returnUrl: string, { registered }: Caller): void {
  if (!isReturnUrl(returnUrl) || !registered.returnUrls?.includes(returnUrl))
    throw errors.refuse('ReturnUrlNotRegistered', { returnUrl });
}

// A host in a URL may hold what ends a policy's directive, such as a semicolon.
const PLAIN_ORIGIN = /^https?:\/\/([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/;

/** Whether an origin may embed a page at all, once it is registered. */
export const isOrigin = (text: string): boolean => PLAIN_ORIGIN.test(text);

/** Refuses an origin that may not embed the page: one that nobody registered, to the letter, or that is none. */
export function checkTrustedOrigin(trustedOrigin: string, { registered }: Caller): void {
  if (!isOrigin(trustedOrigin) || !registered.trustedOrigins?.includes(trustedOrigin))
    throw errors.refuse('TrustedOriginNotRegistered', { trustedOrigin });
}

type Addresses = { readonly returnUrl: string | null; readonly trustedOrigin: string | null };

/**
 * Those addresses of a session that are still registered. They were checked when it began, and the operator may have
 * taken one back since; of a disabled application none is left.
 */
export async function registeredAddresses(
  application: string,
  { returnUrl, trustedOrigin }: Addresses,
): Promise<Addresses> {
  const { returnUrls = [], trustedOrigins = [] } = await findRegistered('pki', application);
  return {
    returnUrl: returnUrl !== null && returnUrls.includes(returnUrl) ? returnUrl : null,
    trustedOrigin: trustedOrigin !== null && trustedOrigins.includes(trustedOrigin) ? trustedOrigin : null,
  };
}
