import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { decide } from '../../../../functions/batch/approvals/domain/decide.ts';
import { expireApproval } from '../../../../functions/batch/approvals/domain/expire-approval.ts';
import { handler as getApprovals } from '../../../../functions/batch/approvals/endpoints/get-approvals.ts';
import { sendHeartbeat } from '../../../../functions/batch/installation/cluster/domain/heartbeat.ts';
import { cancelJob } from '../../../../functions/batch/jobs/domain/cancel-job.ts';
import { jobs, stagedKey } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { handler as getJob } from '../../../../functions/batch/jobs/endpoints/get-job.ts';
import { readEvents } from '../../../../functions/batch/operations/domain/events.ts';
import { putProfile } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { files } from '../../../../shared/files/files.ts';
import { forFile } from '../../../runner/for-file.ts';
import { OPERATOR } from '../jobs/jobs-in-state.ts';
import { ask, refusalOf } from '../jobs/operator.ts';
import { ANA, type ApprovalStage, approvalStage, BRUNO, CARLA, paid } from './approval-stage.ts';

const stage = await forFile(approvalStage());
afterEach(() => {
  vi.useRealTimers();
});

const store = () => files('batch');
const textOf = async (key: string) => {
  const found = await store().get(key);
  return found && (await buffer(found.stream)).toString('latin1');
};
const codeOf = async (answer: ReturnType<ApprovalStage['decide']>) => {
  const { status, json } = await answer;
  return [status, (json() as { code?: string }).code];
};
const typesOf = async (jobId: string) => {
  const { events } = await readEvents({ offset: 0, limit: 50 });
  return events.filter((event) => event.jobId === jobId).map(({ type }) => type);
};
const as = ({ email }: { readonly email: string }, decision = 'approved') => ({ email, decision });

describe('a job with an approval rule', () => {
  test('waits with its rule, pool and content hash frozen, and takes no slot', async () => {
    const content = paid();
    const job = await stage.parked('frozen.rem', content);
    expect(job).toMatchObject({
      state: 'AwaitingApproval',
      approval: { quorum: 2, approvers: [ANA, BRUNO, CARLA], decisions: [], signerSet: 'Profile' },
    });
    expect(job.approval?.contentSha256).toBe(job.cnab240?.contentSha256);
    expect(await textOf(stagedKey(job))).toBe(content);
    await putProfile('test', { name: 'aprovacao', approval: { ...stage.approval, quorum: 1 } }, Date.now());
    expect((await stage.decide(job.id, as(ANA))).json()).toMatchObject({ required: 2, released: false });
    await putProfile('test', { name: 'aprovacao', approval: stage.approval }, Date.now());
    expect((await ask(getJob, { params: { id: job.id } })).json()).toMatchObject({
      approval: {
        required: 2,
        poolSize: 3,
        approved: 1,
        outstanding: 1,
        quorumReached: false,
        vetoed: false,
      },
    });
  });

  test('fails with approval.content-unmeasured where the profile does not check CNAB240', async () => {
    await stage.profile({ name: 'unmeasured', approval: stage.approval });
    const { id } = await stage.upload('unmeasured.bin', 'x', { profile: 'unmeasured' });
    await stage.run();
    expect(await stage.job(id)).toMatchObject({ state: 'Failed', errorCode: 'approval.content-unmeasured' });
  });

  test('is signed once its quorum is there, as the copy that was approved', async () => {
    const job = await stage.parked();
    expect((await stage.decide(job.id, { email: ' ANA@sandbox.example ' })).json()).toEqual({
      jobId: job.id,
      approverName: ANA.name,
      approved: 1,
      required: 2,
      outstanding: 1,
      quorumMet: false,
      released: false,
    });
    expect((await stage.decide(job.id, as(BRUNO))).json()).toMatchObject({ quorumMet: true, released: true });
    expect((await stage.job(job.id)).state).toBe('Queued');
    await stage.run();
    expect(await stage.job(job.id)).toMatchObject({ state: 'Completed', errorCode: null });
    expect(await typesOf(job.id)).toContain('ApprovalRecorded');
  });

  test('passes its gates again: a payment date that passed meanwhile is not signed', async () => {
    const job = await stage.parked();
    await stage.decide(job.id, as(ANA));
    await stage.decide(job.id, as(CARLA));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2100, 1, 1) });
    await stage.profile({ name: 'aprovacao', validateCertificate: false });
    await sendHeartbeat(Date.now());
    await stage.run();
    vi.useRealTimers();
    await stage.profile({ name: 'aprovacao', validateCertificate: true });
    expect(await stage.job(job.id)).toMatchObject({ errorCode: 'cnab240.payment-date-passed' });
  });

  test('whose staged copy was changed fails with approval.content-changed, and nothing is signed', async () => {
    const job = await stage.parked('changed.rem');
    await stage.decide(job.id, as(ANA));
    const before = await stage.counted('bulk_jobs_content_changed_total{profile="aprovacao"}');
    await store().put(stagedKey(job), Buffer.from(paid()), { contentType: 'application/octet-stream' });
    await stage.decide(job.id, as(BRUNO));
    await stage.run();
    expect(await stage.job(job.id)).toMatchObject({
      state: 'Failed',
      errorCode: 'approval.content-changed',
      outputName: null,
    });
    expect(await stage.counted('bulk_jobs_content_changed_total{profile="aprovacao"}')).toBe(before + 1);
  });
});

