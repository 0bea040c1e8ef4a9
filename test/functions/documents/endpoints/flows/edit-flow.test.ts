import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Document } from '../../../../../functions/documents/domain/document/document.ts';
import { manifestOf } from '../../../../../functions/documents/domain/downloads/manifest.ts';
import { concludeDocument } from '../../../../../functions/documents/domain/ending/conclude-document.ts';
import { handler as read } from '../../../../../functions/documents/endpoints/documents/get-document.ts';
import { handler as list } from '../../../../../functions/documents/endpoints/documents/list-documents.ts';
import { handler as edit } from '../../../../../functions/documents/endpoints/flows/edit-flow.ts';
import { handler as page } from '../../../../../functions/documents/endpoints/signing/get-action-page.ts';
import { killedAt } from '../../../../faults/crash.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { asApplication, byKey, details, partsOf, sign, signatureBy, started } from '../signing/calls.ts';
import { current, pendingDocument, signer } from '../signing/pending-document.ts';
import { signingStage } from '../signing/stage.ts';
import { raceEdits } from './race-edits.ts';

const [FIRST, SECOND] = ['52998224725', '47363361886'] as const;

const stage = await forFile(signingStage());
const pdf = await plainPdf('table');
const ask = asApplication(stage.key);

const waiting = (flow: unknown[], more: Partial<Document> = {}, bytes: Uint8Array = pdf) =>
  pendingDocument({ organizationId: stage.orgId, bytes, flow, more });
const editing = (document: { readonly id: string }, json: object, headers: Record<string, string> = {}) =>
  call(edit, { params: { id: document.id }, headers: { 'X-API-Key': stage.key, ...headers }, json });
const shown = async ({ id }: { readonly id: string }) =>
  (await call(read, { params: { id }, headers: { 'X-API-Key': stage.key } })).json() as Record<
    string,
    unknown
  > & { flowActions: { id: string; status: string }[]; observers: { id: string }[] };
const statesOf = async (document: { readonly id: string }) =>
  (await current(document)).flow.map(({ people, state, step }) => [people[0]?.name, step, state]);
const linkOf = async (document: { readonly id: string }, who: object) =>
  partsOf(((await ask('action-url', document, who)).json() as { url: string }).url);
const NOTHING = { rectifiedParticipants: [] };
const named = (name: string, more: object = {}) => ({
  type: 'Approver',
  user: { name, email: `${name}@example.com` },
  ...more,
});

