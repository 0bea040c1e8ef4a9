import { describe, expect, test } from 'vitest';
import { deadlineIn } from '../../../shared/async/deadline.ts';
import type { Cloud } from '../../../shared/hub/cloud.ts';
import { HubRefused, HubUnreachable } from '../../../shared/hub/errors.ts';
import { cloudHolder } from '../../../shared/hub/holder.ts';
import { returnFromProvider } from '../../../shared/hub/return.ts';
import {
  type CloudVisit,
  newVisit,
  VISIT_MS,
  visitCookie,
  visitOf,
  visitsIn,
} from '../../../shared/hub/visit.ts';

const BACK = '/documents/document/key/K/action?ticket=T';
const SESSION = 'a-session-of-the-hub';

const cookiesOf = (...visits: CloudVisit[]): Record<string, string> =>
  Object.fromEntries(
    visits.map((visit) => visitCookie('documents', visit)).map(({ name, value }) => [name, value]),
  );
const aVisit = (more: Partial<CloudVisit> = {}): CloudVisit => ({
  ...newVisit({ back: BACK, language: 'en' }, Date.now()),
  ...more,
});

/** A hub that answers as it is told. */
const hubThat = (answer: { state?: string; certificate?: () => never }): Cloud =>
  ({
    stateOf: async () => answer.state,
    logFailure: () => undefined,
    isOffered: () => true,
    begin: async () => ({ outcome: 'begun', providers: [] }),
    hub: { certificateOf: async () => answer.certificate?.() },
  }) as unknown as Cloud;
const returned = (cookies: Record<string, string>, query: object, state?: string) =>
  returnFromProvider(
    'documents',
    hubThat(state === undefined ? {} : { state }),
    { cookies, query: { ...query } },
    deadlineIn(1_000, Date.now),
  );
const visitAfter = (result: Awaited<ReturnType<typeof returned>>): CloudVisit | undefined => {
  const [cookie] = result?.cookies ?? [];
  return cookie && visitOf(BACK, { [cookie.name]: cookie.value });
};

describe('a return from a provider', () => {
  test('leads back to the page in its language, with the session in the cookie of its visit', async () => {
    const visit = aVisit({ language: 'pt-BR' });
    const result = await returned(cookiesOf(visit), { session: SESSION }, visit.id);
    expect(result?.back).toBe(`${BACK}&lang=pt-BR`);
    expect(visitAfter(result)).toEqual({ ...visit, state: 'Allowed', session: SESSION });
  });

  test.each([
    ['of a visit of another browser', 'another', { session: SESSION }],
    ['that the hub does not know', undefined, { session: SESSION }],
    ['that is given twice', 'another', { session: [SESSION, SESSION] }],
    ['that is too long', 'another', { session: 'x'.repeat(3_000) }],
  ])('with a session %s changes nothing', async (_, state, query) => {
    expect(await returned(cookiesOf(aVisit()), query, state)).toMatchObject({ cookies: [] });
    expect(await returned({}, query, state)).toBeUndefined();
  });

  test('is taken once: a visit that has its session takes no other', async () => {
    const visit = aVisit({ state: 'Allowed', session: SESSION });
    expect(await returned(cookiesOf(visit), { session: 'another' }, visit.id)).toMatchObject({ cookies: [] });
  });

  test.each([
    ['access_denied', 'Denied'],
    ['provider_error', 'Failed'],
  ])('with the error %s ends the newest visit that is away', async (error, state) => {
    const visits = [aVisit(), aVisit({ back: '/documents/document/key/OLD/action', begunAtMs: 1 })];
    expect(visitAfter(await returned(cookiesOf(...visits), { error }))).toMatchObject({ state });
  });

  test.each([
    '//evil.example/',
    'https://evil.example/',
    '/batch/jobs',
    '/documents/../batch',
    '/documents/\\evil',
  ])('leads nowhere else: %s', async (back) => {
    const visit = aVisit({ back });
    expect(await returned(cookiesOf(visit), { session: SESSION }, visit.id)).toBeUndefined();
  });
});

describe('a visit', () => {
  const look = (visit: CloudVisit, certificate: () => never, now = Date.now) =>
    cloudHolder('documents', hubThat({ certificate })).look(
      { back: BACK, cookies: cookiesOf(visit) },
      deadlineIn(1_000, now),
    );
  const refuse = (code: string) => () => {
    throw new HubRefused(422, code);
  };

  test('is over after a quarter of an hour, also for a hub that would still sign', async () => {
    const visit = aVisit({ state: 'Allowed', session: SESSION });
    const late = () => visit.begunAtMs + VISIT_MS;
    expect(await look(visit, refuse('never asked'), late)).toMatchObject({ state: 'expired', cookies: [] });
  });

  test('ends with a session that the hub refuses, and stays with a hub that does not answer', async () => {
    const visit = aVisit({ state: 'Allowed', session: SESSION });
    const over = await look(visit, refuse('SessionExpired'));
    expect(over.state).toBe('expired');
    expect(visitAfter({ back: '', cookies: over.cookies })).toMatchObject({ state: 'Failed' });
    expect(JSON.stringify(visitAfter({ back: '', cookies: over.cookies }))).not.toContain(SESSION);
    const silent = await look(visit, () => {
      throw new HubUnreachable('No answer.');
    });
    expect(silent).toMatchObject({ state: 'failed', cookies: [] });
  });

  test('is one of a few: the oldest are forgotten, so that a browser does not send too many', async () => {
    const others = [1, 2, 3, 4, 5, 6].map((n) => aVisit({ back: `/documents/${n}`, begunAtMs: n }));
    const begun = await cloudHolder('documents', hubThat({})).begin(
      { back: BACK, cookies: cookiesOf(...others), language: 'en', identifier: undefined, documents: 1 },
      deadlineIn(1_000, Date.now),
    );
    const gone = begun.cookies.filter(({ maxAge }) => maxAge === 0).map(({ name }) => name);
    expect(gone.toSorted()).toEqual(Object.keys(cookiesOf(...others.slice(0, 2))).toSorted());
  });

  test('is read from a cookie that is one, and from nothing else', () => {
    expect(visitsIn({ 'sinete-cloud-x': 'rubbish', other: 'e30', 'sinete-cloud-y': 'e30' })).toEqual([]);
  });
});
