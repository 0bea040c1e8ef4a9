import { type Setting, text } from '../settings/kinds.ts';

/**
 * A setting with the origins that may embed a page in a frame. Empty allows this host only.
 * @example 'ActionUrls:EmbedOrigins': frameOrigins('Who may embed the page.')
 */
export const frameOrigins = (why: string): Setting<string> => ({
  ...text('', why),
  unit: 'origins',
  parse: (given) =>
    given
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(originOf)
      .join(' '),
});

// CSP injection: a host in a URL may contain a character that ends a directive, such as a semicolon.
const PLAIN_HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/;

/** The origin that a text is, as browsers write it; undefined for a text that is more or less than one. */
export function parseOrigin(given: string): string | undefined {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  return isOrigin && PLAIN_HOST.test(url.host) ? url.origin : undefined;
}

function originOf(given: string): string {
  const origin = parseOrigin(given);
  if (origin !== undefined) return origin;
  throw new Error('must be http or https origins, such as https://app.example, with commas between');
}

/** The value of `frame-ancestors` for these origins. @example frameAncestorsOf([]) // "'self'" */
export const frameAncestorsOf = (origins: readonly string[]): string => ["'self'", ...origins].join(' ');
