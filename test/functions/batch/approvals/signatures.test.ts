import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { attempts } from '../../../../functions/batch/approvals/domain/signatures/attempt.ts';
import { handler as getDetails } from '../../../../functions/batch/endpoints/get-ready-details.ts';
import { handler as runTask } from '../../../../functions/batch/pipeline/workers/run-task.ts';
import { runs } from '../../../faults/fuzz.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ask } from '../jobs/operator.ts';
import { ANA, BRUNO, CARLA } from './approval-stage.ts';
import { signingStage } from './signing-stage.ts';

const APPROVERS = [ANA, BRUNO, CARLA];
const ruleOf = (signerSet: string, quorum = 2) => ({ quorum, approvers: APPROVERS, signerSet });
const FIELDS = { format: 'Cades', checkCnab240: true };

const stage = await forFile(signingStage());
await stage.profile({ name: 'both', ...FIELDS, approval: ruleOf('ProfileAndApprovers') });
await stage.keyless({ name: 'people', ...FIELDS, approval: ruleOf('Approvers') });
afterEach(() => {
  vi.useRealTimers();
});

describe('a certificate is refused, and the attempt counted', () => {
  test.each([
    ['that expired', '12345678909', 'approval.certificate-invalid', 'certificate-invalid'],
    ['that was revoked', '56072386105', 'approval.certificate-invalid', 'certificate-invalid'],
    [
      'of an authority that is not trusted',
      '87378011126',
      'approval.certificate-invalid',
      'certificate-invalid',
    ],
    ['of a company', '11222333000181', 'approval.certificate-without-cpf', 'without-cpf'],
    ['of somebody else', BRUNO.cpf, 'approval.certificate-cpf-mismatch', 'cpf-mismatch'],
  ])('%s', async (_, cpf, code, outcome) => {
    const { id } = await stage.waiting('both');
    const before = await stage.attempts(outcome);
    const { status, body } = await stage.prepareWith(ANA, id, cpf);
    expect([status, body]).toEqual([200, { outcome: 'refused', code }]);
    expect(await stage.attempts(outcome)).toBe(before + 1);
    expect((await stage.job(id)).approval?.decisions).toEqual([]);
  });

  test.each(['', 'not base64 !', 'MIIB', Buffer.from('no certificate').toString('base64')])(
    'that cannot be read: %j',
    async (certificate) => {
      const { id } = await stage.waiting('both');
      const before = await stage.attempts('certificate-invalid');
      const { body } = await stage.prepare(ANA, id, { certificate });
      expect(body).toEqual({ outcome: 'refused', code: 'approval.certificate-invalid' });
      expect(await stage.attempts('certificate-invalid')).toBe(before + 1);
    },
  );
});

