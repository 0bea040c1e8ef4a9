import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type EventType, recordingEvent } from '../../../../functions/batch/operations/domain/events.ts';
import { listEvents } from '../../../../functions/batch/operations/domain/list-events.ts';
import { handler as getEvents } from '../../../../functions/batch/operations/endpoints/list-events.ts';
import { EVENT_TYPES } from '../../../../functions/batch/operations/event-types.ts';
import { handler as pause } from '../../../../functions/batch/pipeline/endpoints/pause-pipeline.ts';
import { handler as resume } from '../../../../functions/batch/pipeline/endpoints/resume-pipeline.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { call, type Request } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { requestsOf } from '../../../shared/store/requests.ts';
import { ownStores } from '../../own-stores.ts';

type Listed = { items: { message: string; type: string }[]; totalCount: number };

const headers = { 'X-API-Key': SANDBOX_KEY };
const ask = async (query: Request['query'] = {}) => {
  const { status, json } = await call(getEvents, { headers, query });
  return { status, body: json() as Listed & { code: string; errors: Record<string, string[]> } };
};
const messagesOf = async (query: Request['query']) => {
  const { status, body } = await ask(query);
  expect(status).toBe(200);
  return [body.items.map(({ message }) => message), body.totalCount];
};

const NOON_MS = Date.UTC(2026, 2, 2, 12);
const at = (seconds: number) => new Date(NOON_MS + seconds * 1_000).toISOString();
const jobId = randomUUID();

// One per second: created 0, failed 1, created 2 and so on.
const COUNT = 210;
const typeOf = (n: number): EventType => (n % 2 === 0 ? 'JobCreated' : 'JobFailed');
const eventOf = (n: number) => ({
  type: typeOf(n),
  message: `Número ${n}`,
  ...(n === 7 && { jobId, profileName: 'remessas', code: 'job.signing-failed', by: 'operator' }),
  ...(n === 9 && { message: `Número 9 ${'ç'.repeat(600)} fim` }),
});

await forFile(ownStores());
for (let from = 0; from < COUNT; from += 10) {
  const some = Array.from({ length: 10 }, (_, n) => from + n);
  await commit(some.flatMap((n) => recordingEvent(eventOf(n), NOON_MS + n * 1_000)));
}
beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('GET /api/events', () => {
  test('lists events newest first, 50 on a page, with all fields', async () => {
    const { body } = await ask();
    expect(body).toMatchObject({ page: 1, pageSize: 50, totalCount: COUNT });
    expect(body.items.map(({ message }) => message)).toEqual(
      Array.from({ length: 50 }, (_, n) => `Número ${COUNT - 1 - n}`),
    );
    const [event] = (await ask({ text: jobId })).body.items;
    expect(event).toEqual({
      id: expect.any(String),
      timestamp: at(7),
      type: 'JobFailed',
      message: 'Número 7',
      jobId,
      profileName: 'remessas',
      code: 'job.signing-failed',
      by: 'operator',
    });
    expect(body.items[0]).toMatchObject({ jobId: null, profileName: null, code: null, by: null });
  });

  test('filters by type, and by a range of which both ends are included', async () => {
    expect(await messagesOf({ type: 'JobFailed', pageSize: '2' })).toEqual([
      ['Número 209', 'Número 207'],
      105,
    ]);
    expect(await messagesOf({ from: at(3), to: at(5) })).toEqual([['Número 5', 'Número 4', 'Número 3'], 3]);
    expect(await messagesOf({ type: 'jobfailed', pageSize: '1' })).toEqual([['Número 209'], 105]);
    expect(await messagesOf({ from: at(3), to: at(5), type: 'JobCreated' })).toEqual([['Número 4'], 1]);
    expect(await messagesOf({ from: at(COUNT) })).toEqual([[], 0]);
  });

  test('takes a date for the whole day in UTC, and a time with any offset or none, which is UTC', async () => {
    const count = async (query: Request['query']) => (await ask({ ...query, pageSize: '1' })).body.totalCount;
    expect(await count({ from: '2026-03-02', to: '2026-03-02' })).toBe(COUNT);
    expect(await count({ to: '2026-03-01' })).toBe(0);
    expect(await count({ from: '2026-03-03' })).toBe(0);
    expect(await count({ from: '2026-03-02T09:00:00-03:00', to: '2026-03-02T09:00:01-03:00' })).toBe(2);
    expect(await count({ from: '2026-03-02T12:00:00', to: '2026-03-02T12:00:01' })).toBe(2);
    expect(await count({ from: '0000-01-01', to: '9999-12-31' })).toBe(COUNT);
    expect(await count({ to: '9999-12-31T23:59:59-12:00' })).toBe(COUNT);
  });

  test('finds a text in the message, job id, profile, code and actor, whatever its case and accents', async () => {
    const seven = [['Número 7'], 1];
    for (const text of [jobId.toUpperCase(), 'REMESSA', 'signing-fail', 'perator'])
      expect(await messagesOf({ text })).toEqual(seven);
    expect(await messagesOf({ text: 'NUMERO 7', to: at(60) })).toEqual(seven);
    expect(await messagesOf({ text: 'no such text' })).toEqual([[], 0]);
  });

  test('finds a text that the entry of the list had no room for', async () => {
    expect((await ask({ text: 'ccc fim' })).body.totalCount).toBe(1);
  });

  test('pages through what a text matches, and counts all of it', async () => {
    const pageOf = (page: string) => messagesOf({ text: 'mero 20', page, pageSize: '4' });
    expect(await pageOf('1')).toEqual([[209, 208, 207, 206].map((n) => `Número ${n}`), 11]);
    expect(await pageOf('3')).toEqual([['Número 201', 'Número 200', 'Número 20'], 11]);
    expect(await pageOf('4')).toEqual([[], 11]);
    expect(await messagesOf({ text: 'mero 20', from: at(200), to: at(202) })).toEqual([
      ['Número 202', 'Número 201', 'Número 200'],
      3,
    ]);
  });

  test('refuses to search a range of too many events, and asks for a narrower one', async () => {
    const request = { text: 'a', page: 1, pageSize: 50 };
    await expect(listEvents(request, COUNT - 1)).rejects.toMatchObject({
      code: 'validation.filter-invalid',
      fields: [{ field: 'text', message: expect.stringContaining('narrow the range') }],
    });
    await expect(listEvents({ ...request, type: 'JobFailed' }, COUNT - 1)).resolves.toBeDefined();
  });

  test('costs at most 9 calls for a page, and a search of some hundred events as many', async () => {
    const asked: NonNullable<Request['query']>[] = [
      {},
      { page: '3' },
      { type: 'JobFailed', page: '2' },
      { text: 'mero 20' },
    ];
    for (const query of asked) {
      const sent = await requestsOf(() => ask({ ...query, pageSize: '20' }));
      expect(Object.values(sent).reduce((sum, count) => sum + count)).toBeLessThanOrEqual(9);
    }
  });
});

