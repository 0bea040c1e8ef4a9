import { basePathOf } from '../../access/return-path.ts';
import type { Call } from '../../http/call.ts';
import { type Answer, redirect } from '../../http/response/answer.ts';
import type { ServiceName } from '../../settings/names.ts';

/** The path with the query, below the path that the browser knows the service by. The choice of a language is no part. */
export function pageAddress(service: ServiceName, { path, query }: Pick<Call, 'path' | 'query'>): string {
  const given = Object.entries(query).flatMap(([name, values]) =>
    name === 'lang' ? [] : [values].flat().map((value): [string, string] => [name, value]),
  );
  const text = new URLSearchParams(given).toString();
  const [, below = ''] = path.split(new RegExp(`^.*?/${service}(?=/|$)`));
  return `${basePathOf(service)}${below}${text && `?${text}`}`;
}

/** Leads to the log-in, and from there to `target`. `hasEnded`: the browser had a session, which is over. */
export function toLogin(service: ServiceName, target: string, hasEnded: boolean): Answer {
  const query = new URLSearchParams({ ReturnUrl: target, ...(hasEnded && { problem: 'session-ended' }) });
  return redirect(`${basePathOf(service)}/login?${query}`, { status: 303 });
}
