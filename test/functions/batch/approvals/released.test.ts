import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { attempts } from '../../../../functions/batch/approvals/domain/signatures/attempt.ts';
import { sendHeartbeat } from '../../../../functions/batch/installation/cluster/domain/heartbeat.ts';
import { cancelJob } from '../../../../functions/batch/jobs/domain/cancel-job.ts';
import { type Job, stagedKey } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { TASKS_QUEUE, type Task } from '../../../../functions/batch/jobs/domain/job/tasks.ts';
import { readEvents } from '../../../../functions/batch/operations/domain/events.ts';
import { pausePipeline, resumePipeline } from '../../../../functions/batch/pipeline/domain/pipeline.ts';
import { handler as runTask } from '../../../../functions/batch/pipeline/workers/run-task.ts';
import {
  putProfile,
  removeProfile,
  setEnabled,
} from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { files } from '../../../../shared/files/files.ts';
import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { forFile } from '../../../runner/for-file.ts';
import { drainQueue } from '../../drain-queue.ts';
import { OPERATOR } from '../jobs/jobs-in-state.ts';
import { ANA, BRUNO, CARLA, paid } from './approval-stage.ts';
import { signingStage } from './signing-stage.ts';

const stage = await forFile(signingStage());
afterEach(() => {
  vi.useRealTimers();
});

const WINDOW_MS = 172_800_000;
const textOf = async (key: string | null) => {
  const found = key === null ? undefined : await files('batch').get(key);
  return found && (await buffer(found.stream)).toString('latin1');
};
const filesOf = async (job: Job) => ({
  input: await textOf(job.inputKey),
  staged: await textOf(stagedKey(job)),
  error: await textOf(`error/${job.id}/${job.fileName}`),
});
const typesOf = async (jobId: string) => {
  const { events } = await readEvents({ offset: 0, limit: 100 });
  return events.filter((event) => event.jobId === jobId).map(({ type }) => type);
};
/** What is due by the clock is sent to its worker, as the scheduler does. */
async function sweep(): Promise<void> {
  await scheduleHandler('batch', 'send-due', sendDueMessages('batch'), () => Date.now())();
  await drainQueue<Task>('batch', TASKS_QUEUE, runTask);
}

describe('a job that was released meets its profile as it is by then', () => {
  /** A profile of its own, with a job that two approvers have released. */
  const released = async (name: string, content = paid()) => {
    const { approval } = stage;
    await stage.profile({ name, checkCnab240: true, validateCertificate: false, approval });
    const job = await stage.waiting(name, `${name}.rem`, content);
    expect(job.state).toBe('AwaitingApproval');
    await stage.decide(job.id, { email: ANA.email });
    await stage.decide(job.id, { email: CARLA.email });
    return job;
  };
  const change = (name: string, fields: object) => putProfile('test', { name, ...fields }, Date.now());
  const skipped = (name: string) =>
    stage.counted(`bulk_cnab240_payment_date_checks_skipped_total{profile="${name}"}`);
  const ran = async ({ id }: Job) => {
    await stage.run();
    return stage.job(id);
  };

  test('one that does not check CNAB240 any more: the payment date is checked all the same', async () => {
    const job = await released('unchecked');
    await change('unchecked', { checkCnab240: false });
    stage.stopClock(Date.UTC(2100, 1, 1));
    await sendHeartbeat(Date.now());
    expect(await ran(job)).toMatchObject({
      state: 'Failed',
      errorCode: 'cnab240.payment-date-passed',
      outputName: null,
    });
    expect(await skipped('unchecked')).toBe(0);
  });

  test('one that does not check payment dates either: it is signed, and the skipped check is counted once', async () => {
    const job = await released('undated');
    await change('undated', { checkCnab240: false, checkCnab240PaymentDates: false });
    expect(await skipped('undated')).toBe(0);
    stage.stopClock(Date.UTC(2100, 1, 1));
    expect(await ran(job)).toMatchObject({ state: 'Completed', errorCode: null });
    expect(await skipped('undated')).toBe(1);
  });

  test('one that was disabled: it is signed', async () => {
    const job = await released('disabled');
    await setEnabled('test', 'disabled', false, Date.now());
    expect(await ran(job)).toMatchObject({ state: 'Completed', errorCode: null });
  });

  test('one that was removed: profile.degraded, and nothing is signed', async () => {
    const content = paid();
    const job = await released('removed', content);
    await removeProfile('test', 'removed', Date.now());
    const failed = await ran(job);
    expect(failed).toMatchObject({ state: 'Failed', errorCode: 'profile.degraded', outputName: null });
    expect(failed.errorMessage).toContain('removed');
    expect(await filesOf(job)).toEqual({ input: content, staged: undefined, error: content });
  });
});

