import { randomUUID } from 'node:crypto';
import { unzipSync } from 'fflate';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createJob } from '../../../../functions/batch/jobs/domain/job/create-job.ts';
import type { Job, JobErrorCode } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { movingJob } from '../../../../functions/batch/jobs/domain/job/move-job.ts';
import { listJobs } from '../../../../functions/batch/jobs/domain/list-jobs.ts';
import { jobOfUpload } from '../../../../functions/batch/jobs/domain/upload-file.ts';
import { handler as exportJobs } from '../../../../functions/batch/jobs/endpoints/export-jobs.ts';
import { handler as list } from '../../../../functions/batch/jobs/endpoints/list-jobs.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { forFile } from '../../../runner/for-file.ts';
import { batchStage } from '../stage.ts';
import { ask, refusalOf } from './operator.ts';

type Query = Record<string, string | string[]>;
type Page = { items: { id: string; fileName: string }[]; totalCount: number };

const FIRST_MS = Date.parse('2026-03-01T12:00:00Z');
const DAY_MS = 86_400_000;
// Too long for the facts of an entry: whether it matches is read in the job.
const LONG = `${'x'.repeat(700)}-Relatório.pdf`;

const ids = new Map<string, string>();

/** A job of each day, from the first of March on. */
async function make(day: number, fileName: string, more: object = {}): Promise<void> {
  const id = randomUUID();
  const job = { id, fileName, inputKey: `uploads/${id}/x`, format: 'Pades', profileName: 'default' } as const;
  const origin = { message: 'Uploaded.', input: { length: 1, etag: 'x' } };
  await createJob({ ...jobOfUpload(job), ...more }, origin, FIRST_MS + day * DAY_MS);
  ids.set(fileName, id);
}

/** A job of a day that failed at another one. */
async function fail(day: number, failedDay: number, fileName: string, code: JobErrorCode, more: object = {}) {
  const id = randomUUID();
  const job = { id, fileName, inputKey: `uploads/${id}/x`, format: 'Pades', profileName: 'default' } as const;
  const request = { ...jobOfUpload(job), ...more };
  const { after, writes } = movingJob(
    (await createJob(request, { message: 'Uploaded.', input: null }, FIRST_MS + day * DAY_MS)) as Stored<Job>,
    { event: 'pickedUp', message: 'Picked up.' },
    FIRST_MS + failedDay * DAY_MS,
  );
  await commit(writes);
  const failed = movingJob(
    after,
    { event: 'failed', message: 'Failed.', patch: { errorCode: code } },
    FIRST_MS + failedDay * DAY_MS,
  );
  await commit(failed.writes);
}

const stage = await forFile(batchStage());
vi.stubEnv('Pipeline__MaxConcurrency', '32');
await stage.profile({ name: 'other' });
await make(0, 'contrato.pdf', { externalReference: 'pedido-7' });
await make(1, 'Ação.pdf', { profileName: 'other' });
await make(2, 'pasta.pdf', { source: 'WatchedFolder' });
await make(3, LONG);

const namesOf = async (query: Query): Promise<string[]> => {
  const page = (await ask(list, { query })).json() as Page;
  expect(page.totalCount).toBe(page.items.length);
  return page.items.map(({ fileName }) => fileName);
};

describe('a search of jobs', () => {
  test.each<[Query, string[]]>([
    [{ source: 'WatchedFolder' }, ['pasta.pdf']],
    [{ source: 'SignerFolder' }, []],
    [{ text: 'ACAO' }, ['Ação.pdf']],
    [{ text: 'pedido-7' }, ['contrato.pdf']],
    [{ text: 'relatorio' }, [LONG]],
    [{ text: '<b>' }, []],
    [{ profile: 'OTHER', text: 'pdf' }, ['Ação.pdf']],
    [{ profile: 'other', source: 'WatchedFolder' }, []],
    [{ status: 'Queued', source: 'Upload', text: 'contrato' }, ['contrato.pdf']],
    [{ status: 'Processing', text: 'contrato' }, []],
    [{ from: '2026-03-03' }, [LONG, 'pasta.pdf']],
    [{ to: '2026-03-02' }, ['Ação.pdf', 'contrato.pdf']],
    [{ from: '2026-03-02T12:00:00Z', to: '2026-03-02T12:00:00Z' }, ['Ação.pdf']],
    [{ from: '2026-03-02', profile: 'default' }, [LONG, 'pasta.pdf']],
    [{ from: '2026-03-02', to: '2026-03-03', text: 'a' }, ['pasta.pdf', 'Ação.pdf']],
  ])('with %j has the jobs that match every filter', async (query, expected) => {
    expect(await namesOf(query)).toEqual(expected);
  });

  test('finds a job by a part of its id', async () => {
    expect(await namesOf({ text: (ids.get('pasta.pdf') ?? '').slice(0, 18).toUpperCase() })).toEqual([
      'pasta.pdf',
    ]);
  });

  test('counts what matches, not what is on the page', async () => {
    const { items, totalCount } = await listJobs({ text: 'pdf' }, { page: 2, pageSize: 3 });
    expect([items.map(({ fileName }) => fileName), totalCount]).toEqual([['contrato.pdf'], 4]);
  });

  test.each<Query>([
    { source: 'RestApi' },
    { text: '' },
    { text: 'x'.repeat(201) },
    { text: ['a', 'b'] },
    { from: 'yesterday' },
    { to: '2026-02-30' },
    { from: '2026-03-02', to: '2026-03-01' },
  ])('with %j is refused, never wider, and so is the export', async (query) => {
    for (const handler of [list, exportJobs])
      expect(await refusalOf(handler, { query })).toEqual([400, 'validation.filter-invalid']);
  });

  test('that would read too many jobs asks for a narrower range; an index answers the others', async () => {
    const paging = { page: 1, pageSize: 50 };
    await expect(listJobs({ text: 'pdf' }, paging, 3)).rejects.toMatchObject({
      code: 'validation.filter-invalid',
      fields: [{ field: 'from', message: expect.stringContaining('narrow the range') }],
    });
    expect((await listJobs({ text: 'pdf', fromMs: FIRST_MS + DAY_MS }, paging, 3)).totalCount).toBe(3);
    expect((await listJobs({ status: 'Queued', profile: 'default' }, paging, 0)).totalCount).toBe(3);
    expect((await listJobs({ status: 'Failed', error: 'job.interrupted' }, paging, 0)).totalCount).toBe(0);
    expect((await listJobs({ failedFromMs: FIRST_MS }, paging, 0)).totalCount).toBe(0);
  });
});

