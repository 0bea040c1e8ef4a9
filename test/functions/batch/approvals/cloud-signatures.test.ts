import type { SQSEvent } from 'aws-lambda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { cloudPanel } from '../../../../functions/batch/approvals/pages/cloud-panel.ts';
import { refusalText } from '../../../../functions/batch/approvals/pages/refusals.ts';
import { TASKS_QUEUE } from '../../../../functions/batch/jobs/domain/job/tasks.ts';
import { handler as runTask } from '../../../../functions/batch/pipeline/workers/run-task.ts';
import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { checkSignature } from '../../../../shared/signing/cms/signer-info.ts';
import { forFile } from '../../../runner/for-file.ts';
import { drainQueue } from '../../drain-queue.ts';
import type { HubInterference } from '../../hub/hub-server.ts';
import { ANA, BRUNO } from './approval-stage.ts';
import { cloudStage, cloudSteps } from './cloud-stage.ts';

const stage = await forFile(cloudStage());
afterEach(() => {
  vi.useRealTimers();
  stage.hub.interfere = () => undefined;
  stage.hub.calls.length = 0;
});

const { counted, onTheWayBack, decisionsOf } = cloudSteps(() => stage);

describe('an approver who signs with a cloud certificate', () => {
  test('is led to the provider by a page without scripts, comes back, and has approved', async () => {
    const id = await stage.toSign();
    const browser = await stage.browserOf(ANA);
    const page = await stage.begin(browser, id);
    expect(page.status).toBe(200);
    expect(page.headers.refresh).toMatch(/^0; url=http:\/\/localhost:\d+\/sandbox\/providers\/alpha\//);
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    expect(page.text).not.toContain('<script');
    expect(page.text).toContain('>Alpha Certificates</a>');
    expect(
      await counted(async () => {
        expect(await stage.comeHome(browser, await stage.authorize(page))).toBe(
          `jobs/${id}?recorded=approved`,
        );
      }),
    ).toEqual({ signed: 1 });
    expect(await decisionsOf(id)).toEqual([[ANA.email, true, 'LinkDerivedEmail']]);
    const [kept] = await stage.signatures(id);
    expect(kept).toMatchObject({ address: ANA.email, means: 'cloud' });
    if (kept) checkSignature(kept.state.signer, Buffer.from(kept.signature, 'base64'));
  });

  test('may reload the return: it leads to the job, and nothing is counted twice', async () => {
    const { id, browser, query } = await onTheWayBack();
    await stage.comeHome(browser, query);
    expect(
      await counted(async () => {
        expect(await stage.comeHome(browser, query)).toBe(`jobs/${id}?recorded=approved`);
        expect(await stage.comeHome(browser, { error: 'access_denied' })).toBe(
          `jobs/${id}?recorded=approved`,
        );
      }),
    ).toEqual({});
    expect(await decisionsOf(id)).toHaveLength(1);
  });

  // first   |--prepares--|--the provider signs ............ recorded --|
  // reload                     |--signing: nothing ended --|
  test('may reload the return while the provider signs: the signature is not lost', async () => {
    const { id, browser, query } = await onTheWayBack();
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<HubInterference>()];
    stage.hub.interfere = (name) => {
      if (name !== 'sign-hash') return undefined;
      reached.resolve();
      return released.promise;
    };
    const first = stage.comeHome(browser, query);
    await reached.promise;
    expect(await stage.comeHome(browser, query)).toBe(`jobs/${id}?problem=signing`);
    expect(await stage.comeHome(browser, { error: 'access_denied' })).toBe(`jobs/${id}?problem=signing`);
    released.resolve(undefined);
    expect(await first).toBe(`jobs/${id}?recorded=approved`);
    expect(await stage.signatures(id)).toHaveLength(1);
  });

  test('who does not allow it has decided nothing, and may begin again', async () => {
    const id = await stage.toSign();
    const browser = await stage.browserOf(ANA);
    const query = await stage.authorize(await stage.begin(browser, id), 'deny');
    expect(query).toEqual({ error: 'access_denied' });
    expect(
      await counted(async () => {
        expect(await stage.comeHome(browser, query)).toBe(`jobs/${id}?problem=provider-failed`);
        expect(await stage.comeHome(browser, query)).toBe(`jobs/${id}?problem=attempt-over`);
      }),
    ).toEqual({ 'provider-failed': 1 });
    expect(await decisionsOf(id)).toEqual([]);
    const again = await onTheWayBack(id);
    expect(await stage.comeHome(again.browser, again.query)).toBe(`jobs/${id}?recorded=approved`);
  });

  test('for whom no provider holds a certificate is told so', async () => {
    const id = await stage.toSign();
    const browser = await stage.browserOf(BRUNO);
    expect(
      await counted(async () => {
        const { status, headers } = await stage.begin(browser, id);
        expect([status, headers.location]).toEqual([303, `/batch/approvals/jobs/${id}?problem=no-provider`]);
      }),
    ).toEqual({ 'provider-failed': 1 });
  });

  test('chooses among several providers by links, and is not led on', async () => {
    stage.hub.interfere = (name) =>
      name === 'create'
        ? {
            instead: (given) => {
              const [service] = JSON.parse(given).services;
              const other = { ...service, serviceInfo: { ...service.serviceInfo, provider: '<b>Beta</b>' } };
              return JSON.stringify({ services: [service, other] });
            },
          }
        : undefined;
    const page = await stage.begin(await stage.browserOf(ANA), await stage.toSign());
    expect(page.headers.refresh).toBeUndefined();
    expect(page.text.match(/<a class="button wide"/g)).toHaveLength(2);
    expect(page.text).toContain('&lt;b&gt;Beta&lt;/b&gt;');
  });

  test('who leaves midway is counted as abandoned when the time is over', async () => {
    const id = await stage.toSign();
    const browser = await stage.browserOf(ANA);
    const query = await stage.authorize(await stage.begin(browser, id));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 60_000 + 1_000 });
    const sweep = scheduleHandler('batch', 'send-due', sendDueMessages('batch'), () => Date.now());
    expect(
      await counted(async () => {
        expect(await stage.comeHome(browser, query)).toBe(`jobs/${id}?problem=attempt-over`);
        await sweep();
        await drainQueue('batch', TASKS_QUEUE, runTask as (event: SQSEvent) => ReturnType<typeof runTask>);
      }),
    ).toMatchObject({ abandoned: expect.any(Number) });
    expect((await stage.attempt(browser))?.outcome).toBe('abandoned');
  });
});