describe('a job that waits', () => {
  test('expires while the pipeline is paused: its copy goes to error/, its input stays, told and counted once', async () => {
    const content = paid();
    const job = await stage.parked('paused.rem', content);
    const expired = () => stage.counted('bulk_approvals_expired_total{profile="aprovacao"}');
    const before = await expired();
    await pausePipeline(OPERATOR, {}, Date.now());
    try {
      stage.stopClock((job.approval?.parkedAtMs ?? 0) + WINDOW_MS - 1_000);
      await sweep();
      expect((await stage.job(job.id)).state).toBe('AwaitingApproval');
      stage.stopClock((job.approval?.parkedAtMs ?? 0) + WINDOW_MS + 1_000);
      await sweep();
      // The task may be delivered again.
      await sweep();
    } finally {
      await resumePipeline(OPERATOR, {}, Date.now());
    }
    const { state, history, isRejected } = await stage.job(job.id);
    expect([state, isRejected]).toEqual(['Canceled', false]);
    expect(history.at(-1)?.message).toMatch(/^The approval window expired at /);
    expect(await filesOf(job)).toEqual({ input: content, staged: undefined, error: content });
    const types = await typesOf(job.id);
    expect(types.filter((type) => type === 'ApprovalExpired')).toHaveLength(1);
    expect(types.filter((type) => type === 'JobCanceled')).toHaveLength(1);
    expect(await expired()).toBe(before + 1);
  });

  test('is canceled by an operator: its copy goes to error/, its input stays', async () => {
    const content = paid();
    const job = await stage.parked('operator-copy.rem', content);
    await stage.decide(job.id, { email: ANA.email });
    await cancelJob(OPERATOR, { id: job.id, reason: 'No.' }, Date.now());
    await drainQueue<Task>('batch', TASKS_QUEUE, runTask);
    expect(await stage.job(job.id)).toMatchObject({ state: 'Canceled', isRejected: false, outputName: null });
    expect(await filesOf(job)).toEqual({ input: content, staged: undefined, error: content });
    expect(await textOf('output/operator-copy.reject.rem')).toBeUndefined();
  });

  // ana        |--prepares-------------------------- signs: not pending --|
  // operator              |--cancels--|                                        outbox |--its time is over: abandoned--|
  test('is canceled while somebody signs: the signature is not taken, and its attempt is abandoned in time', async () => {
    const approval = { ...stage.approval, approvers: [ANA, BRUNO, CARLA], signerSet: 'ProfileAndApprovers' };
    await stage.profile({ name: 'signed', format: 'Cades', checkCnab240: true, approval });
    const { id } = await stage.waiting('signed');
    const { body } = await stage.prepareWith(ANA, id);
    expect(body.outcome).toBe('prepared');
    const signature = await stage.signatureOf(ANA, body);
    const before = await stage.attempts('abandoned');
    await cancelJob(OPERATOR, { id }, Date.now());
    const complete = async () => {
      const answer = await stage.complete(ANA, body.attemptId, signature);
      return [answer.status, answer.body.code];
    };
    expect(await complete()).toEqual([409, 'approval.not-pending']);
    const outcomeOf = async () => (await attempts.get(String(body.attemptId)))?.outcome;
    expect([await outcomeOf(), await stage.attempts('abandoned')]).toEqual([null, before]);
    stage.stopClock(Date.now() + 16 * 60_000);
    await sweep();
    await sweep();
    expect([await outcomeOf(), await stage.attempts('abandoned')]).toEqual(['abandoned', before + 1]);
    expect(await complete()).toEqual([409, 'approval.not-pending']);
    expect((await stage.job(id)).approval?.decisions).toEqual([]);
    expect(await stage.attempts('signed')).toBe(0);
  });
});
