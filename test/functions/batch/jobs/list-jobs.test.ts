import { unzipSync } from 'fflate';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { jobStates } from '../../../../functions/batch/jobs/domain/job/states.ts';
import { listJobs } from '../../../../functions/batch/jobs/domain/list-jobs.ts';
import { handler as exportJobs } from '../../../../functions/batch/jobs/endpoints/export-jobs.ts';
import { handler as getJob } from '../../../../functions/batch/jobs/endpoints/get-job.ts';
import { handler as list } from '../../../../functions/batch/jobs/endpoints/list-jobs.ts';
import { removeProfile } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { countCalls } from '../../../measure/calls.ts';
import { forFile } from '../../../runner/for-file.ts';
import { batchStage } from '../stage.ts';
import { jobsInState } from './jobs-in-state.ts';
import { ask, refusalOf } from './operator.ts';

type Listed = { id: string; status: string; fileName: string };
type Page = { items: Listed[]; page: number; pageSize: number; totalCount: number };

const byState = new Map<string, string>();

const stage = await forFile(batchStage());
vi.stubEnv('Pipeline__MaxConcurrency', '32');
const made = jobsInState(stage);
await stage.profile({ name: 'other' });
const ids: string[] = [];
// A queued one is the last: a claim would take it.
for (const state of jobStates.states.toSorted((state) => (state === 'Queued' ? 1 : -1))) {
  const job = await made.inState(state, `=${state}.txt`);
  byState.set(state, job.id);
  ids.push(job.id);
}
const { id } = await made.queued('of-other.txt', { profile: 'OTHER' });
ids.push(id);
/** The ids of the jobs, newest first, one in each state; the Canceled one is of the profile `other`. */
const newestFirst = ids.toReversed();

const get = async (query: Record<string, string> = {}) => (await ask(list, { query })).json() as Page;
const idsOf = ({ items }: Page) => items.map(({ id }) => id);

describe('the list of jobs', () => {
  test('has all of them, newest first, 50 on a page', async () => {
    const page = await get();
    expect(page).toMatchObject({ page: 1, pageSize: 50, totalCount: 9 });
    expect(idsOf(page)).toEqual(newestFirst);
  });

  test('is cut into pages; beyond the last is an empty one', async () => {
    const pages = await Promise.all(['1', '2', '3', '4'].map((page) => get({ page, pageSize: '4' })));
    expect(pages.map(idsOf)).toEqual([
      newestFirst.slice(0, 4),
      newestFirst.slice(4, 8),
      newestFirst.slice(8),
      [],
    ]);
    expect(new Set(pages.map(({ totalCount }) => totalCount))).toEqual(new Set([9]));
    expect(idsOf(await get({ page: '10737418', pageSize: '200' }))).toEqual([]);
  });

  test.each(jobStates.states)('of status %s has the jobs of that status', async (status) => {
    const { items, totalCount } = await get({ status, profile: 'default' });
    expect([items.map(({ id }) => id), totalCount]).toEqual([[byState.get(status)], 1]);
  });

  test('of a profile, in any case, has the jobs of that profile; of both, those of both', async () => {
    expect(idsOf(await get({ profile: 'Other' }))).toEqual([newestFirst[0]]);
    expect((await get({ status: 'Queued' })).totalCount).toBe(2);
    expect((await get({ status: 'QUEUED', source: 'upload' })).totalCount).toBe(2);
    expect((await get({ status: 'Failed', profile: 'other' })).totalCount).toBe(0);
    expect((await get({ status: 'Processing', profile: 'other' })).totalCount).toBe(0);
  });

  test.each<[string, Record<string, string | string[]>]>([
    ['an unknown status', { status: 'Done' }],
    ['an unknown profile', { profile: 'nobody' }],
    ['a profile that no profile can be', { profile: '../x' }],
    ['an empty profile', { profile: '' }],
    ['page 0', { page: '0' }],
    ['a page beyond the last that there can be', { page: '10737419' }],
    ['a page that is no number', { page: '1e1' }],
    ['a page of none', { pageSize: '0' }],
    ['a page of more than 200', { pageSize: '201' }],
    ['a repeated status', { status: ['Queued', 'Failed'] }],
    ['a parameter that it does not have', { state: 'Queued' }],
  ])('refuses %s', async (_, query) => {
    expect(await refusalOf(list, { query })).toEqual([400, 'validation.filter-invalid']);
  });

  test('of a profile that was removed is still there, as long as it has jobs', async () => {
    await removeProfile('test', 'other', Date.now());
    expect(idsOf(await get({ profile: 'other' }))).toEqual([newestFirst[0]]);
  });

  test('costs at most 8 calls a page, whatever its filter', async () => {
    const paging = { page: 1, pageSize: 200 };
    for (const filter of [
      {},
      { status: 'Failed' },
      { profile: 'default' },
      { status: 'Processing' },
    ] as const) {
      const { total } = await countCalls(() => listJobs(filter, paging));
      expect([filter, total <= 8]).toEqual([filter, true]);
    }
  });
});

