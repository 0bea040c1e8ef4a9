import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { settleFilesOf } from '../../../../functions/batch/jobs/domain/engine/settle-files.ts';
import { type Job, jobs, stagedKey } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { outputHolder } from '../../../../functions/batch/jobs/domain/job/names.ts';
import { findUnsettled, TASKS_QUEUE, type Task } from '../../../../functions/batch/jobs/domain/job/tasks.ts';
import { handler as retry } from '../../../../functions/batch/jobs/endpoints/retry-job.ts';
import { handler as runTask } from '../../../../functions/batch/pipeline/workers/run-task.ts';
import { files } from '../../../../shared/files/files.ts';
import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { killedAt } from '../../../faults/crash.ts';
import { forFile } from '../../../runner/for-file.ts';
import { drainQueue } from '../../drain-queue.ts';
import { onceAt, watchingS3 } from '../folders/arrival-stage.ts';
import { refusalOf } from '../jobs/operator.ts';
import { ANA, approvalStage, BRUNO, paid } from './approval-stage.ts';

const stage = await forFile(approvalStage());

const store = () => files('batch');
const put = (key: string, content: string) =>
  store().put(key, Buffer.from(content, 'latin1'), { contentType: 'application/octet-stream' });
const textOf = async (key: string | null) => {
  const found = key === null ? undefined : await store().get(key);
  return found && (await buffer(found.stream)).toString('latin1');
};
const veto = (id: string, { email } = BRUNO) => stage.decide(id, { email, decision: 'rejected' });
/** The files of a job: its original, its staged copy, and the copy in error/. */
const filesOf = async (job: Job) => ({
  input: await textOf(job.inputKey),
  staged: await textOf(stagedKey(job)),
  error: await textOf(`error/${job.id}/${job.fileName}`),
});
const isSettled = async (id: string) => (await findUnsettled([id])).size === 0;

/** The sweeper sends the tasks that are due by then. */
async function sweep(): Promise<void> {
  await scheduleHandler('batch', 'send-due', sendDueMessages('batch'), () => Date.now() + 600_000)();
  await drainQueue<Task>('batch', TASKS_QUEUE, runTask);
}

describe('a rejection', () => {
  test('is a veto after an approval: the file goes back to output/ as rejected, and the original is gone', async () => {
    const content = paid();
    const job = await stage.parked('vetado.rem', content);
    await stage.decide(job.id, { email: ANA.email });
    const answer = await stage.decide(job.id, {
      email: BRUNO.email,
      decision: 'rejected',
      reason: 'Wrong payee.',
    });
    expect(answer.json()).toEqual({
      jobId: job.id,
      approverName: BRUNO.name,
      reason: 'Wrong payee.',
      terminated: true,
    });
    expect(await stage.job(job.id)).toMatchObject({
      ...{ state: 'Canceled', errorCode: null, isRejected: true },
      errorMessage: expect.stringMatching(/^Rejected by /),
    });
    expect(await textOf('output/vetado.reject.rem')).toBe(content);
    expect(await filesOf(job)).toEqual({ input: undefined, staged: undefined, error: undefined });
    expect(await refusalOf(retry, { params: { id: job.id } })).toEqual([409, 'job.rejected-not-retriable']);
  });

  test('leaves the input, and the copy in error/, where another job has that name', async () => {
    const first = await stage.parked('twice.rem');
    await veto(first.id);
    const kept = await textOf('output/twice.reject.rem');
    const content = paid();
    const second = await stage.parked('twice.rem', content);
    await veto(second.id);
    expect(await stage.job(second.id)).toMatchObject({
      state: 'Canceled',
      isRejected: true,
      outputName: null,
    });
    expect(await filesOf(second)).toEqual({ input: content, staged: undefined, error: content });
    expect(await textOf('output/twice.reject.rem')).toBe(kept);
    expect(await outputHolder('twice.reject.rem')).toBe(first.id);
  });
});

describe('where the staged copy is not what was staged, a rejection gives nothing back, and the input stays', () => {
  test('for a copy that was changed, which goes to error/', async () => {
    const content = paid();
    const job = await stage.parked('changed-copy.rem', content);
    await put(stagedKey(job), 'changed');
    await veto(job.id);
    expect(await filesOf(job)).toEqual({ input: content, staged: undefined, error: 'changed' });
    expect(await textOf('output/changed-copy.reject.rem')).toBeUndefined();
  });

  test('for a copy that is gone', async () => {
    const content = paid();
    const job = await stage.parked('no-copy.rem', content);
    await store().remove(stagedKey(job));
    await veto(job.id);
    expect(await filesOf(job)).toEqual({ input: content, staged: undefined, error: undefined });
    expect(await textOf('output/no-copy.reject.rem')).toBeUndefined();
  });
});

