import { afterEach, expect, test, vi } from 'vitest';
import { expireApproval } from '../../../../functions/batch/approvals/domain/expire-approval.ts';
import { cancelJob } from '../../../../functions/batch/jobs/domain/cancel-job.ts';
import { type Job, stagedKey } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { readEvents } from '../../../../functions/batch/operations/domain/events.ts';
import { files } from '../../../../shared/files/files.ts';
import { killedAt } from '../../../faults/crash.ts';
import { forFile } from '../../../runner/for-file.ts';
import { OPERATOR } from '../jobs/jobs-in-state.ts';
import { ANA, BRUNO, CARLA, paid } from './approval-stage.ts';
import { atEveryWrite, killedStage } from './killed-stage.ts';

// A process is killed after each of its writes in turn, and others go on:
//
//   worker 1   |--staged-- killed                    worker 2  |--its lease is over: Failed, the input stays--|
//   worker 1   |--staged--parked-- killed            people    |--decide--|
//   Ana        |--decision + its effects-- killed    Ana       |--decides again: already-decided--|
//   expiry     |--canceled-- killed                  sweeper   |--copy to error/--|
//
// Whatever the moment: no decision is lost or counted twice, and nothing is signed without its quorum.

const stage = await forFile(killedStage());
afterEach(() => {
  vi.useRealTimers();
});

const store = () => files('batch');
const counters = async () => ({
  recorded: await stage.counted('bulk_approvals_recorded_total{profile="aprovacao"}'),
  released: await stage.counted('bulk_jobs_released_by_approval_total{profile="aprovacao"}'),
  rejected: await stage.counted('bulk_approvals_rejected_total{profile="aprovacao"}'),
  parked: await stage.counted('bulk_jobs_parked_for_approval_total{profile="aprovacao"}'),
});
const approve = (id: string, { email }: { readonly email: string }, decision = 'approved') =>
  stage.decide(id, { email, decision });
/** Decides as a person does whose browser got no answer: until it is told that the decision is there. */
const insist = async (id: string, person: { readonly email: string }, decision?: string) =>
  (await approve(id, person, decision)).status;

test('killed after a write of the parking: the job waits, or fails with its input in place', async () => {
  const ends = new Set<string>();
  const writes = await atEveryWrite(async (write) => {
    const { id } = await stage.upload(`park-${write}.rem`, paid(), { profile: 'aprovacao' });
    const before = await counters();
    const isKilled = await killedAt(write, 'after', () => stage.run());
    await stage.recover();
    const job = await stage.job(id);
    ends.add(job.state);
    const isParked = job.state === 'AwaitingApproval';
    expect([write, job.errorCode]).toEqual([write, isParked ? null : 'job.interrupted']);
    expect((await counters()).parked - before.parked).toBe(isParked ? 1 : 0);
    expect(await stage.isListed(id, 'pending')).toBe(isParked);
    expect([await store().head(job.inputKey ?? ''), job.outputName]).toEqual([expect.anything(), null]);
    return isKilled;
  });
  expect(writes).toBeGreaterThan(1);
  expect(ends).toEqual(new Set(['Failed', 'AwaitingApproval']));
});

test.each([
  ['the first approval', []],
  ['the approval that makes the quorum', [BRUNO]],
] as const)(
  'killed after a write of %s: it is recorded once, and the job is released once',
  async (_, earlier) => {
    const writes = await atEveryWrite(async (write) => {
      const { id } = await stage.parked();
      for (const person of earlier) await approve(id, person);
      const before = await counters();
      const isKilled = await killedAt(write, 'after', () => approve(id, ANA));
      expect([200, 409]).toContain(await insist(id, ANA));
      const { approval } = await stage.job(id);
      expect(approval?.decisions.map(({ approver }) => approver.email)).toEqual(
        [...earlier, ANA].map(({ email }) => email),
      );
      const isReleased = earlier.length > 0;
      const after = await counters();
      expect([after.recorded - before.recorded, after.released - before.released]).toEqual([
        1,
        isReleased ? 1 : 0,
      ]);
      expect([await stage.isListed(id, 'pending'), await stage.isListed(id, 'decided')]).toEqual([
        false,
        true,
      ]);
      expect(await stage.isListed(id, 'pending', CARLA)).toBe(!isReleased);
      await stage.run();
      expect((await stage.job(id)).state).toBe(isReleased ? 'Completed' : 'AwaitingApproval');
      return isKilled;
    });
    expect(writes).toBeGreaterThan(0);
  },
);

