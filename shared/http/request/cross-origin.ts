import { commonSettings } from '../../settings/common.ts';

// RFC 9110, 9.2.1
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Whether a call by this method changes something. */
export const isChange = (method: string): boolean => !SAFE_METHODS.includes(method);

/**
 * Whether a browser says that a page of another origin made it send the request. No header at all is no browser, such
 * as curl. It does not cover pages of this origin: every service of one root is trusted.
 * @example if (isCrossOrigin(headers)) throw errors.refuse('auth.cross-origin');
 */
export function isCrossOrigin(headers: Readonly<Record<string, string>>): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  // Before Origin: a form of a page with `Referrer-Policy: no-referrer` is sent with `Origin: null` to its own origin.
  // `same-site` is another host of the same domain, or another port.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && origin !== new URL(commonSettings['Http:PublicUrl']).origin;
}