describe('where output/ has a file of that name that belongs to no job, a rejection', () => {
  /** A job to veto, whose name in output/ a partner has put a file under. */
  const taken = async (base: string) => {
    const content = paid();
    const job = await stage.parked(`${base}.rem`, content);
    const key = `output/${base}.reject.rem`;
    await put(key, 'of the partner');
    return { job, content, key };
  };
  const expectTaken = async ({ job, content, key }: Awaited<ReturnType<typeof taken>>) => {
    expect(await textOf(key)).toBe('of the partner');
    expect(await filesOf(job)).toEqual({ input: content, staged: undefined, error: content });
    const { state, isRejected, outputName, errorCode, history } = await stage.job(job.id);
    expect({ state, isRejected, outputName, errorCode }).toEqual({
      state: 'Canceled',
      isRejected: true,
      outputName: null,
      errorCode: null,
    });
    const told = history.filter(({ message }) => message.startsWith('The file is not in output/'));
    expect(told).toEqual([
      expect.objectContaining({ status: 'Canceled', message: expect.stringContaining('.reject.rem') }),
    ]);
    expect(history.at(-1)).toEqual(told[0]);
    expect([await outputHolder(key.slice('output/'.length)), await isSettled(job.id)]).toEqual([
      undefined,
      true,
    ]);
  };

  test('does not replace it: the copy is in error/, the input stays, and the history says so', async () => {
    const there = await taken('taken');
    expect((await veto(there.job.id)).json()).toMatchObject({ terminated: true });
    await expectTaken(there);
    // The task of the outbox may be delivered again.
    await settleFilesOf(there.job.id, Date.now());
    await expectTaken(there);
    expect(await refusalOf(retry, { params: { id: there.job.id } })).toEqual([
      409,
      'job.rejected-not-retriable',
    ]);
  });

  //   service  |--no file of that name--------------------|--puts, only if there is none: refused--|--error/--|
  //   partner                            |--puts its file--|
  test('does not replace one that comes at the same moment', async () => {
    const content = paid();
    const job = await stage.parked('moment.rem', content);
    const key = 'output/moment.reject.rem';
    const partner = onceAt('PutObject', /moment\.reject\.rem$/, () => put(key, 'of the partner'));
    await watchingS3({ before: partner }, () => veto(job.id));
    await expectTaken({ job, content, key });
  });

  // bruno    |--decision + outbox-- killed after any of its writes      sweeper  |--runs the task--|
  test('and is killed after any write: the sweeper ends it in the same way, told once', async () => {
    let write = 0;
    for (let isKilled = true; isKilled; ) {
      const there = await taken(`taken-${++write}`);
      isKilled = await killedAt(write, 'after', () => veto(there.job.id));
      await sweep();
      // The call was killed before its decision, or after.
      expect([200, 409]).toContain((await veto(there.job.id)).status);
      await expectTaken(there);
    }
    // The call that is counted, the decision, the copy in error/, the staged copy, and the record.
    expect(write).toBeGreaterThan(5);
  });

  test('and is killed before any write of the sweeper: the next run ends it', async () => {
    let write = 0;
    for (let isKilled = true; isKilled; ) {
      const there = await taken(`again-${++write}`);
      const away = onceAt('GetObject', /^processing\//, () => Promise.reject(new Error('S3 is away.')));
      await watchingS3({ before: away }, () => veto(there.job.id));
      isKilled = await killedAt(write, 'before', () => settleFilesOf(there.job.id, Date.now()));
      await sweep();
      await expectTaken(there);
    }
    expect(write).toBeGreaterThan(2);
  });
});

// run 1    |--puts output/x.reject.rem-- killed      run 2   |--there already, the same bytes: ours--|
test('the same bytes in output/ are those of a run that was killed: the original is removed', async () => {
  const content = paid();
  const job = await stage.parked('ours.rem', content);
  await put('output/ours.reject.rem', content);
  await veto(job.id);
  expect(await textOf('output/ours.reject.rem')).toBe(content);
  expect(await filesOf(job)).toEqual({ input: undefined, staged: undefined, error: undefined });
  expect(await stage.job(job.id)).toMatchObject({ outputName: 'ours.reject.rem', isRejected: true });
  expect([await outputHolder('ours.reject.rem'), await isSettled(job.id)]).toEqual([job.id, true]);
});

test('a rejected upload that was rewritten stays where it is, and the job says so', async () => {
  const content = paid();
  const job = await stage.parked('rewritten.rem', content);
  await put(job.inputKey ?? '', 'rewritten');
  await veto(job.id);
  expect(await textOf('output/rewritten.reject.rem')).toBe(content);
  expect(await filesOf(job)).toEqual({ input: 'rewritten', staged: undefined, error: undefined });
  expect(await jobs.get(job.id)).toMatchObject({ state: 'Canceled', errorCode: 'job.input-diverged' });
  expect(await isSettled(job.id)).toBe(true);
});
