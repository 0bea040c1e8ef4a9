import { expect, test } from 'vitest';
import * as z from 'zod';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { storedFlowList } from '../../../../../functions/documents/domain/flows/stored-flow.ts';
import {
  deleteOrganization,
  emptyOrganization,
} from '../../../../../functions/documents/domain/removal/delete-organization.ts';
import { handler as createDocuments } from '../../../../../functions/documents/endpoints/documents/create-documents.ts';
import { handler as create } from '../../../../../functions/documents/endpoints/flows/create-flow.ts';
import { handler as remove } from '../../../../../functions/documents/endpoints/flows/delete-flow.ts';
import { handler as read } from '../../../../../functions/documents/endpoints/flows/get-flow.ts';
import { handler as list } from '../../../../../functions/documents/endpoints/flows/list-flows.ts';
import { handler as replace } from '../../../../../functions/documents/endpoints/flows/update-flow.ts';
import { call } from '../../../../requests/http-event.ts';
import { ownOrganization } from '../../own-organization.ts';
import { APPROVER, anUpload, SIGNER } from '../../sample-documents.ts';

// As strict as a typed client: ids are GUIDs, dates have an offset, numbers and lists are never null.
const Guid = z.guid();
const Moment = z.iso.datetime({ offset: true });
const Stored = z.object({
  ...{ id: Guid, name: z.string(), creationDate: Moment, updateDate: Moment },
  createdBy: z.object({ id: Guid, name: z.string() }),
});
const Details = Stored.extend({
  areActionsOrdered: z.boolean(),
  flowActions: z.array(z.object({ id: Guid, step: z.int(), status: z.literal('Created') })),
  observers: z.array(z.object({ id: Guid, user: z.object({ id: Guid }) })),
});
const Page = z.object({ items: z.array(Stored), totalCount: z.int(), nextCursor: z.string().nullable() });

const { orgId, key } = await ownOrganization();
const other = await ownOrganization();
const by = (as: string, more: Record<string, string> = {}) => ({ headers: { 'X-API-Key': as, ...more } });
const FLOW = { name: 'Compras', flowActions: [SIGNER, APPROVER], observers: [] };
const made = async (json: object) => Stored.parse((await call(create, { ...by(key), json })).json());
const shown = async (id: string) => Details.parse((await call(read, { ...by(key), params: { id } })).json());

test('a stored flow is read, replaced, listed and deleted', async () => {
  const user = { name: 'Caio', email: 'caio@example.com' };
  const { id } = await made({ ...FLOW, areActionsOrdered: true, observers: [{ user }] });
  expect(await shown(id)).toMatchObject({
    ...{ name: 'Compras', areActionsOrdered: true },
    flowActions: [{ step: 1 }, { step: 2 }],
    observers: [{ user: {} }],
  });
  const json = { name: 'Vendas', flowActions: [{ ...SIGNER, step: 3 }] };
  expect((await call(replace, { ...by(key), params: { id }, json })).status).toBe(200);
  expect(await shown(id)).toMatchObject({
    ...{ name: 'Vendas', areActionsOrdered: false },
    ...{ flowActions: [{ step: 3 }], observers: [] },
  });
  const found = async (q: string) => Page.parse((await call(list, { ...by(key), query: { Q: q } })).json());
  expect([(await found('vendas')).items.length, (await found('compras')).items.length]).toEqual([1, 0]);
  expect((await call(remove, { ...by(key), params: { id } })).status).toBe(204);
  for (const handler of [read, remove])
    expect((await call(handler, { ...by(key), params: { id } })).json()).toMatchObject({
      code: 'FlowNotFound',
      details: { resourceName: 'DocumentFlow', resourceId: id },
    });
  expect((await found('vendas')).totalCount).toBe(0);
});

