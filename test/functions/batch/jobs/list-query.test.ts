import { beforeEach, expect, test, vi } from 'vitest';
import { handler as listJobs } from '../../../../functions/batch/jobs/endpoints/list-jobs.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { call } from '../../../requests/http-event.ts';

beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
});

test.each([
  ['page', '0'],
  ['page', '10737419'],
  ['page', '0x10'],
  ['page', '1e1'],
  ['page', ' 7'],
  ['page', ''],
  ['pageSize', '201'],
  ['pageSize', '1.5'],
  ['status', 'waiting'],
  ['source', 'Email'],
  ['from', '2026-02-30T00:00:00'],
  ['to', 'yesterday'],
  ['sort', 'name'],
])('a list of jobs with %s=%s is refused with validation.filter-invalid', async (name, value) => {
  const answer = await call(listJobs, { headers: { 'X-API-Key': SANDBOX_KEY }, query: { [name]: value } });
  expect(answer.status).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'validation.filter-invalid' });
});

test('an unreadable time is told what a time looks like', async () => {
  const query = { from: '17/11/2026' };
  const answer = await call(listJobs, { headers: { 'X-API-Key': SANDBOX_KEY }, query });
  const sentence = 'must be an ISO 8601 time (2026-03-02T12:00:00Z) or a date; without a zone it is in UTC';
  expect(answer.json()).toMatchObject({ errors: { from: [sentence] } });
});