describe('a certificate', () => {
  test.each([
    [
      'of another CPF',
      'cpf-mismatch',
      'approval.certificate-cpf-mismatch',
      () => stage.certificateOf('47363361886'),
    ],
    ['that names no CPF', 'without-cpf', 'approval.certificate-without-cpf', () => stage.withoutCpf()],
    [
      'that was revoked',
      'certificate-invalid',
      'approval.certificate-invalid',
      () => stage.certificateOf('56072386105'),
    ],
    [
      'of somebody whom nobody trusts',
      'certificate-invalid',
      'approval.certificate-invalid',
      () => stage.certificateOf('87378011126'),
    ],
  ])('%s is refused before anything is signed', async (_, outcome, code, certificate) => {
    const { id, browser, query } = await onTheWayBack();
    const content = certificate().der.toString('base64');
    stage.hub.interfere = (name) =>
      name === 'certificate'
        ? { status: 200, body: JSON.stringify({ content, alias: 'a', serviceName: 'alpha' }) }
        : undefined;
    expect(
      await counted(async () => {
        expect(await stage.comeHome(browser, query)).toBe(`jobs/${id}?problem=${code}`);
      }),
    ).toEqual({ [outcome]: 1 });
    expect(stage.hub.calls).not.toContain('sign-hash');
    expect(await decisionsOf(id)).toEqual([]);
  });

  test('whose signature is another one is refused: a hub cannot decide for anybody', async () => {
    const { id, browser, query } = await onTheWayBack();
    stage.hub.interfere = (name) =>
      name === 'sign-hash'
        ? { status: 200, body: JSON.stringify(Buffer.alloc(256, 7).toString('base64')) }
        : undefined;
    expect(
      await counted(async () => {
        expect(await stage.comeHome(browser, query)).toBe(`jobs/${id}?problem=approval.signature-invalid`);
      }),
    ).toEqual({ 'signature-invalid': 1 });
    expect(await decisionsOf(id)).toEqual([]);
  });
});

