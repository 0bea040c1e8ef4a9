import { describe, expect, test, vi } from 'vitest';
import { recount } from '../../../../functions/batch/installation/backup/domain/restore/recount.ts';
import { type Bulk, type BulkKind, bulks } from '../../../../functions/batch/jobs/domain/bulk/bulk.ts';
import { runBulk } from '../../../../functions/batch/jobs/domain/bulk/run-bulk.ts';
import { startBulk, stopBulk } from '../../../../functions/batch/jobs/domain/bulk/start-bulk.ts';
import { cancelJob } from '../../../../functions/batch/jobs/domain/cancel-job.ts';
import { jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { type JobFilter, listJobs } from '../../../../functions/batch/jobs/domain/list-jobs.ts';
import { retryJob } from '../../../../functions/batch/jobs/domain/retry-job.ts';
import { handler as getBulk } from '../../../../functions/batch/jobs/endpoints/get-bulk.ts';
import { handler as listBulks } from '../../../../functions/batch/jobs/endpoints/list-bulks.ts';
import { handler as start } from '../../../../functions/batch/jobs/endpoints/start-bulk.ts';
import { handler as stop } from '../../../../functions/batch/jobs/endpoints/stop-bulk.ts';
import { listEvents } from '../../../../functions/batch/operations/domain/list-events.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { files } from '../../../../shared/files/files.ts';
import { logger } from '../../../../shared/log/logger.ts';
import { killedAt } from '../../../faults/crash.ts';
import { forFile } from '../../../runner/for-file.ts';
import { batchStage } from '../stage.ts';
import { jobsInState, OPERATOR } from './jobs-in-state.ts';
import { ask, refusalOf } from './operator.ts';

const stage = await forFile(batchStage());
vi.stubEnv('Pipeline__MaxConcurrency', '32');
await stage.profile({ name: 'other' });
const made = jobsInState(stage);

const runner = { logger: logger('batch'), now: Date.now, hasTime: () => true };
const begin = (kind: BulkKind, filter: JobFilter) => startBulk(OPERATOR, { kind, filter }, Date.now() + 1);
const run = ({ id: bulkId }: Bulk, more: object = {}) =>
  runBulk({ task: 'bulkJobs', bulkId }, { ...runner, ...more });
const read = async ({ id }: Bulk) => (await bulks.get(id)) as Bulk;
const stateOf = async (id: string) => (await jobs.get(id))?.state ?? 'deleted';
const eventsOf = async (type: 'JobCreated' | 'JobCanceled' | 'JobDeleted', text: string) =>
  (await listEvents({ type, text, page: 1, pageSize: 200 })).totalCount;

/** Files of one name, so that a filter by it takes no job of another test. */
const several = async <T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> => {
  const all: T[] = [];
  for (let n = 0; n < count; n++) all.push(await make(n));
  return all;
};

describe('an action on all jobs of a filter', () => {
  test.each<[BulkKind, 'failed' | 'queued' | 'canceled', string]>([
    ['retry', 'failed', 'Failed'],
    ['cancel', 'queued', 'Canceled'],
    ['delete', 'canceled', 'deleted'],
  ])(
    'to %s takes those of the filter and no other, each as its own operation does',
    async (kind, from, to) => {
      const text = `all-${kind}`;
      const chosen = await several(3, (n) => made[from](`${text}-${n}.txt`));
      const other = await made[from](`not-${kind}.txt`);
      const before = await stateOf(other.id);
      const bulk = await begin(kind, { text });
      expect(bulk.expected).toBe(3);
      await run(bulk);
      expect(await read(bulk)).toMatchObject({ state: 'Done', done: 3, skipped: 0, refused: {} });
      expect(await Promise.all(chosen.map(({ id }) => stateOf(id)))).toEqual([to, to, to]);
      expect(await stateOf(other.id)).toBe(before);
      const type = ({ retry: 'JobCreated', cancel: 'JobCanceled', delete: 'JobDeleted' } as const)[kind];
      expect(await eventsOf(type, text)).toBe(kind === 'retry' ? 6 : 3);
      await run(bulk);
      expect((await read(bulk)).done).toBe(3);
      await cancelQueued();
    },
  );

  test('retries no job twice: one that was retried is neither counted nor taken', async () => {
    const [first, second] = await several(2, (n) => made.failed(`again-${n}.txt`));
    await retryJob(first?.id ?? '', Date.now());
    const bulk = await begin('retry', { text: 'again-', error: 'job.signing-failed' });
    expect(bulk.expected).toBe(1);
    await run(bulk);
    expect((await read(bulk)).done).toBe(1);
    expect((await stage.job(second?.id ?? '')).retriedAs).toBeDefined();
    await expect(begin('retry', { text: 'again-' })).rejects.toMatchObject({ code: 'bulk.nothing-matches' });
    await cancelQueued();
  });

  test('leaves alone what no longer meets the filter, and what came later', async () => {
    const [first, moved] = await several(2, (n) => made.queued(`moved-${n}.txt`));
    const bulk = await begin('cancel', { text: 'moved-', status: 'Queued' });
    const later = await made.queued('moved-later.txt');
    // It could still be canceled, but it is not Queued any more.
    const found = await jobs.get(moved?.id ?? '');
    if (found) await jobs.change(found, { state: 'AwaitingSigner' });
    await run(bulk);
    expect(await read(bulk)).toMatchObject({ state: 'Done', done: 1, skipped: 1 });
    const states = [first, moved, later].map((job) => stateOf(job?.id ?? ''));
    expect(await Promise.all(states)).toEqual(['Canceled', 'AwaitingSigner', 'Queued']);
    const changed = await jobs.get(moved?.id ?? '');
    if (changed) await jobs.change(changed, { state: 'Queued' });
    await cancelQueued();
  });

  test('counts refusals by their code, and goes on', async () => {
    const [gone] = await several(3, (n) => made.failed(`gone-${n}.txt`));
    await files('batch').remove(gone?.inputKey ?? '');
    const bulk = await begin('retry', { text: 'gone-', profile: 'default', error: 'job.signing-failed' });
    await run(bulk);
    expect(await read(bulk)).toMatchObject({ done: 2, refused: { 'job.input-missing': 1 }, state: 'Done' });
    await cancelQueued();
  });

  test('that is stopped leaves the rest alone', async () => {
    const all = await several(3, (n) => made.queued(`stopped-${n}.txt`));
    const bulk = await begin('cancel', { text: 'stopped-' });
    let asked = 0;
    await run(bulk, { hasTime: () => ++asked <= 1 });
    await stopBulk(OPERATOR, bulk.id, Date.now());
    await run(bulk);
    expect(await read(bulk)).toMatchObject({ state: 'Stopped', done: 1 });
    const states = await Promise.all(all.map(({ id }) => stateOf(id)));
    expect(states.filter((state) => state === 'Queued')).toHaveLength(2);
    await cancelQueued();
  });
});

// A run is killed at each of its writes in turn; the next one goes on:
//
//   run 1  |--job 1 + count--|--job 2 + count-- killed
//   run 2                                         |--job 3 + count--|--ended + event--|
test.each<[BulkKind, 'failed' | 'queued' | 'canceled']>([
  ['retry', 'failed'],
  ['cancel', 'queued'],
  ['delete', 'canceled'],
])(
  'a run to %s that is killed after any write goes on: nothing missing or twice, and the counts add up',
  async (kind, from) => {
    for (let write = 1, isKilled = true; isKilled; write++) {
      const text = `kill-${kind}-${write}-`;
      await several(2, (n) => made[from](`${text}${n}.txt`));
      const before = await listJobs({ text }, { page: 1, pageSize: 10 });
      const bulk = await begin(kind, { text });
      isKilled = await killedAt(write, 'after', () => run(bulk));
      await run(bulk);
      const { totalCount } = await listJobs({ text }, { page: 1, pageSize: 10 });
      const created = { retry: 2, cancel: 0, delete: -2 }[kind];
      expect([write, totalCount - before.totalCount]).toEqual([write, created]);
      expect(await read(bulk)).toMatchObject({ state: 'Done', done: 2, skipped: 0, refused: {} });
      expect((await listEvents({ type: 'BulkAction', text: bulk.id, page: 1, pageSize: 9 })).totalCount).toBe(
        2,
      );
      await cancelQueued();
    }
    expect((await recount()).compared.filter(({ isSame }) => !isSame)).toEqual([]);
  },
);

test('two runs at once do no job twice', async () => {
  await several(4, (n) => made.queued(`both-${n}.txt`));
  const bulk = await begin('cancel', { text: 'both-' });
  await Promise.all([run(bulk), run(bulk)]);
  await run(bulk);
  expect(await read(bulk)).toMatchObject({ state: 'Done', done: 4 });
  expect(await eventsOf('JobCanceled', 'both-')).toBe(4);
});

const sent = (body: object) => ({
  headers: { 'X-API-Key': SANDBOX_KEY, 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

describe('at the API', () => {
  test('a preview counts and changes nothing; a start answers 202 and its progress', async () => {
    const job = await made.queued('api.txt');
    const body = { action: 'cancel', filter: { text: 'api.txt' }, reason: 'The wrong file.' };
    const preview = await ask(start, sent({ ...body, preview: true }));
    expect([preview.status, preview.json()]).toEqual([200, { action: 'cancel', count: 1 }]);
    const started = await ask(start, sent(body));
    const { id } = started.json() as { id: string };
    expect([started.status, await stateOf(job.id)]).toEqual([202, 'Queued']);
    await runBulk({ task: 'bulkJobs', bulkId: id }, runner);
    expect((await ask(getBulk, { params: { id } })).json()).toMatchObject({ status: 'Done', done: 1 });
    expect((await stage.job(job.id)).errorMessage).toContain('The wrong file.');
    expect((await ask(listBulks)).json()).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ id })]),
    });
    expect(await refusalOf(stop, { params: { id } })).toEqual([409, 'bulk.not-running']);
  });

  test.each<[string, object, [number, string]]>([
    ['a misspelt filter', { action: 'delete', filter: { stauts: 'Failed' } }, [400, 'request.invalid']],
    [
      'a status that the action does not take',
      { action: 'retry', filter: { status: 'Completed' } },
      [400, 'validation.filter-invalid'],
    ],
    [
      'an error that does not exist',
      { action: 'retry', filter: { error: 'job.none' } },
      [400, 'validation.filter-invalid'],
    ],
    ['a filter that is left out', { action: 'delete' }, [400, 'request.invalid']],
    [
      'a long reason',
      { action: 'cancel', filter: {}, reason: 'x'.repeat(513) },
      [400, 'validation.reason-too-long'],
    ],
    ['no job', { action: 'cancel', filter: { text: 'no such file' } }, [409, 'bulk.nothing-matches']],
  ])('%s is refused', async (_, body, expected) => {
    expect(await refusalOf(start, sent(body))).toEqual(expected);
  });
});

/** So that the next claim takes the next job that is made. */
async function cancelQueued(): Promise<void> {
  const { items } = await listJobs({ status: 'Queued' }, { page: 1, pageSize: 200 });
  for (const { id } of items) await cancelJob(OPERATOR, { id }, Date.now());
}
