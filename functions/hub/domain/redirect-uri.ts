import type { Caller } from '../../../shared/access/caller.ts';
import { errors } from '../errors.ts';

// Mobile applications have schemes of their own. These schemes run, show or open something in the browser itself.
const FORBIDDEN =
  /^(javascript|data|vbscript|blob|file|filesystem|about|view-source|ws|wss|ftp|mailto|tel):/i;
const WITH_A_HOST = /^(https?:\/\/|(?!https?:)[a-z][a-z0-9+.-]*:)/i;

/** Characters that a browser's URL parser drops or rewrites: such an address is not the one that it seems to be. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are the ones to refuse
const MISREAD = /[\u0000-\u0020\u007f\\]/;

/** Whether an operator may register this address. */
export const isRedirectUri = (uri: string): boolean =>
  !MISREAD.test(uri) && WITH_A_HOST.test(uri) && !FORBIDDEN.test(uri) && URL.canParse(uri);

/** Open redirect: users are sent only to an address that is registered for the caller, compared to the letter. */
export function requireRegisteredUri({ registered }: Pick<Caller, 'registered'>, redirectUri: string): void {
  if (!isRedirectUri(redirectUri)) throw errors.refuse('InvalidRedirectUri', { redirectUri });
  if (!registered.redirectUris?.includes(redirectUri))
    throw errors.refuse('UnauthorizedRedirectUri', { redirectUri });
}