test('a job is read with its history, by its id in any case', async () => {
  const id = byState.get('Completed') ?? '';
  const { status, json } = await ask(getJob, { params: { id: id.toUpperCase() } });
  expect([status, json()]).toMatchObject([
    200,
    {
      id,
      status: 'Completed',
      cnab240: null,
      approval: null,
      history: [{ id: 1, status: 'Queued' }, {}, {}, {}],
    },
  ]);
  expect(await refusalOf(getJob, { params: { id: 'export' } })).toEqual([404, 'job.not-found']);
});

describe('the export', () => {
  beforeEach(() => void vi.stubEnv('Export__MaxRows', '50000'));

  /** The texts of the sheet, row by row. */
  const rows = async (query: Record<string, string> = {}) => {
    const { bytes } = await ask(exportJobs, { query });
    const sheet = Buffer.from(unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? []).toString();
    return [...sheet.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row = '']) =>
      [...row.matchAll(/<t [^>]*>(.*?)<\/t>/gs)].map(([, text]) => text),
    );
  };
  const exportedIds = async (query?: Record<string, string>) =>
    (await rows(query)).slice(1).map(([id]) => id);

  test('is a workbook with a row for each job, newest first, under the titles', async () => {
    const { status, headers } = await ask(exportJobs);
    expect([status, headers['content-disposition']]).toEqual([200, 'attachment; filename="jobs.xlsx"']);
    const [titles, ...found] = await rows();
    expect(titles?.slice(0, 3)).toEqual(['Id', 'File name', 'Original path']);
    expect(found.map(([id]) => id)).toEqual(newestFirst);
  });

  test('has text in every cell: a name that begins with = is no formula', async () => {
    const { bytes } = await ask(exportJobs);
    const sheet = Buffer.from(unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? []).toString();
    expect(sheet).toContain('>=Failed.txt<');
    expect(sheet).not.toContain('<f>');
    expect(new Set([...sheet.matchAll(/<c [^>]*t="(\w+)"/g)].map(([, type]) => type))).toEqual(
      new Set(['inlineStr']),
    );
  });

  test('is cut by the filters of the list', async () => {
    expect(await exportedIds({ status: 'Failed' })).toEqual([byState.get('Failed')]);
    expect(await exportedIds({ status: 'Verifying' })).toEqual([byState.get('Verifying')]);
    expect(await exportedIds({ profile: 'other' })).toEqual([newestFirst[0]]);
    for (const [name, value] of Object.entries({ status: 'Done', profile: 'nobody', sort: 'name' })) {
      const query = { [name]: value };
      expect(await refusalOf(exportJobs, { query })).toEqual([400, 'validation.filter-invalid']);
    }
  });

  test('ignores the page and the page size of a list, whatever they are', async () => {
    for (const paging of [
      { page: '2', pageSize: '1' },
      { page: 'x', pageSize: '' },
    ])
      expect(await exportedIds({ status: 'Failed', ...paging })).toEqual([byState.get('Failed')]);
  });

  test('has at most Export:MaxRows jobs, the newest, and says in its last row that there are more', async () => {
    vi.stubEnv('Export__MaxRows', '3');
    const notice = expect.stringContaining('has the first 3 (Export:MaxRows)');
    expect(await exportedIds()).toEqual([...newestFirst.slice(0, 3), notice]);
    vi.stubEnv('Export__MaxRows', String(newestFirst.length));
    expect(await exportedIds()).toEqual(newestFirst);
  });
});
