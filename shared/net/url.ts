import { isIP } from 'node:net';
import { FetchFailed } from './errors.ts';

/** The longest address that is called. Servers refuse longer ones, and some of ours are quoted in logs. */
const MAX_CHARACTERS = 8_192;

/** An http or https address with no user name in it; its host is in one normal form, numbers included. */
export function parseHttpUrl(text: string): URL {
  const url = text.length <= MAX_CHARACTERS && URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new FetchFailed('bad-address', 'The address is not an absolute http or https address.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new FetchFailed(
      'bad-address',
      `The address uses ${url.protocol} where only http and https are called.`,
    );
  if (url.username || url.password)
    throw new FetchFailed('bad-address', 'The address carries a user name or password. Give it without.');
  return url;
}

/** The host as an IP address, when it is one: `[::1]` without its brackets. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) ? bare : undefined;
}
