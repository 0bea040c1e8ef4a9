import { beforeEach, expect, test, vi } from 'vitest';
import { handler as listJobs } from '../../../../functions/batch/jobs/endpoints/list-jobs.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { call } from '../../../http-event.ts';

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
  ['status', 'queued'],
  ['sort', 'name'],
])('a list of jobs with %s=%s is refused with validation.filter-invalid', async (name, value) => {
  const answer = await call(listJobs, { headers: { 'X-API-Key': SANDBOX_KEY }, query: { [name]: value } });
  expect(answer.status).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'validation.filter-invalid' });
});