test('its actions, as they are read, make a document and another stored flow', async () => {
  const lower = { page: 1, x: 5, y: 5, width: 50, height: 20 };
  const upper = { pageNumber: 1, topLeftX: 10, topLeftY: 10, width: 60, height: 20 };
  const RULE = { type: 'SignRule', ruleName: 'Diretores', signRuleUsers: [SIGNER.user, { name: 'Bia' }] };
  const signer = {
    ...SIGNER,
    prePositionedMarks: [lower, upper, { ...upper, type: 'SignatureInitials' }],
    signatureInitialsMode: 'Required',
    requiredCertificateHolderTypeToSign: 'Company',
  };
  const { id } = await made({ ...FLOW, flowActions: [signer, APPROVER, RULE], areActionsOrdered: true });
  const { flowActions } = (await call(read, { ...by(key), params: { id } })).json() as {
    flowActions: object[];
  };
  const json = { files: [{ id: await anUpload(orgId, 'contrato.pdf') }], flowActions };
  const answer = await call(createDocuments, { ...by(key), json });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  const [{ documentId } = { documentId: '' }] = answer.json() as { documentId: string }[];
  expect((await documentItems.get(documentId))?.flow).toMatchObject([
    {
      ...{ type: 'Signer', step: 1, initialsMode: 'Required', requiredHolderType: 'Company' },
      marks: [lower, { from: 'top', x: 10 }, { from: 'top', type: 'SignatureInitials' }],
    },
    { type: 'Approver', step: 2 },
    { type: 'SignRule', step: 3, people: [{}, { name: 'Bia' }] },
  ]);
  const again = await made({ name: 'Cópia', flowActions });
  expect((await shown(again.id)).flowActions).toHaveLength(3);
  const begun = { ...json, flowActions: [{ ...flowActions[0], status: 'Completed' }] };
  expect((await call(createDocuments, { ...by(key), json: begun })).json()).toMatchObject({
    code: 'OptionNotSupported',
    details: { field: 'flowActions.0.status' },
  });
});

test('is of one organization: a key of another reads, replaces and deletes nothing', async () => {
  const { id } = await made(FLOW);
  for (const [handler, json] of [[read], [replace, FLOW], [remove]] as const)
    expect((await call(handler, { ...by(other.key), params: { id }, json })).status).toBe(404);
  expect(Page.parse((await call(list, by(other.key))).json()).items).toEqual([]);
});

test('pages cost the same anywhere, and go on by cursor', async () => {
  const { key: own } = await ownOrganization();
  for (let n = 0; n < 5; n++) await call(create, { ...by(own), json: { ...FLOW, name: `${n}` } });
  const page = async (query: Record<string, string>) =>
    Page.parse((await call(list, { ...by(own), query: { Limit: '2', Order: 'Asc', ...query } })).json());
  const first = await page({ Offset: '1' });
  const next = await page({ cursor: first.nextCursor ?? '' });
  expect([first, next].map(({ items }) => items.map(({ name }) => name))).toEqual([['2', '3'], ['4']]);
  expect([first.totalCount, next.nextCursor]).toEqual([5, null]);
});

test('is stored once by its Idempotency-Key', async () => {
  const { orgId: ownId, key: own } = await ownOrganization();
  const send = () => call(create, { ...by(own, { 'Idempotency-Key': ownId }), json: FLOW });
  const [one, two] = [await send(), await send()];
  expect(two.text).toBe(one.text);
  expect((await storedFlowList(ownId).slice({ offset: 0, limit: 1 })).total).toBe(1);
});

test('takes fields absent, null and empty, and refuses what it could not keep', async () => {
  for (const more of [{}, { areActionsOrdered: null, observers: null }, { observers: [] }])
    await made({ name: 'x', flowActions: [SIGNER], ...more });
  for (const [json, code] of [
    [{ ...FLOW, name: '' }, 'InvalidRequest'],
    [{ ...FLOW, flowActions: [] }, 'InvalidRequest'],
    [{ ...FLOW, flowActions: [{ ...APPROVER, requireCompanyCertificate: true }] }, 'OptionNotSupported'],
    [
      {
        ...FLOW,
        flowActions: Array(100).fill({ ...SIGNER, title: 'x'.repeat(200), prePositionedMarks: MARKS }),
      },
      'InvalidRequest',
    ],
  ] as const)
    expect((await call(create, { ...by(key), json })).json()).toMatchObject({ code });
});

const MARKS = Array(50).fill({ page: 1, x: 1, y: 1, width: 100, height: 100 });

test('goes with its organization', async () => {
  const gone = await ownOrganization();
  await call(create, { ...by(gone.key), json: FLOW });
  await deleteOrganization(gone.orgId, Date.now());
  await emptyOrganization(gone.orgId, Date.now());
  expect((await storedFlowList(gone.orgId).slice({ offset: 0, limit: 1 })).total).toBe(0);
  expect(orgId).not.toBe(gone.orgId);
});