test('a certificate with any bytes changed is prepared or refused, and never an error', async () => {
  const { id } = await stage.waiting('both');
  const { certificate } = await stage.keyOf(ANA.cpf);
  const change = fc.record({ at: fc.nat(certificate.der.length - 1), by: fc.integer({ min: 1, max: 255 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const der = Buffer.from(certificate.der);
      for (const { at, by } of changes) der[at] = (der[at] ?? 0) ^ by;
      const { status, body } = await stage.prepare(ANA, id, { certificate: der.toString('base64') });
      expect([status, ['prepared', 'refused'].includes(String(body.outcome))]).toEqual([200, true]);
    }),
    { numRuns: runs(60) },
  );
});

describe('a signature', () => {
  const opened = async (person = ANA) => {
    const { id } = await stage.waiting('both');
    const { body } = await stage.prepareWith(person, id);
    expect(body).toMatchObject({ outcome: 'prepared', digestAlgorithm: 'SHA256' });
    return { id, body, signature: await stage.signatureOf(person, body) };
  };

  test('over other bytes is approval.signature-invalid, and nothing is recorded', async () => {
    const { id, body } = await opened();
    const other = await stage.signatureOf(ANA, { toSignHash: Buffer.alloc(32, 1).toString('base64') });
    const before = await stage.attempts('signature-invalid');
    const refused = { outcome: 'refused', code: 'approval.signature-invalid' };
    expect((await stage.complete(ANA, body.attemptId, other)).body).toEqual(refused);
    expect(await stage.attempts('signature-invalid')).toBe(before + 1);
    expect((await stage.job(id)).approval?.decisions).toEqual([]);
    expect((await stage.complete(ANA, body.attemptId, other)).status).toBe(409);
  });

  // window 1  |--prepares a------------------- signs, decides --|
  // window 2      |--prepares b----------------------- signs: signature-conflict
  test('of the same person in a second window is approval.signature-conflict', async () => {
    const { id, body, signature } = await opened();
    const second = (await stage.prepareWith(ANA, id)).body;
    const before = await stage.attempts('conflict');
    expect((await stage.complete(ANA, body.attemptId, signature)).body.outcome).toBe('signed');
    const late = await stage.complete(ANA, second.attemptId, await stage.signatureOf(ANA, second));
    expect(late.body).toEqual({ outcome: 'refused', code: 'approval.signature-conflict' });
    expect(await stage.attempts('conflict')).toBe(before + 1);
    expect((await stage.job(id)).approval?.decisions).toHaveLength(1);
    expect((await stage.prepareWith(ANA, id)).body.code).toBe('approval.already-decided');
  });

  test('of two windows at one moment is recorded once', async () => {
    const { id, body, signature } = await opened();
    const second = (await stage.prepareWith(ANA, id)).body;
    const answers = await Promise.all([
      stage.complete(ANA, body.attemptId, signature),
      stage.complete(ANA, second.attemptId, await stage.signatureOf(ANA, second)),
    ]);
    expect(answers.map((answer) => answer.body.outcome).toSorted()).toEqual(['refused', 'signed']);
    expect((await stage.job(id)).approval?.decisions).toHaveLength(1);
  });

  test('of an attempt of somebody else is job.not-found', async () => {
    const { body, signature } = await opened();
    expect((await stage.complete(BRUNO, body.attemptId, signature)).body.code).toBe('job.not-found');
    expect((await stage.fail(BRUNO, body.attemptId)).body.code).toBe('job.not-found');
    expect((await stage.complete(ANA, body.attemptId, signature)).body.outcome).toBe('signed');
  });

  test.each(['nope', 'a'.repeat(5_000), '\u0000'])(
    'of an attempt that cannot be is job.not-found: %.20j',
    async (attemptId) => {
      expect((await stage.complete(ANA, attemptId, Buffer.alloc(3))).body.code).toBe('job.not-found');
      expect((await stage.fail(ANA, attemptId)).body.code).toBe('job.not-found');
    },
  );

  test('is not taken from somebody outside of the frozen pool, nor for a job that the profile alone signs', async () => {
    const { id } = await stage.waiting('both');
    const eve = { email: 'eve@sandbox.example', cpf: ANA.cpf };
    expect((await stage.prepareWith(eve, id)).body.code).toBe('job.not-found');
    const { id: plain } = await stage.parked();
    expect((await stage.prepareWith(ANA, plain)).body.code).toBe('approval.not-pending');
  });

  test('that the page could not make is counted as browser-failed, once', async () => {
    const { id, body, signature } = await opened();
    const before = await stage.attempts('browser-failed');
    expect((await stage.fail(ANA, body.attemptId)).body).toEqual({ outcome: 'ended' });
    await stage.fail(ANA, body.attemptId);
    expect(await stage.attempts('browser-failed')).toBe(before + 1);
    expect((await stage.complete(ANA, body.attemptId, signature)).body.code).toBe('approval.not-pending');
    expect((await stage.job(id)).approval?.decisions).toEqual([]);
  });

  test('has at most three open attempts of a person at a job: the oldest are abandoned', async () => {
    const job = await stage.waiting('both');
    const before = await stage.attempts('abandoned');
    const opened: unknown[] = [];
    for (let n = 0; n < 5; n++) opened.push((await stage.prepareWith(ANA, job.id)).body.attemptId);
    const found = await Promise.all(opened.map((id) => attempts.get(String(id))));
    expect(found.map((attempt) => attempt?.outcome)).toEqual(['abandoned', 'abandoned', null, null, null]);
    expect(await stage.attempts('abandoned')).toBe(before + 2);
    const others = (await stage.prepareWith(BRUNO, job.id)).body.attemptId;
    expect((await attempts.get(String(others)))?.outcome).toBeNull();
  });

  test('that nobody came back for is counted as abandoned when its time is over', async () => {
    const { body, signature } = await opened();
    const before = await stage.attempts('abandoned');
    const expire = () =>
      runTask({
        Records: [
          {
            messageId: 'm',
            body: JSON.stringify({ task: 'expireSignature', attemptId: body.attemptId }),
            attributes: { ApproximateReceiveCount: '1' },
            messageAttributes: {},
          },
        ],
      } as never);
    stage.stopClock(Date.now() + 15 * 60_000 + 1);
    expect((await stage.complete(ANA, body.attemptId, signature)).body.code).toBe('approval.not-pending');
    await expire();
    await expire();
    expect(await stage.attempts('abandoned')).toBe(before + 1);
    expect((await attempts.get(String(body.attemptId)))?.outcome).toBe('abandoned');
  });
});

test('POST /api/approvals/{id} takes no approval without a signature, and takes a rejection', async () => {
  const { id } = await stage.waiting('both');
  const refused = await stage.decide(id, { email: ANA.email });
  expect([refused.status, (refused.json() as { code: string }).code]).toEqual([
    403,
    'approval.signature-required',
  ]);
  const rejected = await stage.decide(id, { email: ANA.email, decision: 'rejected' });
  expect(rejected.json()).toMatchObject({ terminated: true });
  expect((await stage.job(id)).state).toBe('Canceled');
});

test('with a second factor that asks for a code, nothing is prepared and no attempt is opened', async () => {
  const { id } = await stage.waiting('both');
  vi.stubEnv('ApproverSecondFactor__Enabled', 'true');
  const { status, body } = await stage.prepareWith(ANA, id);
  vi.stubEnv('ApproverSecondFactor__Enabled', 'false');
  expect([status, body.attemptId]).toEqual([200, undefined]);
  expect(['code-required', 'not-enrolled']).toContain(body.outcome);
});

test('readiness names profiles that approvers alone sign for, and counts them as ready', async () => {
  const { checks } = (await ask(getDetails)).json() as { checks: { name: string; ok: boolean }[] };
  const named = checks.filter(({ name }) => name.endsWith(':people'));
  expect(named).toEqual([
    { name: 'signing-profile-keyless:people', ok: true, detail: expect.stringContaining('approvers') },
  ]);
  expect(checks.map(({ name }) => name)).not.toContain('signing-profile-keyless:both');
});
