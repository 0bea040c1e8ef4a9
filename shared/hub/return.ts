import type { Deadline } from '../async/deadline.ts';
import type { Cookie } from '../http/response/answer.ts';
import type { ServiceName } from '../settings/names.ts';
import { type Cloud, hubSessionIn } from './cloud.ts';
import { afterEvent, type CloudVisit, servicePath, visitCookie, visitStates, visitsIn } from './visit.ts';

export type ReturnRequest = {
  readonly query: Readonly<Record<string, unknown>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
};

/** Where a person who comes back goes on, and what their browser remembers. */
export type ReturnResult = { readonly back: string; readonly cookies: readonly Cookie[] };

const DENIED = 'access_denied'; // RFC 6749, 4.1.2.1

// Session fixation: anybody can be sent here with a session of somebody else. The hub tells which visit the session was
// created for, and only the browser that began that visit has its cookie:
//
//   Ana's browser   |--begins visit A: cookie A--------------- comes back with a session of A: taken
//   a link to Ana                   |--session of B-- the hub says B, there is no cookie B: nothing changes

/**
 * Takes back a person whom the hub sends. A session goes into the cookie of the visit that it was created for, once. The
 * hub names no visit with an error: it ends the newest one that is away. Undefined where this browser has begun none.
 */
export async function returnFromProvider(
  service: ServiceName,
  cloud: Cloud,
  { query, cookies }: ReturnRequest,
  deadline: Deadline,
): Promise<ReturnResult | undefined> {
  const visits = visitsIn(cookies);
  const session = hubSessionIn(query);
  const away = visits.filter(({ state }) => visitStates.accepts(state, 'allowed'));
  if (session === undefined) {
    const isDenied = query.error === DENIED;
    const [ended] = away;
    if (!ended || query.error === undefined) return unchanged(service, visits[0]);
    return goOn(service, afterEvent(ended, isDenied ? 'denied' : 'failed'));
  }
  const state = await cloud.stateOf(session, {}, deadline);
  const own = away.find(({ id }) => id === state);
  return own ? goOn(service, afterEvent(own, 'allowed', session)) : unchanged(service, visits[0]);
}

const goOn = (service: ServiceName, visit: CloudVisit): ReturnResult | undefined =>
  isOwnPath(service, visit.back)
    ? { back: addressOf(visit), cookies: [visitCookie(service, visit)] }
    : undefined;

/** A return that was seen already, or is not this browser's: its page says how the newest visit stands. */
const unchanged = (service: ServiceName, newest: CloudVisit | undefined): ReturnResult | undefined =>
  newest && isOwnPath(service, newest.back) ? { back: addressOf(newest), cookies: [] } : undefined;

function addressOf({ back, language }: CloudVisit): string {
  const { pathname, searchParams, hash } = new URL(back, 'http://here.invalid');
  searchParams.set('lang', language);
  return `${pathname}?${searchParams}${hash}`;
}

// Open redirect: another host of the domain may write cookies for this one.
const isOwnPath = (service: ServiceName, back: string): boolean =>
  back.startsWith(`${servicePath(service)}/`) &&
  /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(back) &&
  !back.includes('/..');