describe('an edit of a running flow', () => {
  test('adds, changes and removes actions, and the steps open as they then are', async () => {
    const document = await waiting([named('ana'), named('bia'), named('caio', { step: 2 })]);
    const [ana, bia, caio] = document.flow.map(({ id }) => id);
    const answer = await editing(document, {
      addedFlowActions: [named('duda'), named('eva', { step: 3 })],
      editedFlowActions: [
        { flowActionId: bia, step: 2, title: 'Jurídico' },
        { flowActionId: caio, prePositionedMarks: [{ page: 1, x: 10, y: 10, width: 100, height: 40 }] },
      ],
      deletedFlowActionIds: [ana],
    });
    expect([answer.status, answer.json()]).toEqual([200, NOTHING]);
    expect(await statesOf(document)).toEqual([
      ['bia', 2, 'Created'],
      ['caio', 2, 'Created'],
      ['duda', 1, 'Pending'],
      ['eva', 3, 'Created'],
    ]);
    expect(await shown(document)).toMatchObject({
      flowActions: [
        { id: bia, title: 'Jurídico', pendingDate: null },
        { prePositionedMarks: [{ x: 10 }] },
        {},
        {},
      ],
      permissions: { editFlow: true },
      flowEdits: [
        {
          by: { type: 'Application' },
          added: [{ names: ['duda'] }, { names: ['eva'] }],
          changed: [
            { names: ['bia'], fields: ['step', 'title'] },
            { names: ['caio'], fields: ['marks'] },
          ],
          removed: [{ id: ana, names: ['ana'] }],
        },
      ],
    });
    const context = { sha256: '', organizationName: null, chain: [], nowMs: Date.now() };
    expect(manifestOf(await current(document), context).entries.at(-1)).toMatchObject({
      label: 'Alteração do fluxo',
      facts: ['Incluído: duda, eva', 'Alterado: bia, caio', 'Retirado: ana'],
    });
    const query = { participantQ: 'duda@example.com' };
    const found = await call(list, { query, headers: { 'X-API-Key': stage.key } });
    expect(found.json()).toMatchObject({ items: [{ id: document.id }] });
  });

  test('leaves what people have done as it is, and refuses all where a part is refused', async () => {
    const rule = {
      type: 'ApproverRule',
      ruleName: 'Board',
      numberRequiredSignatures: 2,
      signRuleUsers: [named('ana').user, named('bia').user, named('caio').user],
    };
    const document = await waiting([named('zoe'), rule, named('duda', { step: 2 })]);
    const [zoe, board, duda] = document.flow.map(({ id }) => id);
    await ask('approve', document, { emailAddress: 'zoe@example.com' });
    await ask('approve', document, { emailAddress: 'ana@example.com' });
    const before = await current(document);
    const touched = 'Somebody has acted in it already, so that it is neither changed nor removed.';
    const refusals: [object, string, string?][] = [
      [{ deletedFlowActionIds: [duda, zoe] }, 'InvalidFlowAction', touched],
      [{ deletedFlowActionIds: [duda, board] }, 'InvalidFlowAction', touched],
      [{ editedFlowActions: [{ flowActionId: board, ruleName: 'x' }] }, 'InvalidFlowAction', touched],
      [{ deletedFlowActionIds: [randomUUID()] }, 'InvalidFlowAction', 'The flow has no action by this id.'],
      [
        { deletedObserverIds: [randomUUID()] },
        'InvalidFlowAction',
        'The document has no observer by this id.',
      ],
      [{ editedFlowActions: [{ flowActionId: duda, ruleName: 'x' }] }, 'OptionNotSupported'],
      [
        { editedFlowActions: [{ flowActionId: duda, signatureInitialsMode: 'Required' }] },
        'OptionNotSupported',
      ],
      [{ deletedFlowActionIds: [duda, duda] }, 'InvalidRequest'],
      [{ editedFlowActions: [{ flowActionId: duda, frobnicate: 1 }] }, 'OptionNotSupported'],
      [
        { addedFlowActions: [named('x', { prePositionedMarks: [{ ...MARK, uploadId: randomUUID() }] })] },
        'UploadNotFound',
      ],
    ];
    for (const [json, code, reason] of refusals)
      expect((await editing(document, json)).json(), JSON.stringify(json)).toMatchObject({
        code,
        ...(reason && { details: { reason } }),
      });
    expect(await current(document)).toEqual(before);
    await ask('approve', document, { emailAddress: 'bia@example.com' });
    const passed = await editing(document, { addedFlowActions: [named('eva', { step: 1 })] });
    expect(passed.json()).toMatchObject({
      details: { reason: 'The step 1 has passed: an action can be put to 2 or later.' },
    });
  });

  test('takes every optional field absent, null, empty and at its default, and then changes nothing', async () => {
    const document = await waiting([named('ana', { title: 'Diretora' })]);
    const [action] = document.flow;
    const nothing = [
      {},
      ...[null, []].map((value) => ({
        addedFlowActions: value,
        editedFlowActions: value,
        deletedFlowActionIds: value,
        addedObservers: value,
        editedObservers: value,
        deletedObserverIds: value,
      })),
      ...[{}, { step: 0, signatureInitialsMode: 'None' }, { step: null, participantEmailAddress: '' }].map(
        (fields) => ({
          editedFlowActions: [
            { flowActionId: action?.id, ...fields, ruleName: null, signRuleUsers: [], title: '' },
          ],
        }),
      ),
    ];
    for (const json of nothing)
      expect((await editing(document, json)).json(), JSON.stringify(json)).toEqual(NOTHING);
    expect(await current(document)).toEqual(document);
  });

  test('concludes a document of which nobody is left to act, and refuses to leave no action at all', async () => {
    const document = await waiting([named('ana'), named('bia', { step: 2 })]);
    const [ana, bia] = document.flow.map(({ id }) => id);
    const all = await editing(document, { deletedFlowActionIds: [ana, bia] });
    expect(all.json()).toMatchObject({ code: 'InvalidFlowAction' });
    await ask('approve', document, { emailAddress: 'ana@example.com' });
    expect((await editing(document, { deletedFlowActionIds: [bia] })).status).toBe(200);
    expect(await current(document)).toMatchObject({ state: 'FlowConcluded' });
    expect(await concludeDocument(document.id, Date.now())).toBe('concluded');
    expect(await shown(document)).toMatchObject({ status: 'Concluded', permissions: { editFlow: false } });
    expect((await editing(document, { addedFlowActions: [named('x')] })).json()).toMatchObject({
      code: 'InvalidDocumentStatus',
      details: { operation: 'edit the flow' },
    });
  });

  test('keeps the ids of observers, whichever of them go', async () => {
    const observer = (name: string) => ({ name, emailAddress: `${name}@example.com`, identifier: null });
    const document = await waiting([named('zoe')], { observers: [observer('ana'), observer('bia')] });
    const [ana, bia] = (await shown(document)).observers;
    const user = { name: 'Caio', email: 'caio@example.com' };
    await editing(document, { deletedObserverIds: [ana?.id], addedObservers: [{ user }] });
    await editing(document, { editedObservers: [{ observerId: bia?.id, emailAddress: 'b@example.com' }] });
    expect(await shown(document)).toMatchObject({
      observers: [{ id: bia?.id, email: 'b@example.com' }, { name: 'Caio' }],
      flowEdits: [{}, { changed: [{ addresses: [{ from: 'bia@example.com', to: 'b@example.com' }] }] }],
    });
  });

  test('is done once by its Idempotency-Key, killed before and after its write', async () => {
    for (const moment of ['before', 'after'] as const) {
      const document = await waiting([named('ana')]);
      const send = () =>
        editing(document, { addedFlowActions: [named('bia')] }, { 'Idempotency-Key': document.id });
      expect(await killedAt(1, moment, send)).toBe(true);
      expect((await send()).json()).toEqual(NOTHING);
      expect((await current(document)).flow).toHaveLength(2);
    }
  });
});