describe('a job that waits', () => {
  test('and was canceled by an operator takes no decision any more', async () => {
    const job = await stage.parked('operator.rem');
    await cancelJob(OPERATOR, { id: job.id, reason: 'No.' }, Date.now());
    expect((await stage.job(job.id)).state).toBe('Canceled');
    expect(await codeOf(stage.decide(job.id, as(ANA)))).toEqual([409, 'approval.not-pending']);
  });

  test('expires by the wall clock, and says so', async () => {
    const job = await stage.parked('expired.rem');
    const endsAtMs = (job.approval?.parkedAtMs ?? 0) + 172_800_000;
    expect(await expireApproval(job.id, endsAtMs - 1)).toBe('AwaitingApproval');
    expect(await expireApproval(job.id, endsAtMs)).toBe('Canceled');
    const { history } = await stage.job(job.id);
    expect(history.at(-1)?.message).toMatch(/^The approval window expired at /);
    expect(await typesOf(job.id)).toContain('ApprovalExpired');
    expect(await textOf(`error/${job.id}/expired.rem`)).toBeDefined();
  });

  test('takes no decision after its window, even before anybody expired it', async () => {
    const job = await stage.parked('late.rem');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 172_800_001 });
    expect(await codeOf(stage.decide(job.id, as(ANA)))).toEqual([409, 'approval.not-pending']);
    expect((await stage.job(job.id)).state).toBe('Canceled');
  });
});

test('a decision is refused in this order, with the codes of the specification', async () => {
  const job = await stage.parked('refusals.rem');
  const refused = (json: object, id = job.id) => codeOf(stage.decide(id, json));
  const long = 'x'.repeat(513);
  expect(await refused({ email: 'x', decision: 'maybe', reason: long }, 'x')).toEqual([
    400,
    'approval.unknown-decision',
  ]);
  expect(await refused({ email: 'x', reason: long }, 'x')).toEqual([400, 'validation.reason-too-long']);
  expect(await refused({ email: 'x' }, 'x')).toEqual([404, 'job.not-found']);
  expect(await refused({ email: 'no address' })).toEqual([403, 'approval.unknown-approver']);
  expect(await refused({ email: 'eve@sandbox.example' })).toEqual([403, 'approval.unknown-approver']);
  await stage.decide(job.id, as(ANA));
  expect(await refused(as(ANA, 'rejected'))).toEqual([409, 'approval.already-decided']);
  const stored = await jobs.get(job.id);
  if (stored) await jobs.put({ ...stored, approval: null });
  expect(await refused(as(BRUNO))).toEqual([500, 'approval.job-incomplete']);
  vi.stubEnv('ApproverSecondFactor__Enabled', 'true');
  expect(await refused({ email: 'x', decision: 'maybe' }, 'x')).toEqual([
    403,
    'approval.second-factor-required',
  ]);
  vi.stubEnv('ApproverSecondFactor__Enabled', 'false');
});

describe('the approval record', () => {
  test('has the rule, the pool and the decisions, and neither addresses of the network nor a CPF', async () => {
    const job = await stage.parked('record.rem');
    const read = () => ask(getApprovals, { params: { id: job.id } });
    expect((await read()).json()).toMatchObject({ decisions: [], rule: { quorum: 2 } });
    await stage.decide(job.id, as(CARLA));
    const text = JSON.stringify((await read()).json());
    expect(text).toContain('"identificationMethod":"SelfDeclaredEmail"');
    expect(text).toContain('***.***.***-35');
    expect(text).not.toMatch(/11144477735|ipAddress|userAgent/);
  });

  test('is not there for a job that never waited', async () => {
    const { id } = await stage.upload('plain.txt', 'x');
    await stage.run();
    expect(await refusalOf(getApprovals, { params: { id } })).toEqual([404, 'approval.not-required']);
  });
});

describe('decisions that meet', () => {
  test('with an expiry have one outcome: released or canceled, counted once', async () => {
    const expired = () => stage.counted('bulk_approvals_expired_total{profile="aprovacao"}');
    const released = () => stage.counted('bulk_jobs_released_by_approval_total{profile="aprovacao"}');
    for (let turn = 0; turn < 8; turn++) {
      const job = await stage.parked();
      await stage.decide(job.id, as(ANA));
      const before = [await expired(), await released()] as const;
      const endsAtMs = (job.approval?.parkedAtMs ?? 0) + 172_800_000;
      const person = { ...as(BRUNO), verdict: 'approved', reason: null, method: 'LinkDerivedEmail' } as const;
      const request = { ...person, jobId: job.id, ipAddress: '', userAgent: '' };
      await Promise.allSettled([expireApproval(job.id, endsAtMs), decide(request, endsAtMs - 1)]);
      const { state } = await stage.job(job.id);
      expect([state, (await expired()) - before[0], (await released()) - before[1]]).toEqual(
        state === 'Canceled' ? ['Canceled', 1, 0] : ['Queued', 0, 1],
      );
      await stage.run();
    }
  });

  test('with a cancel and a claim have one outcome', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const job = await stage.parked();
      await stage.decide(job.id, as(ANA));
      await Promise.allSettled([
        stage.decide(job.id, as(BRUNO)),
        stage.decide(job.id, as(CARLA, 'rejected')),
        cancelJob(OPERATOR, { id: job.id }, Date.now()),
        stage.run(),
      ]);
      await stage.run();
      const { state, isRejected, approval, errorCode } = await stage.job(job.id);
      const verdicts = approval?.decisions.map(({ verdict }) => verdict) ?? [];
      // approval.rejected cannot happen: a decision and a claim exclude each other.
      expect([errorCode, ['Completed', 'Canceled'].includes(state)]).toEqual([null, true]);
      expect(isRejected).toBe(verdicts.includes('rejected'));
      if (state === 'Completed') expect(verdicts).toEqual(['approved', 'approved']);
    }
  });
});
