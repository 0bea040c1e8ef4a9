import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { deletingJob } from '../../../../functions/batch/jobs/domain/job/deleting.ts';
import { jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { jobList } from '../../../../functions/batch/jobs/domain/job/list.ts';
import { handler as getMetrics } from '../../../../functions/compact/endpoints/get-metrics.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { countCalls } from '../../../measure/calls.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { jobsInState } from '../../batch/jobs/jobs-in-state.ts';
import { ask } from '../../batch/jobs/operator.ts';
import { batchStage } from '../../batch/stage.ts';
import { read, uploaded } from '../client.ts';
import { newJobAt } from '../jobs.ts';

const stage = await forFile(batchStage());
vi.stubEnv('Pipeline__MaxConcurrency', '32');

type Metrics = Readonly<Record<string, number>> & {
  readonly jobsBySource: Readonly<Record<string, number>>;
  readonly jobsBySignatureFormat: Readonly<Record<string, number>>;
};
const metrics = async () => (await ask(getMetrics)).json() as Metrics;
const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0);

test('before the first job all numbers are zero, and there is no time', async () => {
  expect(await metrics()).toEqual({
    totalJobs: 0,
    pendingJobs: 0,
    processingJobs: 0,
    completedJobs: 0,
    failedJobs: 0,
    rejectedJobs: 0,
    jobsBySource: { RestApi: 0, WatchedFolder: 0, SignerFolder: 0 },
    jobsBySignatureFormat: { Pades: 0, Cades: 0, Xades: 0 },
    averageProcessingMs: 0,
    lastSuccessfulUtc: null,
    lastFailedUtc: null,
  });
});

test('the eleven numbers and times are of the jobs of both surfaces, and add up to the total', async () => {
  const made = jobsInState(stage);
  const failed = await made.failed('failed.txt');
  const signed = await uploaded('signed.txt');
  await stage.run();
  await made.inState('Processing', 'processing.txt');
  await made.inState('Verifying', 'verifying.txt');
  await made.inState('AwaitingApproval', 'waiting.txt');
  await made.canceled('canceled.txt');
  await newJobAt(Date.UTC(2025, 5, 1), { source: 'WatchedFolder', format: 'Xades', state: 'Completed' });
  await newJobAt(Date.UTC(2025, 6, 1), { source: 'SignerFolder', format: 'Pades', state: 'AwaitingSigner' });
  await uploaded('queued.pdf');

  const found = await metrics();
  expect(found).toEqual({
    totalJobs: 9,
    pendingJobs: 3,
    processingJobs: 2,
    completedJobs: 2,
    failedJobs: 1,
    rejectedJobs: 1,
    jobsBySource: { RestApi: 7, WatchedFolder: 1, SignerFolder: 1 },
    jobsBySignatureFormat: { Pades: 2, Cades: 6, Xades: 1 },
    averageProcessingMs: expect.any(Number),
    lastSuccessfulUtc: (await read(signed)).events.at(-1)?.createdAtUtc,
    lastFailedUtc: new Date((await stage.job(failed.id)).updatedAtMs).toISOString(),
  });
  expect(found.averageProcessingMs).toBeGreaterThan(0);
  expect([sum(found.jobsBySource), sum(found.jobsBySignatureFormat)]).toEqual([9, 9]);
});

test('a deleted job leaves every count, folded or not', async () => {
  const before = await metrics();
  const { id } = await newJobAt(Date.UTC(2025, 7, 1), { format: 'Xades', state: 'Failed' });
  await jobList().fold();
  const job = await jobs.get(id);
  if (job) await commit(deletingJob(job));
  expect(await metrics()).toEqual(before);
  await jobList().fold();
  expect(await metrics()).toEqual(before);
});

test('cost a fixed number of queries', async () => {
  const { byCommand } = await countCalls(() => ask(getMetrics));
  // The rate window, and the key of this address; three shards of the list, three of the metrics and their node, four of each kind of event.
  expect(byCommand).toEqual({ UpdateItem: 2, Query: 3 + 3 + 4 + 4, BatchGetItem: 1 });
});

test('need the key, unless Metrics:RequireApiKey is false', async () => {
  const status = async () => (await call(getMetrics, { address: randomUUID() })).status;
  expect(await status()).toBe(401);
  vi.stubEnv('compact__Metrics__RequireApiKey', 'false');
  expect(await status()).toBe(200);
  vi.stubEnv('compact__Metrics__RequireApiKey', undefined);
  expect(await status()).toBe(401);
});
