import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { resetSecondFactor } from '../../../../functions/batch/approvals/domain/second-factor/enrol.ts';
import { handler as beginEnrolment } from '../../../../functions/batch/approvals/endpoints/begin-second-factor.ts';
import { handler as completeSignature } from '../../../../functions/batch/approvals/endpoints/complete-approver-signature.ts';
import { handler as confirmEnrolment } from '../../../../functions/batch/approvals/endpoints/confirm-second-factor.ts';
import { handler as decideInPortal } from '../../../../functions/batch/approvals/endpoints/decide-in-portal.ts';
import { handler as getApprovals } from '../../../../functions/batch/approvals/endpoints/get-approvals.ts';
import { handler as getEnrolment } from '../../../../functions/batch/approvals/endpoints/get-second-factor.ts';
import { handler as openLink } from '../../../../functions/batch/approvals/endpoints/open-link.ts';
import { handler as prepareSignature } from '../../../../functions/batch/approvals/endpoints/prepare-approver-signature.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import type { Account } from '../../../servers/oidc/accounts.ts';
import { startProvider, useProvider } from '../../../servers/oidc/start-provider.ts';
import { FORM } from '../auth/operator.ts';
import { newVisitor } from '../identity-provider/visitor.ts';
import { ANA, BRUNO, CARLA } from './approval-stage.ts';
import { codeAt, hasOathtool } from './oathtool.ts';
import { LINK_SECRET, tokenOf } from './portal/visit.ts';
import { type Person, signingStage } from './signing-stage.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const STEP = 30 * SECOND;

const stage = await forFile(signingStage());
const approval = { quorum: 2, approvers: [ANA, BRUNO, CARLA], signerSet: 'ProfileAndApprovers' };
await stage.profile({ name: 'assinada', format: 'Cades', checkCnab240: true, approval });
beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
  vi.stubEnv('ApproverPortal__LinkSecret', LINK_SECRET);
  vi.stubEnv('ApproverSecondFactor__Enabled', 'false');
});
afterEach(() => {
  vi.useRealTimers();
});

type Visitor = ReturnType<typeof newVisitor>;

/** Follows the link of somebody, in a browser of theirs. */
async function byLink({ email }: Pick<Person, 'email'>): Promise<Visitor> {
  const visitor = newVisitor();
  const { status } = await visitor.send(openLink, { params: { token: tokenOf(email) } });
  expect([status, visitor.cookies.has('lbs-approver')]).toEqual([303, true]);
  return visitor;
}

/** Signs somebody in at the identity provider, in a browser of theirs. */
async function byProvider(account: Account): Promise<Visitor> {
  const visitor = newVisitor();
  const { status, headers } = await visitor.signIn(account, '/approvals');
  expect([status, headers.location]).toEqual([302, '/batch/approvals']);
  return visitor;
}

const sendForm = ({ send }: Visitor, handler: Endpoint, form: Record<string, string>, id?: string) =>
  send(handler, {
    ...(id !== undefined && { params: { id } }),
    headers: { 'Content-Type': FORM, 'Sec-Fetch-Site': 'same-origin' },
    body: String(new URLSearchParams(form)),
  });

/** Presses the button to approve. Answers what the person sees then. */
const approve = async (visitor: Visitor, id: string, code = '') => {
  const form = { decision: 'approved', code };
  const { status, headers, text } = await sendForm(visitor, decideInPortal, form, id);
  if (headers.location === `/batch/approvals/jobs/${id}?recorded=approved`) return 'recorded';
  if (status === 403 && text.includes('Type the code of your authenticator app.')) return 'code-required';
  return headers.location ?? text;
};

/** Enrols a second factor with the key that the page shows. Answers the key. */
async function enrol(visitor: Visitor, nowMs: number): Promise<string> {
  expect((await sendForm(visitor, beginEnrolment, {})).status).toBe(303);
  const { text } = await visitor.send(getEnrolment);
  const [, key = ''] = /<code>((?:[A-Z2-7]{4} ?){8})<\/code>/.exec(text) ?? [];
  const { headers } = await sendForm(visitor, confirmEnrolment, { code: codeAt(key, nowMs) });
  expect(headers.location).toBe('/batch/approvals?enrolled=true');
  return key;
}

/** Runs the pipeline. Answers the state of the job, and how its record says that people were known. */
async function outcomeOf(id: string) {
  await stage.run();
  const { json } = await call(getApprovals, { params: { id }, headers: { 'X-API-Key': SANDBOX_KEY } });
  const { decisions } = json() as { decisions: { approverEmail: string; identificationMethod: string }[] };
  const known = decisions.map(({ approverEmail, identificationMethod }) => [
    approverEmail,
    identificationMethod,
  ]);
  return { state: (await stage.job(id)).state, known };
}

