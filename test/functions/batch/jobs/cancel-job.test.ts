import { describe, expect, test, vi } from 'vitest';
import { cancelJob } from '../../../../functions/batch/jobs/domain/cancel-job.ts';
import { jobStates } from '../../../../functions/batch/jobs/domain/job/states.ts';
import { listJobs } from '../../../../functions/batch/jobs/domain/list-jobs.ts';
import { handler as cancel } from '../../../../functions/batch/jobs/endpoints/cancel-job.ts';
import { listEvents } from '../../../../functions/batch/operations/domain/list-events.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { files } from '../../../../shared/files/files.ts';
import { forFile } from '../../../runner/for-file.ts';
import { letInFirst } from '../../let-in-first.ts';
import { batchStage } from '../stage.ts';
import { jobsInState, OPERATOR } from './jobs-in-state.ts';
import { ask, refusalOf } from './operator.ts';

const stage = await forFile(batchStage());
vi.stubEnv('Pipeline__MaxConcurrency', '32');
const made = jobsInState(stage);

const post = (id: string, json?: object) => ({ method: 'POST', params: { id }, ...(json && { json }) });

describe('a job', () => {
  const CANCELABLE = ['Queued', 'AwaitingSigner', 'AwaitingApproval'];

  test.each(CANCELABLE)('that is %s can be canceled, and says by whom and why', async (state) => {
    const { id, inputKey } = await made.inState(state as 'Queued', `cancel-${state}.txt`);
    const { status, json } = await ask(cancel, post(id, { reason: 'The wrong file.' }));
    expect([status, json()]).toMatchObject([200, { id, status: 'Canceled', errorCode: null }]);
    const { history, errorMessage } = await stage.job(id);
    expect(errorMessage).toMatch(/^Canceled by .+: The wrong file\.$/);
    expect(history.at(-1)).toMatchObject({
      status: 'Canceled',
      message: expect.stringMatching(/^Canceled by .+: The wrong file\.$/),
    });
    expect(await files('batch').head(inputKey ?? '')).toBeDefined();
  });

  test.each([
    ['in the query', { query: { reason: 'By hand.' } }],
    [
      'in a form',
      { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'reason=By+hand.' },
    ],
    ['in both', { query: { reason: 'Not this.' }, json: { reason: 'By hand.' } }],
  ])('is canceled with a reason %s', async (place, given) => {
    const { id } = await made.queued(`cancel ${place}.txt`);
    const headers = { 'X-API-Key': SANDBOX_KEY, ...('headers' in given && given.headers) };
    expect((await ask(cancel, { ...post(id), ...given, headers })).status).toBe(200);
    expect((await stage.job(id)).history.at(-1)?.message).toMatch(/: By hand\.$/);
  });

  test.each([
    { query: { reason: '' } },
    { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
  ])('is canceled without a reason by %j', async (given) => {
    const { id } = await made.queued(`cancel ${JSON.stringify(given)}.txt`);
    const headers = { 'X-API-Key': SANDBOX_KEY, ...('headers' in given && given.headers) };
    expect((await ask(cancel, { ...post(id), ...given, headers })).status).toBe(200);
    expect((await stage.job(id)).history.at(-1)?.message).not.toContain(':');
  });

  test('is not canceled with a reason in the query that is too long', async () => {
    const { id } = await made.queued('long-reason.txt');
    const query = { reason: 'r'.repeat(513) };
    expect(await refusalOf(cancel, { ...post(id), query })).toEqual([400, 'validation.reason-too-long']);
    await ask(cancel, post(id));
  });

  test.each(jobStates.states.filter((state) => !CANCELABLE.includes(state)))(
    'that is %s cannot',
    async (state) => {
      const { id } = await made.inState(state, `keep-${state}.txt`);
      expect(await refusalOf(cancel, post(id))).toEqual([409, 'job.not-queued']);
      expect((await stage.job(id)).state).toBe(state);
    },
  );

  test('is recorded and counted as canceled once, and its name is free', async () => {
    const before = await listEvents({ type: 'JobCanceled', page: 1, pageSize: 1 });
    const { id } = await made.queued('again.txt');
    await ask(cancel, post(id));
    expect(await refusalOf(cancel, post(id))).toEqual([409, 'job.not-queued']);
    const after = await listEvents({ type: 'JobCanceled', page: 1, pageSize: 1 });
    expect(after.totalCount - before.totalCount).toBe(1);
    expect(after.items[0]).toMatchObject({ jobId: id, profileName: 'default' });
    const again = await made.canceled('again.txt');
    const { items } = await listJobs({ status: 'Canceled' }, { page: 1, pageSize: 2 });
    expect(items.map((job) => job.id)).toEqual([again.id, id]);
  });
});

test('a reason has at most 512 characters', async () => {
  const { id } = await made.queued('reason.txt');
  const tooLong = post(id, { reason: 'x'.repeat(513) });
  expect(await refusalOf(cancel, tooLong)).toEqual([400, 'validation.reason-too-long']);
  expect((await ask(cancel, post(id, { reason: 'x'.repeat(512) }))).status).toBe(200);
});

test('a reason is optional: null is none', async () => {
  const { id } = await made.queued('no-reason.txt');
  expect((await ask(cancel, post(id, { reason: null }))).status).toBe(200);
  expect((await stage.job(id)).history.at(-1)?.message).toMatch(/^Canceled by \S+\.$/);
});

test('an id that no job has is not found, whatever it looks like', async () => {
  for (const id of ['0b7f7a52-6c5e-4d7c-9f58-2f5d1c0e9a11', 'archive', ''])
    expect(await refusalOf(cancel, post(id))).toEqual([404, 'job.not-found']);
});

describe('an operator and a worker that meet on a queued job', () => {
  //   operator  |--reads Queued----------------------------- canceled: refused --|
  //   worker                     |--claims: Processing--|
  test('the worker was faster: job.race-lost, and the job is signed', async () => {
    const { id } = await made.queued('race.txt');
    letInFirst(() => stage.run());
    await expect(cancelJob(OPERATOR, { id }, Date.now())).rejects.toMatchObject({ code: 'job.race-lost' });
    expect(await stage.job(id)).toMatchObject({ state: 'Completed' });
  });

  test('at once, many times: each job is either canceled or signed, and nobody sees another error', async () => {
    for (let round = 0; round < 6; round++) {
      const { id } = await made.queued(`round-${round}.txt`);
      const [answer] = await Promise.all([
        cancelJob(OPERATOR, { id }, Date.now()).catch((error: { code?: string }) => error.code),
        stage.run(),
      ]);
      const { state } = await stage.job(id);
      if (state === 'Canceled') expect(answer).toMatchObject({ state: 'Canceled' });
      else
        expect([state, ['job.race-lost', 'job.not-queued'].includes(answer as string)]).toEqual([
          'Completed',
          true,
        ]);
    }
  });
});