describe('signatures of one person', () => {
  // window 1  |--begins, is asked to sign ............. recorded --|
  // window 2  |--begins, is asked to sign ............. signature-conflict --|
  test('in two windows at once: one is recorded, the other is a conflict', async () => {
    const id = await stage.toSign();
    const windows = [await onTheWayBack(id), await onTheWayBack(id)];
    const both = Promise.withResolvers<undefined>();
    let waiting = 0;
    stage.hub.interfere = (name) => {
      if (name !== 'sign-hash') return undefined;
      if (++waiting === 2) both.resolve(undefined);
      return both.promise;
    };
    expect(
      await counted(async () => {
        const ends = await Promise.all(windows.map(({ browser, query }) => stage.comeHome(browser, query)));
        expect(ends.toSorted()).toEqual([
          `jobs/${id}?problem=approval.signature-conflict`,
          `jobs/${id}?recorded=approved`,
        ]);
      }),
    ).toEqual({ signed: 1, conflict: 1 });
    expect(await stage.signatures(id)).toHaveLength(1);
  });

  test('one after the other: the second is a conflict before anything is signed', async () => {
    const id = await stage.toSign();
    const [first, second] = [await onTheWayBack(id), await onTheWayBack(id)];
    await stage.comeHome(first.browser, first.query);
    stage.hub.calls.length = 0;
    expect(
      await counted(async () => {
        expect(await stage.comeHome(second.browser, second.query)).toBe(
          `jobs/${id}?problem=approval.signature-conflict`,
        );
      }),
    ).toEqual({ conflict: 1 });
    expect(stage.hub.calls).not.toContain('sign-hash');
  });
});

describe('a signature begins', () => {
  test('for nobody but a member of the frozen pool who has not decided', async () => {
    const id = await stage.toSign();
    const eve = await stage.browserOf({ email: 'eve@sandbox.example' });
    expect((await stage.begin(eve, id)).status).toBe(404);
    const { browser, query } = await onTheWayBack(id);
    await stage.comeHome(browser, query);
    expect((await stage.begin(browser, id)).status).toBe(409);
  });

  test('by no page of another site, and without a session for nobody', async () => {
    const id = await stage.toSign();
    const browser = await stage.browserOf(ANA);
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await stage.begin(browser, id, { headers })).status).toBe(403);
    expect((await stage.begin({ person: ANA, cookies: new Map() }, id)).status).toBe(401);
    expect(stage.hub.calls).toEqual([]);
  });

  test('after the second factor, where one is asked for', async () => {
    const id = await stage.toSign();
    vi.stubEnv('ApproverSecondFactor__Enabled', 'true');
    const { status, headers } = await stage.begin(await stage.browserOf(ANA), id);
    vi.stubEnv('ApproverSecondFactor__Enabled', 'false');
    expect([status, headers.location]).toEqual([
      303,
      expect.stringMatching(/\?problem=(code-required|not-enrolled)$/),
    ]);
    expect(stage.hub.calls).toEqual([]);
  });
});

test('the panel of the job’s page is a form without a script, with a field for the code where one is needed', () => {
  const panel = String(cloudPanel({ language: 'en', jobId: 'j"1', needsCode: false }));
  expect(panel).toContain('action="/batch/approvals/jobs/j%221/cloud-signature"');
  expect(panel).not.toContain('name="code"');
  expect(String(cloudPanel({ language: 'pt-BR', jobId: 'j1', needsCode: true }))).toMatch(
    /<label for="cloud-code">[\s\S]*name="code"[\s\S]*Assinar e aprovar na nuvem/,
  );
});

test('a problem in the address is one of ours, in both languages, or shows nothing', () => {
  expect(refusalText('en', 'approval.certificate-cpf-mismatch')).toContain('another person');
  expect(refusalText('pt-BR', 'no-provider')).toContain('Nenhum provedor');
  for (const code of ['__proto__', 'toString', 'Call 0800 and pay', ''])
    expect(refusalText('en', code)).toBeUndefined();
});