const MARK = { pageNumber: 1, topLeftX: 10, topLeftY: 10, width: 100, height: 40 };

describe('links and signatures that were begun', () => {
  test('are dead once their person is removed or gets another address, and of nobody else', async () => {
    const rule = {
      type: 'ApproverRule',
      signRuleUsers: [named('caio').user, named('duda').user],
    };
    const document = await waiting([
      named('ana'),
      named('bia'),
      rule,
      { type: 'Approver', user: { name: 'eva' } },
    ]);
    const links = await Promise.all(
      ['ana', 'bia', 'caio', 'duda'].map((name) => linkOf(document, { emailAddress: `${name}@example.com` })),
    );
    const { flowActions } = (await shown(document)) as unknown as {
      flowActions: { id: string; signRuleUsers: { id: string; name: string }[] }[];
    };
    const [ana, bia, board, eva] = flowActions;
    const userId = board?.signRuleUsers.find(({ name }) => name === 'caio')?.id;
    await editing(document, {
      deletedFlowActionIds: [ana?.id],
      editedFlowActions: [
        { flowActionId: bia?.id, participantEmailAddress: 'bia@other.example' },
        { flowActionId: board?.id, signRuleUsers: [{ userId, emailAddress: 'caio@other.example' }] },
      ],
    });
    const dead = links
      .slice(0, 3)
      .map(async ({ key, ticket }) => [
        (await details(key, { ticket })).status,
        (await byKey('refuse', key, { ticket, reason: 'no' })).status,
        (await call(page, { params: { key }, query: { ticket }, path: `/document/key/${key}/action` }))
          .status,
      ]);
    expect((await Promise.all(dead)).flat()).toEqual(Array(9).fill(404));
    const moved = await linkOf(document, { emailAddress: 'bia@other.example' });
    // Eva had no address, and keeps the link that she was handed.
    const handed = await linkOf(document, { flowActionId: eva?.id });
    await editing(document, {
      editedFlowActions: [{ flowActionId: eva?.id, participantEmailAddress: 'eva@example.com' }],
    });
    for (const { key, ticket } of [moved, handed, links[3] ?? moved])
      expect((await byKey('approve', key, { ticket })).status).toBe(200);
  });

  test('a signature is completed after an edit of others, and not of an action that is gone', async () => {
    const document = await waiting([signer(FIRST), signer(SECOND)]);
    const [first, second] = document.flow.map(({ id }) => id);
    const one = await started(stage.key, document, stage.holder(FIRST));
    await editing(document, { deletedFlowActionIds: [second], addedFlowActions: [named('ana')] });
    const complete = async ({ token, ...more }: typeof one) =>
      ask('complete', document, {
        token,
        signature: await signatureBy(stage.holder(FIRST), { token, ...more }),
      });
    expect((await complete(one)).json()).toMatchObject({ success: true });
    expect((await statesOf(document)).map(([, , state]) => state)).toEqual(['Completed', 'Pending']);

    const other = await waiting([signer(FIRST), named('ana')]);
    const two = await started(stage.key, other, stage.holder(FIRST));
    await editing(other, { deletedFlowActionIds: [other.flow[0]?.id] });
    const late = await ask('complete', other, {
      token: two.token,
      signature: await signatureBy(stage.holder(FIRST), two),
    });
    expect(late.json()).toMatchObject({ code: 'InvalidSignatureToken' });
    expect((await current(other)).signed).toBeNull();
    expect(first).not.toBe(second);
  });

  test('XML that its only signer signs leaves room where an edit adds a signer before that, and none after', async () => {
    const xml = Buffer.from('<a><b>1</b></a>');
    const document = await waiting([signer(FIRST), named('ana')], {}, xml);
    const begun = await started(stage.key, document, stage.holder(FIRST));
    const added = { addedFlowActions: [signer(SECOND)] };
    await editing(document, added);
    const late = await ask('complete', document, {
      token: begun.token,
      signature: await signatureBy(stage.holder(FIRST), begun),
    });
    expect(late.json()).toMatchObject({ code: 'InvalidSignatureToken' });
    for (const who of [FIRST, SECOND])
      expect((await sign(stage.key, document, stage.holder(who))).json()).toMatchObject({ success: true });

    const alone = await waiting([signer(FIRST), named('ana')], {}, xml);
    await sign(stage.key, alone, stage.holder(FIRST));
    expect((await editing(alone, added)).json()).toMatchObject({ code: 'InvalidFlowAction' });
    expect((await editing(alone, { addedFlowActions: [named('bia')] })).status).toBe(200);
  });
});

describe('an edit raced with signatures', () => {
  test.each(['certificate', 'electronic'] as const)(
    '(%s) is one of the two orders: nothing is signed twice or lost, removed people get 404',
    async (kind) => {
      const outcomes = await raceEdits(stage, 12, kind);
      expect(outcomes.signed + outcomes.edited).toBe(12);
      expect(Math.min(outcomes.signed, outcomes.edited)).toBeGreaterThanOrEqual(3);
    },
  );
});
