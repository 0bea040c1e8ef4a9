import { createHash } from 'node:crypto';
import * as z from 'zod';
import { newSecret } from '../access/secrets.ts';
import type { Cookie } from '../http/response/answer.ts';
import { commonSettings } from '../settings/common.ts';
import type { ServiceName } from '../settings/names.ts';
import { type EventOf, stateMachine } from '../store/state-machine.ts';

/**
 * The states of a person's visit to a provider. Time is compared beside them: a visit that is over is `Expired`,
 * whatever its state.
 */
export const visitStates = stateMachine({
  Away: { allowed: 'Allowed', denied: 'Denied', failed: 'Failed' },
  Allowed: { failed: 'Failed' },
  Denied: {},
  Failed: {},
});

const Visit = z.object({
  /** Given to the hub at the creation, and given back with the session: 256 random bits. */
  id: z.string(),
  /** The page that the person comes back to: a path of the same service. */
  back: z.string(),
  /** The language that the person chose there. */
  language: z.string(),
  state: z.enum(visitStates.states as ['Away', 'Allowed', 'Denied', 'Failed']),
  begunAtMs: z.int(),
  expiresAtMs: z.int(),
  /** The hub's session, in `Allowed` alone. */
  session: z.string().optional(),
});

/**
 * A person's visit to a provider, as their browser remembers it. It is in a cookie that scripts cannot read, and nowhere
 * else: what signs, the hub's session, reaches neither a store nor the address of a page. The cookie is no credential of
 * the document, which opens by its own link.
 */
export type CloudVisit = z.output<typeof Visit>;

/** Enough to find the telephone, and to allow the signature at the provider. */
export const VISIT_MS = 15 * 60_000;
// Longer than a visit lasts, so that a page can say that it is over.
const KEPT_SECONDS = 3_600;

const PREFIX = 'sinete-cloud-';

/** One cookie for each page, so that documents in several tabs do not take each other's place. */
const nameOf = (back: string): string =>
  `${PREFIX}${createHash('sha256').update(back).digest('base64url').slice(0, 16)}`;

export const newVisit = (
  { back, language }: Pick<CloudVisit, 'back' | 'language'>,
  nowMs: number,
): CloudVisit => ({
  id: newSecret(),
  back,
  language,
  state: 'Away',
  begunAtMs: nowMs,
  expiresAtMs: nowMs + VISIT_MS,
});

/** The path of a service. Behind a gateway it may begin with a stage. @example servicePath('pki') // '/pki' */
export const servicePath = (service: ServiceName): string =>
  `${new URL(commonSettings['Http:PublicUrl']).pathname.replace(/\/$/, '')}/${service}`;

/** The cookie of a visit; where it has ended, the one that removes it. */
export const visitCookie = (service: ServiceName, visit: CloudVisit, hasEnded = false): Cookie => ({
  name: nameOf(visit.back),
  value: hasEnded ? '' : Buffer.from(JSON.stringify(visit)).toString('base64url'),
  path: servicePath(service),
  maxAge: hasEnded ? 0 : KEPT_SECONDS,
});

type Cookies = Readonly<Record<string, string | undefined>>;

/** The visit that a page began, if this browser has it. */
export const visitOf = (back: string, cookies: Cookies): CloudVisit | undefined =>
  readVisit(cookies[nameOf(back)]);

/** All visits of a browser, the newest first. */
export const visitsIn = (cookies: Cookies): CloudVisit[] =>
  Object.entries(cookies)
    .flatMap(([name, value]) => (name.startsWith(PREFIX) ? (readVisit(value) ?? []) : []))
    .toSorted((a, b) => b.begunAtMs - a.begunAtMs);

function readVisit(value: string | undefined): CloudVisit | undefined {
  try {
    return Visit.safeParse(JSON.parse(Buffer.from(value ?? '', 'base64url').toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

/** The visit after the event; unchanged where its state does not allow it. A session stays with `allowed` alone. */
export function afterEvent(
  { session: _, ...visit }: CloudVisit,
  event: EventOf<typeof visitStates>,
  session?: string,
): CloudVisit {
  const state = visitStates.next(visit.state, event) ?? visit.state;
  return { ...visit, state, ...(session !== undefined && { session }) };
}
