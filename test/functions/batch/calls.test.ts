import { randomUUID } from 'node:crypto';
import { afterAll, expect, test, vi } from 'vitest';
import { handler as takeArrivals } from '../../../functions/batch/folders/workers/take-arrivals.ts';
import { JOBS_QUEUE } from '../../../functions/batch/jobs/domain/job/create-job.ts';
import { type Job, jobs, newJob } from '../../../functions/batch/jobs/domain/job/job.ts';
import { changingLists, jobList } from '../../../functions/batch/jobs/domain/job/list.ts';
import { handler as listJobs } from '../../../functions/batch/jobs/endpoints/list-jobs.ts';
import { handler as uploadFile } from '../../../functions/batch/jobs/endpoints/upload-file.ts';
import { handler as processJobs } from '../../../functions/batch/pipeline/workers/process-jobs.ts';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { files } from '../../../shared/files/files.ts';
import { commit } from '../../../shared/store/commit.ts';
import { call } from '../../requests/http-event.ts';
import { fileForm } from '../documents/file-form.ts';
import { always, answeredWith, callLimits, nextEvent } from '../limit-calls.ts';
import { pdfOf } from '../session/pdfs.ts';
import { arrivalOf } from './folders/arrival-stage.ts';
import { batchStage } from './stage.ts';

const { requireAtMost, save } = callLimits();
const headers = { 'X-API-Key': SANDBOX_KEY };
const pdf = pdfOf(100 * 1024);

const PAGE_SIZE = 2;
const PER_PROFILE = 100 * PAGE_SIZE;
const PROFILES = ['default', 'second'];
const APART_MS = 90_000;
const PER_COMMIT = 10;

const stage = await batchStage();
await stage.profile({ name: 'second' });
// As deployed.
vi.stubEnv('Access__CacheSeconds', '5');
vi.stubEnv('Pipeline__MaxConcurrency', '32');
vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
// No commit folds the counts: that work is shared by some 32 of them.
vi.spyOn(Math, 'random').mockReturnValue(0.9);
await listMany();
afterAll(async () => {
  vi.restoreAllMocks();
  await stage.stop();
  save('batch');
});

/** Completed jobs of two profiles over several hours, so that a page far back is found by the counts. */
async function listMany(): Promise<void> {
  const endMs = Date.now() - APART_MS;
  for (let from = 0; from < PROFILES.length * PER_PROFILE; from += PER_COMMIT) {
    const some = Array.from({ length: PER_COMMIT }, (_, n) => listedJob(from + n, endMs));
    await commit(some.flatMap((job) => [jobs.creating(job), ...changingLists(undefined, job)]));
  }
  await jobList().fold();
  for (const profile of PROFILES) await jobList({ profile }).fold();
}

function listedJob(n: number, endMs: number): Job {
  const request = {
    id: randomUUID(),
    fileName: `listed-${n}.bin`,
    originalPath: null,
    folder: null,
    inputShare: null,
    inputKey: null,
    format: 'Cades',
    source: 'Upload',
    parentJobId: null,
    profileName: PROFILES[n % PROFILES.length] ?? '',
    externalReference: null,
    encryption: null,
    encryptionEnabled: false,
  } as const;
  return { ...newJob(request, 'Uploaded.', endMs - n * APART_MS), state: 'Completed' };
}

let uploads = 0;
async function upload(): Promise<string> {
  const form = await fileForm(new File([pdf], `contrato-${++uploads}.pdf`));
  const answer = await call(uploadFile, { headers: { ...headers, ...form.headers }, body: form.body });
  return (answeredWith(202, answer).json() as { jobId: string }).jobId;
}

test('a job from its upload to Completed takes at most 14 calls, that of the rate window among them, and 31 items of transactions', async () => {
  await requireAtMost(
    { calls: 14, items: 31 },
    'batch: an uploaded file',
    always(async () => {
      const id = await upload();
      await processJobs(await nextEvent('batch', JOBS_QUEUE));
      expect(await stage.job(id)).toMatchObject({ state: 'Completed', format: 'Pades' });
    }),
    // The host's receive and delete, and this test's own.
    { ReceiveMessage: 1, DeleteMessage: 1, GetItem: 1 },
  );
});

// The lease is put and removed twice: while the file is staged, and while it is deleted. The copy goes with the second.
test('a file of a folder from its notification to Completed takes at most 21 calls and 34 items of transactions', async () => {
  vi.stubEnv('Storage__Inputs', 'inbox=input/inbox');
  await stage.profile({ name: 'second', inputFolder: 'inbox' });
  let dropped = 0;
  await requireAtMost(
    { calls: 21, items: 34 },
    'batch: a file of a folder',
    async () => {
      const key = `input/inbox/aditivo-${++dropped}.pdf`;
      await files('batch').put(key, pdf, { contentType: 'application/pdf' });
      return async () => {
        await takeArrivals(arrivalOf(key));
        await processJobs(await nextEvent('batch', JOBS_QUEUE));
        expect(await files('batch').head(key)).toBeUndefined();
      };
    },
    { ReceiveMessage: 1, DeleteMessage: 1, HeadObject: 1 },
  );
});

const PAGE_100 = { page: '100', pageSize: String(PAGE_SIZE) };

test.each([
  ['the first page', { page: '1', pageSize: '50' }, 50],
  ['a first page of 200', { page: '1', pageSize: '200' }, 200],
  ['page 100', PAGE_100, PAGE_SIZE],
  ['page 100 of a status', { ...PAGE_100, status: 'Completed' }, PAGE_SIZE],
  ['page 100 of a profile', { ...PAGE_100, profile: 'default' }, PAGE_SIZE],
  ['page 100 of a profile and status', { ...PAGE_100, profile: 'default', status: 'Completed' }, PAGE_SIZE],
  ['the jobs in flight', { status: 'Processing' }, 0],
])('%s of jobs is listed with at most 9 calls', async (what, query, items) => {
  await requireAtMost(
    9,
    `batch list, ${what}`,
    always(async () => {
      const answer = answeredWith(200, await call(listJobs, { headers, query }));
      expect((answer.json() as { items: unknown[] }).items).toHaveLength(items);
    }),
  );
});