describe('a filter value that is not acceptable is refused, and named', () => {
  test.each<[string, NonNullable<Request['query']>, string]>([
    ['an unknown type', { type: 'JobExploded' }, 'type'],
    ['a time that is none', { from: 'yesterday' }, 'from'],
    ['a time of no clock', { from: '2026-03-02T25:00:00' }, 'from'],
    ['a day that does not exist', { to: '2026-02-30' }, 'to'],
    ['an end before the beginning', { from: '2026-03-02', to: '2026-03-01' }, 'to'],
    ['page 0', { page: '0' }, 'page'],
    ['a page beyond the cap', { page: '10737419' }, 'page'],
    ['a page in another notation', { page: '1e2' }, 'page'],
    ['a negative page', { page: '-1' }, 'page'],
    ['a page with a fraction', { page: '1.5' }, 'page'],
    ['201 on a page', { pageSize: '201' }, 'pageSize'],
    ['none on a page', { pageSize: '0' }, 'pageSize'],
    ['a text of 201 characters', { text: 'x'.repeat(201) }, 'text'],
    ['an empty text', { text: '' }, 'text'],
    ['an empty page', { page: '' }, 'page'],
    ['a repeated type', { type: ['JobCreated', 'JobFailed'] }, 'type'],
    ['a repeated page', { page: ['1', '1'] }, 'page'],
    ['an unknown parameter', { status: 'Failed' }, 'status'],
    ['a parameter in another case', { Page: '1' }, 'Page'],
  ])('%s', async (_, query, field) => {
    const { status, body } = await ask(query);
    expect([status, body.code]).toEqual([400, 'validation.filter-invalid']);
    expect(Object.keys(body.errors)).toEqual([field]);
  });

  test('the last page and the largest page size are accepted', async () => {
    expect(await messagesOf({ page: '10737418', pageSize: '200' })).toEqual([[], COUNT]);
  });
});

test('a pause or resume is recorded in its own write, with who and why; a repeat is not', async () => {
  const act = (action: typeof pause, reason?: string) =>
    call(action, { method: 'POST', headers, address: randomUUID(), ...(reason && { json: { reason } }) });
  // Midnight may pass on the way.
  const from = new Date().toISOString().slice(0, 10);
  for (const step of [() => act(resume), () => act(pause, 'renewal'), () => act(pause), () => act(resume)])
    await step();
  const { body } = await ask({ from });
  expect(body.items.map(({ type, message, ...rest }) => [type, message, 'by' in rest && rest.by])).toEqual([
    ['PipelineResumed', 'The pipeline was resumed.', 'operator'],
    ['PipelinePaused', 'The pipeline was paused: renewal', 'operator'],
  ]);
});

test('event types have short names of their own for their views', () => {
  const names = Object.values(EVENT_TYPES);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => name.length !== 2)).toEqual([]);
});
