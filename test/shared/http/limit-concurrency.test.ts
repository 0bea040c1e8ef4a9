import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { handler as getStatus } from '../../../functions/session/endpoints/get-status.ts';
import { errors as sessionErrors } from '../../../functions/session/errors.ts';
import { session } from '../../../functions/session/service.ts';
import { processWide } from '../../../shared/async/process-wide.ts';
import { service } from '../../../shared/http/service.ts';
import { tableName } from '../../../shared/settings/names.ts';
import { defineSettings } from '../../../shared/settings/settings.ts';
import { dynamo } from '../../../shared/store/client.ts';
import { keptSlots } from '../../../shared/store/semaphore/kept-slots.ts';
import { distributedSemaphore } from '../../../shared/store/semaphore/semaphore.ts';
import { type Answered, call, lambdaContext } from '../../requests/http-event.ts';
import { givenKey, sample } from './sample.ts';

// Every endpoint of a service shares one gate, so these tests, which run one after another, are the only ones
// that use the sandbox's.
const limits = { limit: 20, queueLimit: 10, waitMs: 0 };
const crowded = service({
  ...session,
  name: 'sandbox',
  settings: defineSettings('sandbox', {}),
  authenticate: sample().authenticate,
  errors: sessionErrors,
  admission: () => limits,
});

// A clock of its own makes it another process, whose timers do not renew in time: they know the real one.
const anotherInstance = () => {
  const startedAtMs = Date.now();
  return distributedSemaphore({ service: 'sandbox', name: 'calls', now: () => startedAtMs });
};

// Longer than any of this takes on a slow machine.
const LIFE_MS = 100_000;

let key: Record<string, string>;
let release: PromiseWithResolvers<void>;
let inside = 0;
let most = 0;

const declaration = { summary: 'Sign', answers: { 200: z.object({}) } } as const;
const hold = crowded.endpoint({ ...declaration, route: 'POST /v1/hold' }, async () => {
  most = Math.max(most, ++inside);
  await release.promise;
  inside--;
  return {};
});
const pass = crowded.endpoint({ ...declaration, route: 'POST /v1/pass' }, async () => ({}));
const health = crowded.endpoint(
  { ...declaration, route: 'GET /v1/health', access: 'public' },
  async () => ({}),
);

const many = (callers: number, handler = hold, headers = key) =>
  Array.from({ length: callers }, () => call(handler, { headers }, lambdaContext(LIFE_MS)));
const newKey = async () => ({ 'X-API-Key': (await givenKey('sandbox')).text });
const statuses = (answers: Answered[]) => Object.groupBy(answers, ({ status }) => String(status));

/** Places that the process keeps after a call would be taken for held ones by the next test. */
async function emptyGate(): Promise<void> {
  await processWide('slots.sandbox/calls', () => keptSlots()).releaseIdle();
  const Key = { pk: { S: 'SEMAPHORE#calls#work#0' }, sk: { S: 'SHARD' } };
  await dynamo().send(new DeleteItemCommand({ TableName: tableName('sandbox'), Key }));
}