const LINKED = [
  [ANA.email, 'LinkDerivedEmail'],
  [BRUNO.email, 'LinkDerivedEmail'],
];

describe('two of three approvers complete a job', () => {
  test('by link', async () => {
    const { id } = await stage.parked();
    expect(await approve(await byLink(ANA), id)).toBe('recorded');
    expect(await outcomeOf(id)).toEqual({ state: 'AwaitingApproval', known: LINKED.slice(0, 1) });
    expect(await approve(await byLink(BRUNO), id)).toBe('recorded');
    expect(await outcomeOf(id)).toEqual({ state: 'Completed', known: LINKED });
  });

  test('one by REST and one by link', async () => {
    const { id } = await stage.parked();
    expect((await stage.decide(id, { email: CARLA.email })).json()).toMatchObject({ outstanding: 1 });
    expect((await outcomeOf(id)).state).toBe('AwaitingApproval');
    expect(await approve(await byLink(BRUNO), id)).toBe('recorded');
    expect(await outcomeOf(id)).toEqual({
      state: 'Completed',
      known: [
        [CARLA.email, 'SelfDeclaredEmail'],
        [BRUNO.email, 'LinkDerivedEmail'],
      ],
    });
  });
});

describe('with an identity provider', () => {
  let provider: Awaited<ReturnType<typeof startProvider>>;
  beforeAll(async () => {
    provider = await startProvider();
  });
  afterAll(async () => {
    vi.stubEnv('Idp__Authority', undefined);
    await provider.stop();
  });
  beforeEach(() => useProvider(provider.issuer));

  const SIGNED_IN = [
    [ANA.email, 'EntraIdEmail'],
    [BRUNO.email, 'EntraIdEmail'],
  ];

  test('two of three approvers who signed in there complete a job', async () => {
    const { id } = await stage.parked();
    expect(await approve(await byProvider('ana'), id)).toBe('recorded');
    expect(await outcomeOf(id)).toEqual({ state: 'AwaitingApproval', known: SIGNED_IN.slice(0, 1) });
    expect(await approve(await byProvider('bruno'), id)).toBe('recorded');
    expect(await outcomeOf(id)).toEqual({ state: 'Completed', known: SIGNED_IN });
  });

  test.skipIf(!hasOathtool)(
    'two of three approvers who signed in there complete a job, each with a second factor',
    async () => {
      vi.stubEnv('ApproverSecondFactor__Enabled', 'true');
      const { id } = await stage.parked();
      for (const account of ['ana', 'bruno'] as const) {
        const visitor = await byProvider(account);
        expect(await approve(visitor, id)).toBe(`/batch/approvals/second-factor?job=${id}`);
        await enrol(visitor, Date.now());
        expect(await approve(visitor, id)).toBe('recorded');
      }
      expect(await outcomeOf(id)).toEqual({ state: 'Completed', known: SIGNED_IN });
      for (const { email } of [ANA, BRUNO]) await resetSecondFactor('test', email, Date.now());
    },
  );

  test('somebody with the role Approver whose address is not in the pool decides nothing', async () => {
    const { id } = await stage.parked();
    const { status } = await sendForm(await byProvider('both'), decideInPortal, { decision: 'approved' }, id);
    expect([status, await outcomeOf(id)]).toEqual([404, { state: 'AwaitingApproval', known: [] }]);
  });
});

