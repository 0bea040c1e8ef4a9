import { afterEach, describe, expect, test } from 'vitest';
import { type Job, jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { retryJob } from '../../../../functions/batch/jobs/domain/retry-job.ts';
import { processJob } from '../../../../functions/batch/pipeline/domain/run-pipeline.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { forFile } from '../../../runner/for-file.ts';
import { counted } from './counted.ts';
import { signerStage } from './stage.ts';

const stage = await forFile(signerStage());
afterEach(() => {
  stage.platform.misbehave = () => undefined;
});

const CREATE = 'POST /api/documents';

/** The first job of a chain: its document is created, and every answer is lost. */
async function lost(name: string): Promise<Job> {
  stage.platform.misbehave = (call) =>
    call === CREATE ? 'answer-lost' : call === 'GET /api/documents' ? refusing : undefined;
  const job = await stage.dispatched(name);
  expect(job).toMatchObject({ state: 'Failed', dispatch: { documentId: null } });
  return job;
}

// Answered at once and for good, so that a retry makes one attempt.
const refusing = { status: 422, body: '{"code":"Closed","message":"The service is closed."}' };

async function retried(job: Job): Promise<Job> {
  const { id } = await retryJob(job.id, Date.now());
  await stage.run();
  return stage.job(id);
}

/** Retries a job so many times while the service refuses everything. Answers the retries. */
async function retriedInVain(job: Job, times: number): Promise<Job[]> {
  stage.platform.misbehave = () => refusing;
  const chain: Job[] = [];
  for (let n = 0; n < times; n++) chain.push(await retried(chain.at(-1) ?? job));
  stage.platform.misbehave = () => undefined;
  for (const one of chain) expect(one).toMatchObject({ state: 'Failed', dispatch: { documentId: null } });
  return chain;
}

const isAdopted = async (last: Job | undefined, first: Job): Promise<void> => {
  if (!last) throw new Error('The chain has jobs.');
  const retry = await retried(last);
  expect(retry).toMatchObject({
    state: 'AwaitingSigner',
    dispatch: { documentId: stage.documentOf(first).id },
  });
  expect(stage.platform.of(retry.id)).toEqual([]);
};

// job 1: created, every answer lost. Jobs 2 to n: in vain. The last: finds it by the tag of job 1.
describe('a document whose creation was not answered is taken over', () => {
  test('after many retries in vain', async () => {
    const first = await lost('many.pdf');
    const chain = await retriedInVain(first, 7);
    await isAdopted(chain.at(-1), first);
  });

  test('where the jobs between are deleted: each carries the open dispatches before it', async () => {
    const first = await lost('deleted.pdf');
    const chain = await retriedInVain(first, 3);
    const last = chain.at(-1);
    expect(last?.dispatch?.open?.map(({ jobId }) => jobId)).toEqual([chain[1]?.id, chain[0]?.id, first.id]);
    await commit([first, ...chain.slice(0, -1)].map(({ id }) => jobs.removing(id)));
    await isAdopted(last, first);
  });

  test('with at most twenty carried, of which the oldest stay', async () => {
    const first = await lost('long.pdf');
    const [retry] = await retriedInVain(first, 1);
    if (!retry?.dispatch) throw new Error('It was dispatched.');
    const { open: [oldest] = [] } = retry.dispatch;
    if (!oldest) throw new Error('It carries the first.');
    const younger = Array.from({ length: 19 }, (_, n) => ({ ...oldest, jobId: `younger-${n}` }));
    const stored = await jobs.get(retry.id);
    if (stored) await jobs.change(stored, { dispatch: { ...retry.dispatch, open: [...younger, oldest] } });
    const [next] = await retriedInVain(retry, 1);
    expect(next?.dispatch?.open).toHaveLength(20);
    expect(next?.dispatch?.open?.at(-1)).toEqual(oldest);
  });
});

// worker    |--create: 200 s--|--job: AwaitingSigner refused--|--cancels--|
// another          |--fails the job--|
test('a document whose job another has failed is canceled, though the time of the dispatch is over', async () => {
  const { id } = await stage.upload('raced.pdf', stage.pdf, { profile: 'signer' });
  const claimed = await stage.claim();
  if (!claimed) throw new Error('The job waits.');
  let lateMs = 0;
  stage.platform.misbehave = async (call) => {
    if (call !== CREATE) return undefined;
    lateMs = 200_000;
    const job = await jobs.get(id);
    if (job) await jobs.change(job, { fence: job.fence + 1 });
    return undefined;
  };
  await processJob(claimed, { ...stage.worker, now: () => Date.now() + lateMs });
  expect(stage.documentOf({ id })).toMatchObject({
    status: 'Canceled',
    statusUpdateReason: 'The job was interrupted.',
  });
  await stage.recover();
});

test('the metrics count the jobs that were handed over, by profile', async () => {
  const series = /^bulk_jobs_dispatched_to_signer_total.*"signer"/;
  const before = await counted(series);
  stage.platform.misbehave = (call) => (call === CREATE ? refusing : undefined);
  const refused = await stage.dispatched('refused.pdf');
  expect(refused.state).toBe('Failed');
  expect(await counted(series)).toBe(before);
  stage.platform.misbehave = () => undefined;
  await retried(refused);
  expect(await counted(series)).toBe(before + 1);
});
