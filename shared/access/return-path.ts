import { commonSettings } from '../settings/common.ts';
import type { ServiceName } from '../settings/names.ts';

/** The path of a service's base URL. Behind a gateway it may begin with a stage. @example basePathOf('batch') // '/batch' */
export const basePathOf = (service: ServiceName): string =>
  `${new URL(commonSettings['Http:PublicUrl']).pathname.replace(/\/$/, '')}/${service}`;

// More than any page of a service needs, and less than any limit of headers.
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
 * @example returnPathBelow('/batch', '/jobs?page=2') // '/batch/jobs?page=2'
 *          returnPathBelow('/batch', '//evil.example') // '/batch/'
 */
export function returnPathBelow(base: string, given: string | undefined): string {
  const home = `${base}/`;
  if (!given || given.length > MAX_CHARACTERS || !LOCAL_PATH.test(given)) return home;
  const [path = ''] = given.split(/[?#]/, 1);
  if (ENCODED_IN_PATH.test(path) || ENCODED_CONTROL.test(given)) return home;
  const isOfHost = path === base || path.startsWith(home);
  const target = new URL(isOfHost ? given : `${base}${given}`, commonSettings['Http:PublicUrl']);
  // The parser has removed dot segments by now. A proxy that strips the base would make `//host` of a double slash.
  if (!target.pathname.startsWith(home) || target.pathname.includes('//')) return home;
  return `${target.pathname}${target.search}${target.hash}`;
}
