import { commonSettings } from '../../../../shared/settings/common.ts';

/** The path of the service's base URL. Behind a gateway it may begin with a stage. @example basePath() // '/batch' */
export const basePath = (): string =>
  `${new URL(commonSettings['Http:PublicUrl']).pathname.replace(/\/$/, '')}/batch`;

// More than any page of the service needs, and less than any limit of headers.
const MAX_CHARACTERS = 2048;

// Open redirect. Browsers drop tabs and line breaks, read `\` as `/`, and read `//host` as another host: a path is
// printable ASCII, and begins with one slash.
const LOCAL_PATH = /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/;
// A proxy that decodes once more would make of these, encoded any number of times, a slash, a dot or a control.
const ENCODED_IN_PATH = /%(?:25)*(?:2f|5c|2e)/i;
const ENCODED_CONTROL = /%(?:25)*(?:[01][\da-f]|7f)/i;

/**
 * Where a login leads: a path below the base URL, and the base URL's `/` in place of any other. The path may be that of
 * the service or of the host: `/jobs` and `/batch/jobs` are the same.
 * @example safeReturnPath('/jobs?page=2') // '/batch/jobs?page=2'
 *          safeReturnPath('//evil.example') // '/batch/'
 */
export function safeReturnPath(given: string | undefined): string {
  const [base, home] = [basePath(), `${basePath()}/`];
  if (!given || given.length > MAX_CHARACTERS || !LOCAL_PATH.test(given)) return home;
  const [path = ''] = given.split(/[?#]/, 1);
  if (ENCODED_IN_PATH.test(path) || ENCODED_CONTROL.test(given)) return home;
  const isOfHost = path === base || path.startsWith(home);
  const target = new URL(isOfHost ? given : `${base}${given}`, commonSettings['Http:PublicUrl']);
  // The parser has removed dot segments by now. A proxy that strips the base would make `//host` of a double slash.
  if (!target.pathname.startsWith(home) || target.pathname.includes('//')) return home;
  return `${target.pathname}${target.search}${target.hash}`;
}
