import { describe, expect, test, vi } from 'vitest';
import { monthOf, usageOf } from '../../../../../functions/documents/domain/billing/usage.ts';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { webhooks } from '../../../../../functions/documents/domain/document/webhook-engine.ts';
import { concludeDocument } from '../../../../../functions/documents/domain/ending/conclude-document.ts';
import { files } from '../../../../../shared/files/files.ts';
import { listDeliveries, readDelivery } from '../../../../../shared/webhooks/deliveries/list-deliveries.ts';
import { addWebhook } from '../../../../../shared/webhooks/registrations/registrations.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { asApplication, byKey, partsOf, sign } from './calls.ts';
import { approver, current, pendingDocument, signer } from './pending-document.ts';
import { signingStage } from './stage.ts';

const [FIRST, SECOND] = ['52998224725', '47363361886'] as const;

const stage = await forFile(signingStage());
const pdf = await plainPdf('table');
vi.stubEnv('Webhooks__AllowPrivateNetworks', 'true');
const wish = { url: 'http://127.0.0.1:9/', authType: 'NoAuth' } as const;
const added = await addWebhook(webhooks, stage.orgId, wish);
if ('refused' in added) throw new Error(added.message);
const webhookId = added.id;

const waiting = (...flow: unknown[]) => pendingDocument({ organizationId: stage.orgId, bytes: pdf, flow });
const ask = (...call: Parameters<ReturnType<typeof asApplication>>) => asApplication(stage.key)(...call);
type Event = { readonly type: string; readonly dueInMs: number; readonly data: Record<string, unknown> };

/** The events of a document for the organization's webhook, the earliest first. */
async function toldOf({ id }: { readonly id: string }): Promise<Event[]> {
  const page = await listDeliveries(webhooks, webhookId, { limit: 100 });
  if ('refused' in page) throw new Error('There is a first page.');
  const told = await Promise.all(
    page.items.map(async ({ id: eventId, nextAttemptAtMs = 0, createdAtMs }) => {
      const { body = '{}' } = (await readDelivery(webhooks, webhookId, eventId)) ?? {};
      return { ...(JSON.parse(body) as Event), dueInMs: nextAttemptAtMs - createdAtMs };
    }),
  );
  return told.filter(({ data }) => data.id === id).reverse();
}

