import { randomUUID } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { handler as getHealth } from '../../../../functions/compact/endpoints/get-health.ts';
import { handler as getJob } from '../../../../functions/compact/endpoints/get-job.ts';
import { handler as getOutput } from '../../../../functions/compact/endpoints/get-job-output.ts';
import { handler as getLiveness } from '../../../../functions/compact/endpoints/get-liveness.ts';
import { handler as getMetrics } from '../../../../functions/compact/endpoints/get-metrics.ts';
import { handler as getReady } from '../../../../functions/compact/endpoints/get-ready.ts';
import { handler as listJobs } from '../../../../functions/compact/endpoints/list-jobs.ts';
import { handler as retry } from '../../../../functions/compact/endpoints/retry-job.ts';
import { handler as uploadFile } from '../../../../functions/compact/endpoints/upload-file.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { formData } from '../../../shared/http/body/form-data.ts';
import { ask } from '../../batch/jobs/operator.ts';
import { batchStage } from '../../batch/stage.ts';
import { headers, named } from '../client.ts';

await forFile(batchStage());
afterEach(() => void vi.useRealTimers());

test('61 calls in a minute: the last gets 429 with Retry-After, whatever the operations were', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2027, 0, 1, 12, 0, 20) });
  const address = randomUUID();
  const unknown = { params: { jobId: randomUUID() }, address };
  const calls = [
    () => ask(uploadFile, { headers, address, body: formData(named(`${randomUUID()}.txt`)) }),
    () => ask(listJobs, { address }),
    () => ask(getJob, unknown),
    () => ask(getOutput, unknown),
    () => ask(retry, { method: 'POST', ...unknown }),
    () => ask(getMetrics, { address }),
    () => call(getHealth, { address }),
    () => call(getReady, { address }),
  ];
  const statuses: number[] = [];
  for (let n = 0; n < 60; n += 1) statuses.push((await calls[n % calls.length]?.())?.status ?? 0);
  expect(new Set(statuses)).toEqual(new Set([202, 200, 404]));
  expect(statuses.slice(6, 8)).toEqual([200, 200]);
  for (const next of calls) {
    const answer = await next();
    expect([answer?.status, answer?.headers['retry-after']]).toEqual([429, '40']);
    expect(answer?.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer?.json()).toMatchObject({ code: 'rate-limited', status: 429 });
  }
  expect((await ask(listJobs, { address: randomUUID() })).status).toBe(200);
  expect((await call(getLiveness, { address })).status).toBe(200);
  vi.setSystemTime(Date.UTC(2027, 0, 1, 12, 1, 0));
  expect((await ask(listJobs, { address })).status).toBe(200);
});

test('calls with a wrong key, or none, count for the limit: the 61st is refused before its key is compared', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2027, 0, 2, 12, 0, 20) });
  const address = randomUUID();
  for (let n = 0; n < 30; n += 1) {
    expect((await call(listJobs, { address })).status).toBe(401);
    expect((await call(listJobs, { address, headers: { 'X-API-Key': `wrong-${n}` } })).status).toBe(401);
  }
  const guess = await call(listJobs, { address, headers: { 'X-API-Key': 'wrong' } });
  expect([guess.status, guess.headers['retry-after']]).toEqual([429, '40']);
  expect((await ask(listJobs, { address })).status).toBe(429);
});
