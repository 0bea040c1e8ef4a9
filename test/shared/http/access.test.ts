import { expect, test } from 'vitest';
import * as z from 'zod';
import { apiKey } from '../../../shared/http/authentication/api-key.ts';
import type { FixedAccess } from '../../../shared/http/declaration.ts';
import { openApiDocument } from '../../../shared/http/reference/openapi.ts';
import { call } from '../../requests/http-event.ts';
import { requestsOf } from '../store/requests.ts';
import { givenKey, sample } from './sample.ts';

let access: FixedAccess = 'key';
// Of another table than the sandbox's, whose gate other tests fill.
const bounded = sample({
  name: 'credentials',
  authenticate: apiKey('credentials'),
  applicationLimits: () => ({ callsPerMinute: 2, concurrency: 2, queueLimit: 3, waitMs: 60_000 }),
  admission: () => ({ limit: 2, queueLimit: 2, waitMs: 60_000 }),
  tags: { figures: 'Figures.' },
});
const whoCalls = bounded.endpoint(
  {
    route: 'GET /who',
    summary: 'Who calls',
    tag: 'figures',
    answers: { 200: z.object({ application: z.string() }) },
    access: () => access,
  },
  async ({ caller }) => ({ application: caller.application }),
);

test('an operation whose access is a function asks for the key while the function says so', async () => {
  access = 'key';
  const { text, application } = await givenKey('credentials');
  expect((await call(whoCalls)).status).toBe(401);
  const known = await call(whoCalls, { headers: { 'x-api-key': text } });
  expect([known.status, known.json()]).toEqual([200, { application: application.name }]);
});

test('while the function says public it looks at no key, counts no application and reads no store', async () => {
  access = 'public';
  const { text } = await givenKey('credentials');
  const requests = await requestsOf(async () => {
    for (const key of [[], [text], ['sandbox|wrong']]) {
      const { status, json } = await call(whoCalls, { headers: { 'x-api-key': key } });
      expect([status, json()]).toEqual([200, { application: '' }]);
    }
  });
  expect(requests).toEqual({});
});

test('the contract document says that the key may be asked for, whatever the setting says now', () => {
  for (const now of ['key', 'public'] as const) {
    access = now;
    const operations = [{ name: 'who-calls', declaration: whoCalls.declaration }];
    const { paths } = openApiDocument(bounded, operations, {}, '0.0.0') as {
      paths: Record<string, Record<string, { security: object[]; responses: object }>>;
    };
    const { security, responses } = paths['/who']?.get ?? {};
    expect(security).toEqual([{ key: [] }, {}]);
    expect(responses).toHaveProperty('401');
  }
});
