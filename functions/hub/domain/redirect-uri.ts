import { errors } from '../errors.ts';

// An application of a telephone has a scheme of its own. These run, show or open something in the browser itself.
const NEVER = /^(javascript|data|vbscript|blob|file|filesystem|about|view-source|ws|wss|ftp|mailto|tel):/i;
const WITH_A_HOST = /^(https?:\/\/|(?!https?:)[a-z][a-z0-9+.-]*:)/i;

/** What a browser's parser drops or reads past: an address that holds it is not the one that it seems to be. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const MISREAD = /[\u0000-\u0020\u007f\\]/;

/** Whether users may be sent to an address at all, once it is registered. */
export const isRedirectUri = (uri: string): boolean =>
  !MISREAD.test(uri) && WITH_A_HOST.test(uri) && !NEVER.test(uri) && URL.canParse(uri);

/** Refuses an address that users must not be sent to: one that is none, or that nobody registered, to the letter. */
export function checkRedirectUri(redirectUri: string, registered: readonly string[] = []): void {
  if (!isRedirectUri(redirectUri)) throw errors.refuse('InvalidRedirectUri', { redirectUri });
  if (!registered.includes(redirectUri)) throw errors.refuse('UnauthorizedRedirectUri', { redirectUri });
}
