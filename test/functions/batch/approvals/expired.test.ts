import { afterEach, expect, test, vi } from 'vitest';
import { expireApproval } from '../../../../functions/batch/approvals/domain/expire-approval.ts';
import { exportJobs } from '../../../../functions/batch/jobs/domain/export-jobs.ts';
import { handler as cancel } from '../../../../functions/batch/jobs/endpoints/cancel-job.ts';
import { handler as getJob } from '../../../../functions/batch/jobs/endpoints/get-job.ts';
import { handler as listJobs } from '../../../../functions/batch/jobs/endpoints/list-jobs.ts';
import { listCompactJobs } from '../../../../functions/compact/domain/list-jobs.ts';
import { readCompactJob } from '../../../../functions/compact/domain/read-job.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ask, refusalOf } from '../jobs/operator.ts';
import { approvalStage } from './approval-stage.ts';

const WINDOW_MS = 172_800_000;

const stage = await forFile(approvalStage());
afterEach(() => {
  vi.useRealTimers();
});

/** A job whose window has passed a moment ago. The sweeper has not run. */
async function expiredJob() {
  const job = await stage.parked();
  const endsAtMs = (job.approval?.parkedAtMs ?? 0) + WINDOW_MS;
  stage.stopClock(endsAtMs + 5);
  return { id: job.id, endsAt: new Date(endsAtMs).toISOString() };
}

const read = async (id: string) => (await ask(getJob, { params: { id } })).json();
type Listed = { items: { id: string; status: string; errorMessage: string | null }[] };
const list = async (query: Record<string, string> = {}) =>
  ((await ask(listJobs, { query: { pageSize: '200', ...query } })).json() as Listed).items;

test('a job whose window has passed reads as canceled at once, as it does after the sweep', async () => {
  const { id, endsAt } = await expiredJob();
  const before = await read(id);
  expect(before).toMatchObject({
    status: 'Canceled',
    errorCode: null,
    errorMessage: `The approval window expired at ${endsAt}.`,
    updatedAt: endsAt,
    history: expect.arrayContaining([
      expect.objectContaining({ status: 'Canceled', message: `The approval window expired at ${endsAt}.` }),
    ]),
  });
  expect((await stage.job(id)).state).toBe('AwaitingApproval');
  expect(await expireApproval(id, Date.now())).toBe('Canceled');
  expect(await read(id)).toEqual(before);
});

test('lists show it as canceled, and not among those that wait', async () => {
  const { id, endsAt } = await expiredJob();
  const reason = `The approval window expired at ${endsAt}.`;
  expect((await list()).find((job) => job.id === id)).toMatchObject({
    status: 'Canceled',
    errorMessage: reason,
  });
  expect((await list({ status: 'AwaitingApproval' })).map((job) => job.id)).not.toContain(id);
  const rows = await Array.fromAsync((await exportJobs({ ids: [id] }, Date.now())).rows);
  expect(rows).toEqual([expect.arrayContaining([id, 'Canceled', reason])]);
  expect(
    await Array.fromAsync((await exportJobs({ ids: [], status: 'AwaitingApproval' }, Date.now())).rows),
  ).toEqual([]);
});

test('the compact surface shows it as rejected, with the reason', async () => {
  const { id, endsAt } = await expiredJob();
  const shown = { status: 'Rejected', errorMessage: `The approval window expired at ${endsAt}.` };
  expect(await readCompactJob(id, Date.now())).toMatchObject(shown);
  const { items } = await listCompactJobs({ page: 1, pageSize: 200 }, Date.now());
  expect(items.find((job) => job.id === id)).toMatchObject(shown);
});

test('it cannot be canceled any more', async () => {
  const { id } = await expiredJob();
  expect(await refusalOf(cancel, { method: 'POST', params: { id } })).toEqual([409, 'job.not-queued']);
});