describe('approvals', () => {
  test('complete a flow of their own, which is then concluded with nothing to verify', async () => {
    const month = monthOf(Date.now());
    const before = await usageOf(stage.orgId, month);
    const document = await waiting(approver('a@example.com'), approver('b@example.com', { step: 2 }));
    const url = (await ask('action-url', document, { emailAddress: 'a@example.com' })).json() as {
      url: string;
    };
    const { key, ticket } = partsOf(url.url);
    expect((await byKey('approve', key, { ticket })).status).toBe(200);
    expect((await byKey('approve', key, { ticket })).json()).toMatchObject({ code: 'InvalidFlowAction' });
    expect((await ask('approve', document, { emailAddress: 'B@EXAMPLE.com' })).status).toBe(200);
    expect(await current(document)).toMatchObject({ state: 'FlowConcluded', signed: null });
    expect(await concludeDocument(document.id, Date.now())).toBe('concluded');
    expect(await concludeDocument(document.id, Date.now())).toBe('not-due');
    expect(await current(document)).toMatchObject({ state: 'Concluded' });
    expect((await usageOf(stage.orgId, month)).Approval - before.Approval).toBe(2);

    const told = await toldOf(document);
    expect(told.map(({ type }) => type).toSorted()).toEqual([
      'DocumentApproved',
      'DocumentApproved',
      'DocumentConcluded',
    ]);
    const concluded = told.find(({ type }) => type === 'DocumentConcluded');
    expect(concluded?.dueInMs).toBe(60_000);
  });

  test('are of the person or the action that is named, else whoever alone is waited for', async () => {
    const document = await waiting(approver('a@example.com'), approver('b@example.com'), signer(FIRST));
    const [, second, third] = document.flow;
    const refused = [
      [{ emailAddress: 'c@example.com' }, 'Nobody by this CPF or e-mail address takes part in the flow.'],
      [{ flowActionId: third?.id }, 'The action asks for a signature.'],
      [{ identifier: FIRST }, 'The action asks for a signature.'],
    ] as const;
    for (const [who, reason] of refused)
      expect((await ask('approve', document, who)).json()).toMatchObject({
        code: 'InvalidFlowAction',
        details: { reason },
      });
    expect((await ask('approve', document, {})).json()).toMatchObject({
      code: 'InvalidFlowAction',
      details: { reason: expect.stringContaining('Name one') },
    });
    await ask('approve', document, { flowActionId: second?.id });
    expect((await current(document)).flow.map(({ state }) => state)).toEqual([
      'Pending',
      'Completed',
      'Pending',
    ]);
    await ask('approve', document, {});
    expect((await current(document)).flow.map(({ state }) => state)).toEqual([
      'Completed',
      'Completed',
      'Pending',
    ]);
  });

  test('a shared address never stands for somebody with another CPF: a repeated approval approves for nobody', async () => {
    const shared = (identifier: string) => ({
      type: 'Approver',
      user: { name: identifier, identifier, email: 'board@example.com' },
    });
    const document = await waiting(shared(FIRST), shared(SECOND));
    const who = { identifier: SECOND, emailAddress: 'board@example.com' };
    expect((await ask('approve', document, who)).status).toBe(200);
    expect((await ask('approve', document, who)).json()).toMatchObject({ code: 'InvalidFlowAction' });
    expect((await current(document)).flow.map(({ state }) => state)).toEqual(['Pending', 'Completed']);
    const stranger = { identifier: '20406080100', emailAddress: 'board@example.com' };
    expect((await ask('action-url', document, stranger)).json()).toMatchObject({ code: 'InvalidFlowAction' });
  });

  test('all at once are all counted', async () => {
    const addresses = Array.from({ length: 12 }, (_, n) => `a${n}@example.com`);
    const document = await waiting(...addresses.map((address) => approver(address)));
    const answers = await Promise.all(
      addresses.map((emailAddress) => ask('approve', document, { emailAddress })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(await current(document)).toMatchObject({ state: 'FlowConcluded' });
  });
});

describe('a refusal', () => {
  test('by a participant ends the flow, with the reason told to everyone', async () => {
    const document = await waiting(signer(FIRST), signer(SECOND));
    const { url } = (await ask('action-url', document, { identifier: SECOND })).json() as { url: string };
    const { key, ticket } = partsOf(url);
    expect((await byKey('refuse', key, { ticket, reason: '  ' })).status).toBe(400);
    expect((await byKey('refuse', key, { ticket, reason: 'Wrong amount.' })).status).toBe(200);
    const person = document.flow[1]?.people[0];
    expect(await current(document)).toMatchObject({
      state: 'Refused',
      statusUpdatedBy: { id: person?.id, name: person?.name, type: 'User' },
      statusUpdateReason: 'Wrong amount.',
      flow: [{ state: 'Pending' }, { state: 'Refused', refusal: { reason: 'Wrong amount.' } }],
    });
    expect(await toldOf(document)).toMatchObject([
      {
        type: 'DocumentRefused',
        data: {
          refusal: { reason: 'Wrong amount.', identifier: SECOND, flowActionId: document.flow[1]?.id },
        },
      },
    ]);
    expect((await byKey('refuse', key, { ticket, reason: 'Again.' })).json()).toMatchObject({
      code: 'InvalidDocumentStatus',
      details: { status: 'Refused', operation: 'refuse' },
    });
  });

  test('by an application that names nobody, where several are awaited, is its own: it refuses the document', async () => {
    const document = await waiting(signer(FIRST), signer(SECOND));
    const url = (await ask('action-url', document, { identifier: FIRST })).json() as { url: string };
    expect((await ask('refuse', document, { reason: 'Replaced.' })).status).toBe(200);
    expect(await current(document)).toMatchObject({
      state: 'Refused',
      statusUpdatedBy: { name: stage.orgId, type: 'Application' },
      statusUpdateReason: 'Replaced.',
      flow: [
        { state: 'Pending', refusal: null },
        { state: 'Pending', refusal: null },
      ],
    });
    // The application of the test is named after its organization.
    const refusal = { flowActionId: null, userId: stage.orgId, name: stage.orgId, reason: 'Replaced.' };
    expect(await toldOf(document)).toMatchObject([
      { type: 'DocumentRefused', data: { refusal: { ...refusal, identifier: null, emailAddress: null } } },
    ]);
    // Nobody can act any more, and a second refusal is none.
    const { key, ticket } = partsOf(url.url);
    expect((await byKey('refuse', key, { ticket, reason: 'No.' })).json()).toMatchObject({
      code: 'InvalidDocumentStatus',
    });
    expect((await ask('refuse', document, { reason: 'Again.' })).json()).toMatchObject({
      code: 'InvalidDocumentStatus',
    });
    // An action of several people is not the whole document: one of them must be named.
    const signRuleUsers = [FIRST, SECOND].map((identifier) => ({ name: identifier, identifier }));
    const rule = await waiting({ type: 'SignRule', signRuleUsers });
    expect(
      (await ask('refuse', rule, { reason: 'No.', flowActionId: rule.flow[0]?.id })).json(),
    ).toMatchObject({ code: 'InvalidFlowAction', details: { reason: expect.stringContaining('Name one') } });
  });

  test('by an application is in the name of the person it says, else of whoever alone is waited for', async () => {
    const [one, other] = [await waiting(signer(FIRST), signer(SECOND)), await waiting(signer(FIRST))];
    await ask('refuse', one, { reason: 'No.', identifier: SECOND });
    await ask('refuse', other, { reason: 'No.' });
    expect((await current(one)).flow[1]).toMatchObject({
      state: 'Refused',
      refusal: { by: { identifier: SECOND } },
    });
    expect(await current(other)).toMatchObject({
      statusUpdatedBy: { type: 'Application' },
      flow: [{ refusal: { by: { identifier: FIRST } } }],
    });
    expect(
      (await ask('refuse', await waiting(signer(FIRST)), { reason: 'No.', identifier: SECOND })).json(),
    ).toMatchObject({
      code: 'InvalidFlowAction',
    });
  });
});

describe('the conclusion', () => {
  test('comes after the last step, and every signature is told with who made it', async () => {
    const document = await waiting(signer(FIRST), signer(SECOND, { step: 2 }));
    expect((await sign(stage.key, document, stage.holder(SECOND))).json()).toMatchObject({
      code: 'CpfNotExpected',
    });
    for (const cpf of [FIRST, SECOND]) await sign(stage.key, document, stage.holder(cpf));
    expect(await concludeDocument(document.id, Date.now())).toBe('concluded');
    const told = await toldOf(document);
    expect(told.map(({ type }) => type).toSorted()).toEqual([
      'DocumentConcluded',
      'DocumentSigned',
      'DocumentSigned',
    ]);
    expect(told.flatMap(({ data }) => data.signature ?? [])).toEqual(
      expect.arrayContaining(
        [FIRST, SECOND].map((identifier, at) => ({
          flowActionId: document.flow[at]?.id,
          date: expect.any(String),
          userId: document.flow[at]?.people[0]?.id,
          name: `Signer ${identifier}`,
          identifier,
          emailAddress: null,
        })),
      ),
    );
  });

  test('comes for signatures that are shown: what each signer of the flow shows is no change to the others', async () => {
    const shownAt = (y: number) => ({ prePositionedMarks: [{ page: 1, x: 50, y, width: 200, height: 50 }] });
    const flow = [signer(FIRST, shownAt(100)), signer(SECOND, { step: 2, ...shownAt(200) })];
    const document = await waiting(...flow);
    for (const cpf of [FIRST, SECOND]) await sign(stage.key, document, stage.holder(cpf));
    expect(await concludeDocument(document.id, Date.now())).toBe('concluded');
  });

  test('does not come for a file that lacks a signature which the flow records', async () => {
    const document = await waiting(signer(FIRST));
    await sign(stage.key, document, stage.holder(FIRST));
    const { signed } = await current(document);
    await files('documents').put(signed?.key ?? '', pdf, { contentType: 'application/pdf' });
    await expect(concludeDocument(document.id, Date.now())).rejects.toThrow(/no intact signature/);
    expect(await current(document)).toMatchObject({ state: 'FlowConcluded' });
  });

  test('comes once, however often it is asked for at one time', async () => {
    const document = await waiting(approver('a@example.com'));
    await ask('approve', document, {});
    const outcomes = await Promise.all([1, 2, 3].map(() => concludeDocument(document.id, Date.now())));
    expect(outcomes.toSorted()).toEqual(['concluded', 'not-due', 'not-due']);
    expect((await toldOf(document)).filter(({ type }) => type === 'DocumentConcluded')).toHaveLength(1);
  });

  test('is not asked for a document that is gone', async () => {
    const document = await waiting(approver('a@example.com'));
    await documentItems.delete(await current(document));
    expect(await concludeDocument(document.id, Date.now())).toBe('not-due');
  });
});