describe.skipIf(!hasOathtool)('with a second factor', () => {
  let startMs: number;
  beforeEach(() => {
    vi.stubEnv('ApproverSecondFactor__Enabled', 'true');
    vi.stubEnv('ApproverSecondFactor__WindowMinutes', '20');
    startMs = Date.now();
    stage.stopClock(startMs);
  });
  afterEach(async () => {
    for (const { email } of [ANA, BRUNO]) await resetSecondFactor('test', email, Date.now());
  });

  const enrolled = async (person: Person) => {
    const visitor = await byLink(person);
    const key = await enrol(visitor, startMs);
    return { person, visitor, codeNow: () => codeAt(key, Date.now()) };
  };
  const bothEnrolled = async () => [await enrolled(ANA), await enrolled(BRUNO)] as const;

  test('two of three complete a job within the window without another code, and after it with one', async () => {
    const [within, after] = [await stage.parked(), await stage.parked()];
    expect((await stage.decide(within.id, { email: CARLA.email })).json()).toMatchObject({
      code: 'approval.second-factor-required',
    });
    expect(await approve(await byLink(ANA), within.id)).toBe(
      `/batch/approvals/second-factor?job=${within.id}`,
    );
    const people = await bothEnrolled();
    stage.stopClock(startMs + 20 * MINUTE - 1);
    for (const { visitor } of people) expect(await approve(visitor, within.id)).toBe('recorded');
    expect(await outcomeOf(within.id)).toEqual({ state: 'Completed', known: LINKED });

    stage.stopClock(startMs + 20 * MINUTE);
    for (const { visitor } of people) expect(await approve(visitor, after.id)).toBe('code-required');
    expect(await outcomeOf(after.id)).toEqual({ state: 'AwaitingApproval', known: [] });
    for (const { visitor, codeNow } of people)
      expect(await approve(visitor, after.id, codeNow())).toBe('recorded');
    expect(await outcomeOf(after.id)).toEqual({ state: 'Completed', known: LINKED });
  });

  test('and a window of 0, two of three complete each job with a code each', async () => {
    vi.stubEnv('ApproverSecondFactor__WindowMinutes', '0');
    const people = await bothEnrolled();
    for (const steps of [2, 4]) {
      const { id } = await stage.parked();
      stage.stopClock(startMs + steps * STEP);
      for (const { visitor, codeNow } of people) {
        expect(await approve(visitor, id)).toBe('code-required');
        expect(await approve(visitor, id, codeNow())).toBe('recorded');
      }
      expect(await outcomeOf(id)).toEqual({ state: 'Completed', known: LINKED });
    }
  });

  type Signer = Awaited<ReturnType<typeof enrolled>>;

  /** Calls an endpoint as the script of the signing page does. */
  const asScript = async (
    { visitor }: Signer,
    handler: Endpoint,
    params: Record<string, string>,
    json: object,
  ) => {
    const headers = { Accept: 'application/json', 'Sec-Fetch-Site': 'same-origin' };
    const answer = await visitor.send(handler, { params, json, headers });
    // The pages renew the cookie; a script has no use for it.
    expect([answer.status, answer.cookies]).toEqual([200, []]);
    return answer.json() as Record<string, unknown>;
  };
  const prepare = async (signer: Signer, id: string, code?: string) => {
    const { certificate } = await stage.keyOf(signer.person.cpf);
    const request = { certificate: certificate.der.toString('base64'), code };
    return asScript(signer, prepareSignature, { id }, request);
  };
  const complete = async (signer: Signer, prepared: Record<string, unknown>) => {
    const signature = await stage.signatureOf(signer.person, prepared);
    const params = { attemptId: String(prepared.attemptId) };
    return asScript(signer, completeSignature, params, { signature: signature.toString('base64') });
  };

  test('a signature that is prepared within the window and completed after it records nothing', async () => {
    const { id } = await stage.waiting('assinada');
    const people = await bothEnrolled();
    stage.stopClock(startMs + 20 * MINUTE - SECOND);
    const prepared = [];
    for (const signer of people) prepared.push([signer, await prepare(signer, id)] as const);
    stage.stopClock(startMs + 20 * MINUTE);
    for (const [signer, begun] of prepared) {
      expect(begun.outcome).toBe('prepared');
      expect(await complete(signer, begun)).toEqual({ outcome: 'code-required' });
      expect(await prepare(signer, id)).toEqual({ outcome: 'code-required' });
    }
    expect(await outcomeOf(id)).toEqual({ state: 'AwaitingApproval', known: [] });

    for (const signer of people) {
      const again = await prepare(signer, id, signer.codeNow());
      expect(await complete(signer, again)).toMatchObject({ outcome: 'signed' });
    }
    expect(await outcomeOf(id)).toEqual({ state: 'Completed', known: LINKED });
  });

  test('and a window of 0, the code of the first step is enough for a signature', async () => {
    vi.stubEnv('ApproverSecondFactor__WindowMinutes', '0');
    const { id } = await stage.waiting('assinada');
    const people = await bothEnrolled();
    stage.stopClock(startMs + 2 * STEP);
    const prepared = [];
    for (const signer of people) {
      expect(await prepare(signer, id)).toEqual({ outcome: 'code-required' });
      prepared.push([signer, await prepare(signer, id, signer.codeNow())] as const);
    }
    stage.stopClock(startMs + 10 * MINUTE);
    for (const [signer, begun] of prepared)
      expect(await complete(signer, begun)).toMatchObject({ outcome: 'signed' });
    expect(await outcomeOf(id)).toEqual({ state: 'Completed', known: LINKED });
  });
});
