import { FetchFailed } from './errors.ts';
import type { Call, GuardedAnswer } from './request.ts';
import { parseHttpUrl } from './url.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * The call that a redirect leads to, or undefined. A POST is not redirected: its body would reach an address that its
 * sender never named.
 */
export function redirectOf(
  call: Call,
  { status, headers }: GuardedAnswer,
  followed: number,
): Call | undefined {
  const { method = 'GET', redirects = 0, url } = call;
  const isFollowed = redirects > 0 && (method === 'GET' || method === 'HEAD');
  if (!isFollowed || !REDIRECTS.has(status) || typeof headers.location !== 'string') return undefined;
  if (followed >= redirects)
    throw new FetchFailed(
      'too-many-redirects',
      `The host ${url.host} redirects more often than is followed.`,
    );
  const to = URL.canParse(headers.location, url.href) ? new URL(headers.location, url) : undefined;
  const next = parseHttpUrl(to?.href ?? '');
  if (url.protocol === 'https:' && next.protocol === 'http:')
    throw new FetchFailed(
      'bad-address',
      `The host ${url.host} redirects from https to http, which is not followed.`,
    );
  // Headers may hold the first host's credentials.
  return { ...call, url: next, headers: next.origin === url.origin ? call.headers : {} };
}
