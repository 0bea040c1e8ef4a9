import { isIP } from 'node:net';
import { FetchFailed } from './errors.ts';

/** The longest address that is called. Servers refuse longer ones, and logs quote some of them. */
const MAX_CHARACTERS = 8_192;

/** Parses an http or https address without a user name. The host is normalized, numeric forms of IPv4 included. */
export function parseHttpUrl(text: string): URL {
  const url = text.length <= MAX_CHARACTERS && URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new FetchFailed('bad-address', 'The address is not an absolute http or https address.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new FetchFailed(
      'bad-address',
      `The address uses ${url.protocol}; only http and https are allowed.`,
    );
  if (url.username || url.password)
    throw new FetchFailed('bad-address', 'The address contains a user name or password. Remove it.');
  return url;
}

/** The host as an IP address, if it is one: `[::1]` without brackets. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) ? bare : undefined;
}