test('killed after a write of a rejection: the veto stands, and the file goes back once', async () => {
  const writes = await atEveryWrite(async (write) => {
    const name = `veto-${write}.rem`;
    const content = paid();
    const job = await stage.parked(name, content);
    await approve(job.id, ANA);
    const before = await counters();
    const isKilled = await killedAt(write, 'after', () => approve(job.id, BRUNO, 'rejected'));
    expect([200, 409]).toContain(await insist(job.id, BRUNO, 'rejected'));
    await stage.recover();
    expect(await stage.job(job.id)).toMatchObject({ state: 'Canceled', isRejected: true });
    expect((await counters()).rejected - before.rejected).toBe(1);
    expect(await store().head(`output/veto-${write}.reject.rem`)).toMatchObject({ length: content.length });
    expect([await store().head(job.inputKey ?? ''), await store().head(stagedKey(job))]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await stage.isListed(job.id, 'pending', CARLA)).toBe(false);
    return isKilled;
  });
  expect(writes).toBeGreaterThan(2);
});

test('killed after a write between quorum and release: the job is signed once, or fails and is not signed again', async () => {
  const ends = new Set<string>();
  const writes = await atEveryWrite(async (write) => {
    const name = `sign-${write}.rem`;
    const { id } = await stage.parked(name);
    await approve(id, ANA);
    await approve(id, BRUNO);
    const isKilled = await killedAt(write, 'after', () => stage.run());
    await stage.recover();
    const job = await stage.job(id);
    ends.add(job.state);
    expect([write, job.errorCode]).toEqual([write, job.state === 'Completed' ? null : 'job.interrupted']);
    expect(job.approval?.decisions).toHaveLength(2);
    const output = await store().head(`output/sign-${write}.signed.rem`);
    expect(output === undefined).toBe(job.state !== 'Completed');
    return isKilled;
  });
  expect(writes).toBeGreaterThan(4);
  expect(ends).toEqual(new Set(['Failed', 'Completed']));
});

/** A job that was canceled, whatever was killed: told once, listed nowhere, its copy in error/, its input in place. */
async function expectCanceled(job: Job, content: string, type: 'ApprovalExpired' | 'JobCanceled') {
  expect(await stage.job(job.id)).toMatchObject({ state: 'Canceled', isRejected: false, outputName: null });
  const { events } = await readEvents({ offset: 0, limit: 200 }, type);
  expect(events.filter(({ jobId }) => jobId === job.id)).toHaveLength(1);
  expect([await stage.isListed(job.id, 'pending'), await stage.isListed(job.id, 'pending', BRUNO)]).toEqual([
    false,
    false,
  ]);
  expect(await stage.isListed(job.id, 'decided', CARLA)).toBe(true);
  const { length } = content;
  expect(await store().head(job.inputKey ?? '')).toMatchObject({ length });
  expect(await store().head(`error/${job.id}/${job.fileName}`)).toMatchObject({ length });
  expect(await store().head(stagedKey(job))).toBeUndefined();
}

// Before a write is after the one before it. Only before the first there is none.
test('killed before or after a write of an expiry: the job is canceled and counted once', async () => {
  await stage.profile({ name: 'expira', checkCnab240: true, approval: stage.approval });
  const expired = () => stage.counted('bulk_approvals_expired_total{profile="expira"}');
  const expireAt = (moment: 'before' | 'after') => async (write: number) => {
    vi.useRealTimers();
    const content = paid();
    const job = await stage.waiting('expira', `expira-${moment}-${write}.rem`, content);
    await approve(job.id, CARLA);
    const before = await expired();
    stage.stopClock((job.approval?.parkedAtMs ?? 0) + 172_800_000);
    const isKilled = await killedAt(write, moment, () => expireApproval(job.id, Date.now()));
    await stage.recover();
    expect([write, (await expired()) - before]).toEqual([write, 1]);
    await expectCanceled(job, content, 'ApprovalExpired');
    await expectCanceled(job, content, 'JobCanceled');
    return isKilled;
  };
  expect(await expireAt('before')(1)).toBe(true);
  const writes = await atEveryWrite(expireAt('after'));
  // The cancellation, the copy in error/, the staged copy, and the outbox.
  expect(writes).toBeGreaterThan(3);
});

test('killed before or after a write of an operator who cancels a parked job: it is canceled and counted once', async () => {
  const canceled = () => stage.counted('bulk_jobs_canceled_total');
  const cancelAt = (moment: 'before' | 'after') => async (write: number) => {
    const content = paid();
    const job = await stage.parked(`cancela-${moment}-${write}.rem`, content);
    await approve(job.id, CARLA);
    const before = await canceled();
    const cancel = () => cancelJob(OPERATOR, { id: job.id }, Date.now());
    const isKilled = await killedAt(write, moment, async () => {
      await cancel();
      await stage.runTasks();
    });
    // The operator got no answer, and cancels again.
    await cancel().catch(({ code }) => expect(code).toBe('job.not-queued'));
    await stage.recover();
    expect([write, (await canceled()) - before]).toEqual([write, 1]);
    await expectCanceled(job, content, 'JobCanceled');
    return isKilled;
  };
  expect(await cancelAt('before')(1)).toBe(true);
  const writes = await atEveryWrite(cancelAt('after'));
  expect(writes).toBeGreaterThan(3);
});