beforeEach(async () => {
  await emptyGate();
  Object.assign(limits, { limit: 20, queueLimit: 10, waitMs: 0 });
  release = Promise.withResolvers();
  inside = 0;
  most = 0;
  key ??= await newKey();
});
afterEach(() => {
  release.resolve();
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

// 200 callers at once, 20 places and a queue of 10. Nobody leaves before 170 have been told:
//
//   20 callers  |--in--------------------------------- out--|
//   10 callers  |--queued------------------------------------ in -- out--|
//  170 callers  |--SERVER_BUSY--|
test('of 200 callers at once against 20 + 10 never more than 20 are inside, and 170 are told SERVER_BUSY at once', async () => {
  limits.waitMs = 60_000;
  const refused: Answered[] = [];
  const keys = await Promise.all(Array.from({ length: 10 }, newKey));
  const calls = keys
    .flatMap((headers) => many(20, hold, headers))
    .map(async (answer) => {
      const answered = await answer;
      if (answered.status === 429) refused.push(answered);
      return answered;
    });
  await expect.poll(() => refused.length).toBe(170);
  await expect.poll(() => inside).toBe(20);
  release.resolve();

  const answers = statuses(await Promise.all(calls));
  expect(answers['200']).toHaveLength(30);
  expect(most).toBe(20);
  for (const answered of answers['429'] ?? []) {
    expect(answered.json()).toEqual({
      error: { code: 'SERVER_BUSY', message: sessionErrors.rows.SERVER_BUSY?.[1] },
    });
    expect(answered.headers).not.toHaveProperty('retry-after');
  }
});

test('an application that floods the server leaves a fifth of it, and another one is served', async () => {
  limits.waitMs = 60_000;
  const flood = many(100);
  await expect.poll(() => inside).toBe(16);
  expect((await call(pass, { headers: await newKey() })).status).toBe(200);
  release.resolve();
  const answers = statuses(await Promise.all(flood));
  expect([answers['200']?.length, answers['429']?.length]).toEqual([24, 76]);
  expect(most).toBe(16);
});

// Another instance of the function has taken what this one finds in the store.
test('the places of other instances are shared by application too', async () => {
  const gate = anotherInstance();
  const { text, application } = await givenKey('sandbox');
  const holder = { name: application.name, share: 4 };
  const elsewhere = await Promise.all(Array.from({ length: 20 }, () => gate.acquire({ ...limits, holder })));
  expect(elsewhere.filter(Boolean)).toHaveLength(16);
  expect((await call(pass, { headers: { 'X-API-Key': text } })).status).toBe(429);
  expect((await call(pass, { headers: key })).status).toBe(200);
  for (const ticket of elsewhere) if (ticket) gate.release(ticket);
  const again = () => call(pass, { headers: { 'X-API-Key': text } });
  await expect.poll(async () => (await again()).status).toBe(200);
});

test('the place is given back whether the call is answered, refused or fails', async () => {
  limits.limit = 1;
  for (let n = 0; n < 3; n++) expect((await call(pass, { headers: key })).status).toBe(200);
  const refusing = crowded.endpoint(
    { ...declaration, route: 'POST /v1/refuse', refuses: ['SIGN_TIMEOUT'] },
    async () => Promise.reject(sessionErrors.refuse('SIGN_TIMEOUT')),
  );
  for (let n = 0; n < 3; n++) expect((await call(refusing, { headers: key })).status).toBe(422);
});

test('nobody waits for a place longer than the host lets the call live', async () => {
  Object.assign(limits, { limit: 1, waitMs: 60_000 });
  const holder = call(hold, { headers: key });
  await expect.poll(() => inside).toBe(1);
  // A caller who waited until the host ends the call would get 503.
  const answered = await call(pass, { headers: key }, lambdaContext(1_000));
  expect([answered.status, answered.json()]).toMatchObject([429, { error: { code: 'SERVER_BUSY' } }]);
  release.resolve();
  expect((await holder).status).toBe(200);
});

test('what needs no key is outside the gate, and callers without a key do not reach it', async () => {
  limits.limit = 1;
  const holder = call(hold, { headers: key });
  await expect.poll(() => inside).toBe(1);
  expect((await call(health)).status).toBe(200);
  expect((await call(pass)).status).toBe(401);
  release.resolve();
  await holder;
});

test('the limits of the session server are its settings', async () => {
  vi.stubEnv('Throttle__ConcurrencyLimit', '1');
  vi.stubEnv('Throttle__QueueLimit', '0');
  const headers = { 'X-API-Key': (await givenKey('session')).text };
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => call(getStatus, { headers, query: { sessionId: 'x' } })),
  );
  expect(statuses(answers)['429']?.length).toBeGreaterThan(0);
  // A slot is given back after its answer, and a busy machine takes its time.
  const status = async () => (await call(getStatus, { headers, query: { sessionId: 'x' } })).status;
  await expect.poll(status).toBe(200);
});
