import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { cookieSessions } from '../../../shared/access/cookie-sessions.ts';
import { newSecret } from '../../../shared/access/secrets.ts';
import { letInFirst } from '../../functions/let-in-first.ts';
import { everyItem } from '../../stores/whole-table.ts';
import { requestsOf } from '../store/requests.ts';

const HOUR_MS = 3_600_000;
const WINDOW_MS = 8 * HOUR_MS;
const START_MS = Date.UTC(2027, 0, 1, 8);
const TENTH_MS = WINDOW_MS / 10;

/** Sessions of a kind of their own, so that no test sees another's. */
function givenSessions() {
  const bound = { to: 'the-operator-key' };
  const kind = `test-${randomUUID()}`;
  const options = { service: 'sandbox', kind, windowMs: () => WINDOW_MS, boundTo: () => bound.to } as const;
  return { sessions: cookieSessions(options), bound, kind };
}

const itemsOf = async (kind: string) =>
  (await everyItem('sandbox')).filter(({ pk }) => pk?.S?.startsWith(kind.toUpperCase()));

test('a session lasts its window, to the millisecond', async () => {
  const { sessions } = givenSessions();
  const value = await sessions.start(undefined, {}, START_MS);
  expect(await sessions.isAlive(value, START_MS)).toBe(true);
  expect(await sessions.isAlive(value, START_MS + WINDOW_MS)).toBe(false);
  expect(await sessions.isAlive(value, START_MS + WINDOW_MS - 1)).toBe(true);
});

test('its use moves the window on, as often as it is used', async () => {
  const { sessions } = givenSessions();
  const value = await sessions.start(undefined, {}, START_MS);
  for (let use = 0; use < 5; use++) {
    expect(await sessions.isAlive(value, START_MS + use * 7 * HOUR_MS)).toBe(true);
  }
  const lastUsedMs = START_MS + 4 * 7 * HOUR_MS;
  expect(await sessions.isAlive(value, lastUsedMs + WINDOW_MS)).toBe(false);
});

test('a request is one read, and writes only when a tenth of the window has passed', async () => {
  const { sessions } = givenSessions();
  const value = await sessions.start(undefined, {}, START_MS);
  const costOf = (nowMs: number) => requestsOf(() => sessions.isAlive(value, nowMs));
  expect(await costOf(START_MS + TENTH_MS)).toEqual({ GetItem: 1 });
  expect(await costOf(START_MS + TENTH_MS + 1)).toEqual({ GetItem: 1, UpdateItem: 1 });
  expect(await costOf(START_MS + TENTH_MS + 2)).toEqual({ GetItem: 1 });
});

test('the store has no value of a cookie and nothing of the secret, and an end for the collector', async () => {
  const { sessions, kind, bound } = givenSessions();
  const value = await sessions.start(undefined, {}, START_MS);
  const [item, ...others] = await itemsOf(kind);
  expect(others).toEqual([]);
  expect(JSON.stringify(item)).not.toContain(value);
  expect(JSON.stringify(item)).not.toContain(bound.to);
  expect(Number(item?.ttl?.N)).toBe((START_MS + WINDOW_MS) / 1000);
});

test('a value has 256 random bits, and none is given twice', async () => {
  const { sessions } = givenSessions();
  const values = await Promise.all(Array.from({ length: 50 }, () => sessions.start(undefined, {}, START_MS)));
  expect(new Set(values).size).toBe(50);
  for (const value of values) expect(Buffer.from(value, 'base64url')).toHaveLength(32);
});

test('an ended session is over at once, for every holder of the cookie', async () => {
  const { sessions } = givenSessions();
  const value = await sessions.start(undefined, {}, START_MS);
  const other = await sessions.start(undefined, {}, START_MS);
  await sessions.end(value);
  expect(await sessions.isAlive(value, START_MS + 1)).toBe(false);
  expect(await sessions.isAlive(other, START_MS + 1)).toBe(true);
});

// A request that renews, and a logout:
//
//   request  |--reads------------------------ renews: refused, the item is gone
//   logout          |--deletes--|
//
// The renewal must not write the item anew.
test('a renewal never brings back a session that ended meanwhile', async () => {
  const { sessions, kind } = givenSessions();
  const value = await sessions.start(undefined, {}, START_MS);
  letInFirst(() => sessions.end(value));
  await sessions.isAlive(value, START_MS + 2 * TENTH_MS);
  expect(await itemsOf(kind)).toEqual([]);
  expect(await sessions.isAlive(value, START_MS + 2 * TENTH_MS)).toBe(false);
});

test('two requests that renew at once both pass', async () => {
  const { sessions } = givenSessions();
  const value = await sessions.start(undefined, {}, START_MS);
  letInFirst(() => sessions.isAlive(value, START_MS + 2 * TENTH_MS));
  expect(await sessions.isAlive(value, START_MS + 2 * TENTH_MS)).toBe(true);
  expect(await sessions.isAlive(value, START_MS + 2 * TENTH_MS + WINDOW_MS - 1)).toBe(true);
});

test('another secret ends every session', async () => {
  const { sessions, bound } = givenSessions();
  const values = [
    await sessions.start(undefined, {}, START_MS),
    await sessions.start(undefined, {}, START_MS),
  ];
  bound.to = 'another-operator-key';
  for (const value of values) expect(await sessions.isAlive(value, START_MS + 1)).toBe(false);
});

test('session fixation: a value that the browser had before is never taken over, and its session ends', async () => {
  const { sessions } = givenSessions();
  const planted = newSecret();
  const first = await sessions.start(planted, {}, START_MS);
  expect(first).not.toBe(planted);
  expect(await sessions.isAlive(planted, START_MS)).toBe(false);
  const second = await sessions.start(first, {}, START_MS);
  expect(await sessions.isAlive(first, START_MS)).toBe(false);
  expect(await sessions.isAlive(second, START_MS)).toBe(true);
});

test('a session of one kind serves no other', async () => {
  const [one, other] = [givenSessions().sessions, givenSessions().sessions];
  expect(await other.isAlive(await one.start(undefined, {}, START_MS), START_MS)).toBe(false);
});

test.each(['', 'short', `${newSecret()}=`, `${newSecret()}\u0000`, '../'.repeat(14)])(
  'what is no value of a session costs no read: %j',
  async (text) => {
    const { sessions } = givenSessions();
    const requests = await requestsOf(async () => {
      expect(await sessions.isAlive(text, START_MS)).toBe(false);
      await sessions.end(text);
    });
    expect(requests).toEqual({});
  },
);