const exported = async (query: Query): Promise<string[]> => {
  const { bytes } = await ask(exportJobs, { query });
  const sheet = Buffer.from(unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? []).toString();
  const rows = [...sheet.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].slice(1);
  return rows.map(([, row = '']) => [...row.matchAll(/<t [^>]*>(.*?)<\/t>/gs)][1]?.[1] ?? '');
};

describe('the export of a search', () => {
  test('has the same jobs as the list', async () => {
    expect(await exported({ text: 'relatorio' })).toEqual([LONG]);
    expect(await exported({ source: 'Upload', to: '2026-03-02' })).toEqual(['Ação.pdf', 'contrato.pdf']);
    vi.stubEnv('Export__MaxRows', '1');
    // The row that tells of the others has no name.
    expect(await exported({ text: 'a', to: '2026-03-03' })).toEqual(['pasta.pdf', '']);
    vi.stubEnv('Export__MaxRows', '50000');
  });

  test('of a selection has those jobs, newest first, and refuses one that there is not', async () => {
    const id = ['contrato.pdf', 'pasta.pdf'].map((name) => ids.get(name) ?? '');
    expect(await exported({ id })).toEqual(['pasta.pdf', 'contrato.pdf']);
    expect(await exported({ id, source: 'Upload' })).toEqual(['contrato.pdf']);
    const unknown = { query: { id: [...id, randomUUID()] } };
    expect(await refusalOf(exportJobs, unknown)).toEqual([404, 'job.not-found']);
    expect(await refusalOf(exportJobs, { query: { id: 'all' } })).toEqual([400, 'validation.filter-invalid']);
  });
});

describe('jobs by their failure', () => {
  beforeAll(async () => {
    await fail(-60, -20, 'b.bin', 'job.signing-failed');
    await fail(-50, -30, 'a.bin', 'job.signing-failed', { profileName: 'other' });
    await fail(-40, -25, 'c.bin', 'signer.timeout');
  });
  const past = { to: '2026-02-27' };

  test.each<[Query, string[]]>([
    [{ error: 'job.signing-failed' }, ['a.bin', 'b.bin']],
    [{ error: 'job.signing-failed', status: 'Failed', sort: 'oldest' }, ['b.bin', 'a.bin']],
    [{ error: 'job.signing-failed', status: 'Completed' }, []],
    [{ error: 'job.signing-failed', profile: 'other' }, ['a.bin']],
    [{ error: 'job.interrupted' }, []],
    [{ sort: 'lastFailed' }, ['b.bin', 'c.bin', 'a.bin']],
    [{ sort: 'firstFailed' }, ['a.bin', 'c.bin', 'b.bin']],
    [{ ...past, sort: 'oldest' }, ['b.bin', 'a.bin', 'c.bin']],
    [{ ...past, sort: 'newest', text: 'bin' }, ['c.bin', 'a.bin', 'b.bin']],
    [{ ...past, sort: 'oldest', text: 'bin' }, ['b.bin', 'a.bin', 'c.bin']],
    // Created before the range, and failed in it.
    [{ failedFrom: '2026-02-04', failedTo: '2026-02-09' }, ['b.bin', 'c.bin']],
    [{ failedFrom: '2026-02-04', error: 'signer.timeout' }, ['c.bin']],
    [{ failedFrom: '2026-01-01', profile: 'other' }, ['a.bin']],
    [{ failedFrom: '2026-01-01', to: '2026-01-05' }, ['b.bin']],
  ])('with %j are those that match, in the order that is asked for', async (query, expected) => {
    expect(await namesOf(query)).toEqual(expected);
    expect(await exported(query)).toEqual(expected);
  });

  test.each<Query>([
    { error: 'job.none' },
    { error: 'toString' },
    { sort: 'name' },
    { sort: 'lastFailed', status: 'Completed' },
    { failedFrom: '2026-02-04', status: 'Queued' },
    { failedFrom: '2026-02-04', failedTo: '2026-02-03' },
  ])('with %j are refused', async (query) => {
    for (const handler of [list, exportJobs])
      expect(await refusalOf(handler, { query })).toEqual([400, 'validation.filter-invalid']);
  });
});
