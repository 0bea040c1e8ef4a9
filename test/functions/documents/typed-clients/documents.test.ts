import { expect, test } from 'vitest';
import * as z from 'zod';
import { cancelDocument } from '../../../../functions/documents/domain/ending/end-document.ts';
import { refuseDocument } from '../../../../functions/documents/domain/signing/approve-or-refuse.ts';
import { handler as cancel } from '../../../../functions/documents/endpoints/documents/cancel-document.ts';
import { handler as create } from '../../../../functions/documents/endpoints/documents/create-documents.ts';
import { handler as remove } from '../../../../functions/documents/endpoints/documents/delete-document.ts';
import { handler as read } from '../../../../functions/documents/endpoints/documents/get-document.ts';
import { handler as list } from '../../../../functions/documents/endpoints/documents/list-documents.ts';
import { handler as getTicket } from '../../../../functions/documents/endpoints/downloads/get-content-ticket.ts';
import { handler as download } from '../../../../functions/documents/endpoints/downloads/get-download.ts';
import { handler as listFolders } from '../../../../functions/documents/endpoints/folders/list-folders.ts';
import { handler as approve } from '../../../../functions/documents/endpoints/signing/approve-document.ts';
import { handler as refuse } from '../../../../functions/documents/endpoints/signing/refuse-document.ts';
import { call } from '../../../requests/http-event.ts';
import { APPROVER, anUpload, SIGNER, someDocuments } from '../sample-documents.ts';
import { recordedEventsOf, registerSilentWebhook } from '../stage/recorded-events.ts';
import { typedClient } from './stage.ts';
import { DocumentDetails, Event, Guid, ListedDocument, pageOf, RuleUser } from './types.ts';

const { orgId, headers, ask, made } = await typedClient();

const withId = (user: object) => ({ ...APPROVER, user: { name: 'Bia', ...user } });

test("Java's document details decode, of a person that the caller named by an id of its own too", async () => {
  const id = await made(SIGNER, withId({ id: 'employee 7', email: 'b@example.com' }), withId({ id: orgId }));
  const details = DocumentDetails.parse(await ask(read, { params: { id } }));
  expect(details.flowActions[2]?.user?.id).toBe(orgId);
  await ask(approve, { params: { id }, json: { emailAddress: 'b@example.com' } });
  await ask(refuse, { params: { id }, json: { reason: 'No.', identifier: '52998224725' } });
  const refused = DocumentDetails.parse(await ask(read, { params: { id } }));
  expect(refused.flowActions[1]?.completedBy[0]?.id).toBe(details.flowActions[1]?.user?.id);
  expect(refused.statusUpdatedBy?.id).toBe(details.createdBy.id);
});

const EMAIL = 'rui@example.com';

test('a document with every field that clients write decodes, and says what they wrote', async () => {
  const attached = { id: await anUpload(orgId, 'anexo.bin'), displayName: 'Anexo', isPrivate: true };
  const request = {
    files: [{ id: await anUpload(orgId) }],
    flowActions: [{ ...SIGNER, title: 'Contratante' }],
    attachments: [attached],
    observers: [
      { user: { name: 'Rui', email: EMAIL, phone: '+55 11 5555-0100' } },
      { name: 'Olga', email: EMAIL },
    ],
    tags: [{ value: 'urgente' }, { label: 'ano', value: '2026' }, 'ours'],
    expirationDate: '2099-01-02',
  };
  const [{ documentId: id }] = (await ask(create, { json: request })) as [{ documentId: string }];
  const details = DocumentDetails.parse(await ask(read, { params: { id } }));
  expect(details).toMatchObject({
    observers: [
      { user: { name: 'Rui', email: EMAIL, phone: '+55 11 5555-0100' } },
      { user: { name: 'Olga' } },
    ],
    attachments: [{ name: 'anexo.bin', filename: 'anexo.bin', fileSize: 100, isPrivate: true }],
    tags: [
      { label: null, value: 'urgente' },
      { label: 'ano', value: '2026' },
      { label: 'ours', value: null },
    ],
    flowActions: [{ numberRequiredSignatures: 1, creationDate: details.creationDate }],
  });
  expect(new Set(details.tags.map((tag) => tag.id)).size).toBe(3);
  expect(new Set(details.observers.map((observer) => observer.id)).size).toBe(2);
});

const RULE_PEOPLE = ['a', 'b', 'c'].map((name) => ({ name, email: `${name}@example.com` }));

test('a rule that continues if refused is refused once too few of its people are left', async () => {
  const rule = {
    ...{ type: 'SignRule', ruleName: 'Board', numberRequiredSignatures: 2, signRuleUsers: RULE_PEOPLE },
    allowRuleFlowToContinueIfRefused: true,
  };
  const id = await made(rule);
  const state = async () => {
    const { status, flowActions } = (await ask(read, { params: { id } })) as {
      status: string;
      flowActions: [{ status: string; signRuleUsers: unknown[] }];
    };
    const [{ signRuleUsers, ...action }] = flowActions;
    return [status, action.status, signRuleUsers.map((user) => RuleUser.parse(user).refusalReason)];
  };
  const as = (at: number) => ({ emailAddress: RULE_PEOPLE[at]?.email });
  await ask(refuse, { params: { id }, json: { reason: 'Not me.', ...as(0) } });
  expect(await state()).toEqual(['Pending', 'Pending', ['Not me.', null, null]]);
  const again = await call(refuse, { headers, params: { id }, json: { reason: 'Again.', ...as(0) } });
  expect(again.json()).toMatchObject({
    code: 'InvalidFlowAction',
    details: { reason: 'This person has refused already.' },
  });
  await ask(refuse, { params: { id }, json: { reason: 'Nor me.', ...as(2) } });
  expect(await state()).toEqual(['Refused', 'Refused', ['Not me.', null, 'Nor me.']]);
});

test('marks are of the file that they name, and of every file where they name none', async () => {
  const [one, other] = [await anUpload(orgId), await anUpload(orgId)];
  const at = (pageNumber: number, more: object = {}) => ({ pageNumber, topLeftX: 10, topLeftY: 20, ...more });
  const marks = [
    at(1, { type: 'SignatureVisualRepresentation', uploadId: one, width: 200, height: 0 }),
    at(2, { type: 'SignatureInitials', uploadId: other, width: 50, height: 50, fontSize: 0 }),
    at(3, { uploadId: null, width: 90, height: 40 }),
  ];
  const flowActions = [{ ...SIGNER, signatureInitialsMode: 'Optional', prePositionedMarks: marks }];
  const json = { files: [{ id: one }, { id: other }], flowActions };
  const created = (await ask(create, { json })) as { documentId: string }[];
  const shown = [];
  for (const { documentId: id } of created)
    shown.push(DocumentDetails.parse(await ask(read, { params: { id } })).flowActions[0]?.marks);
  const corner = { topLeftX: 10, topLeftY: 20 };
  const onBoth = {
    ...{
      type: 'SignatureVisualRepresentation',
      uploadId: null,
      pageNumber: 3,
      ...corner,
      width: 90,
      height: 40,
    },
  };
  const first = {
    type: 'SignatureVisualRepresentation',
    uploadId: one,
    pageNumber: 1,
    width: 200,
    height: 66.667,
  };
  const second = { type: 'SignatureInitials', uploadId: other, pageNumber: 2, width: 50, height: 50 };
  expect(shown).toEqual([
    [{ ...first, ...corner }, onBoth],
    [{ ...second, ...corner }, onBoth],
  ]);
});

test.each([
  ['a file that the call does not have', { uploadId: crypto.randomUUID() }, 'UploadNotFound'],
  ['no page', { pageNumber: null }, 'InvalidRequest'],
  ['a size of the text', { fontSize: 9 }, 'OptionNotSupported'],
])('a mark with %s is refused', async (_, wrong, code) => {
  const mark = { pageNumber: 1, topLeftX: 1, topLeftY: 1, width: 50, height: 50, ...wrong };
  const flowActions = [{ ...SIGNER, prePositionedMarks: [mark] }];
  const json = { files: [{ id: await anUpload(orgId) }], flowActions };
  expect((await call(create, { headers, json })).json()).toMatchObject({ code });
});

test('an option of a rule is refused where the action is none', async () => {
  const flowActions = [{ ...SIGNER, allowRuleFlowToContinueIfRefused: true }];
  const json = { files: [{ id: await anUpload(orgId) }], flowActions };
  expect((await call(create, { headers, json })).json()).toMatchObject({
    code: 'OptionNotSupported',
    details: { option: 'allowRuleFlowToContinueIfRefused' },
  });
});

test('documents that were stored with the names of applications as ids decode too, with the same ids', async () => {
  const [one = '', other = ''] = await someDocuments(orgId, {
    names: ['a.bin', 'b.bin'],
    flowActions: [SIGNER, APPROVER],
  });
  const caller = {
    application: 'test',
    keyId: 'test',
    permissions: [],
    registered: { organizations: [orgId] },
  };
  await cancelDocument(caller, one, 'x', Date.now());
  const nobody = { identifier: null, emailAddress: null };
  await refuseDocument(caller, other, { reason: 'x', ...nobody }, Date.now());
  const ids = [];
  for (const id of [one, other]) {
    const { createdBy, statusUpdatedBy } = DocumentDetails.parse(await ask(read, { params: { id } }));
    ids.push(createdBy.id, statusUpdatedBy?.id);
  }
  expect(new Set(ids).size).toBe(1);
});

// As the clients write them, all parameters on every call.
const JAVA =
  'OrganizationType=Normal&FolderType=Normal&FilterByDocumentType=false&Q=&Limit=10&Offset=0&Order=Asc';

test.each([
  ['Java', `${JAVA}&ParticipantQ=null&`],
  ['Java, with nothing set', JAVA.replaceAll('Normal', 'null').replace('Order=Asc', 'Order=null')],
  ['Java, by status', `Status=Pending&${JAVA}&ParticipantQ=null&`],
  ['PHP', `IsConcluded=null&${JAVA.replace('false', 'False')}`],
  ['Python', `${JAVA}&IsDeleted=False`],
  ['a search', `${JAVA.replace('Q=', 'Q=contrato')}&ParticipantQueryType=Name`],
])('the lists of %s decode, with their totals', async (_, text) => {
  await made(SIGNER);
  const query = Object.fromEntries(new URLSearchParams(text));
  const page = pageOf(ListedDocument).parse(await ask(list, { query }));
  expect([page.items.length, page.totalCount]).toEqual([expect.any(Number), expect.any(Number)]);
  expect(page.totalCount).toBeGreaterThan(0);
});

test("Java's list of folders decodes", async () => {
  const query = { q: 'x', limit: '5', offset: '0' };
  expect(pageOf(z.object({ id: Guid })).parse(await ask(listFolders, { query })).totalCount).toBe(0);
});

test("Java's download by ticket works: the endpoint goes before a location that is a path", async () => {
  const id = await made(SIGNER);
  const query = { type: 'Original', preview: 'false' };
  const { location } = (await ask(getTicket, { params: { id }, query })) as { location: string };
  const endpoint = 'http://localhost:3000/documents';
  const { pathname } = new URL(`${endpoint}${location}`);
  const [, ticket = ''] = /^\/documents\/api\/downloads\/([^/]+)$/.exec(pathname) ?? [];
  expect((await call(download, { params: { ticket } })).status).toBe(200);
});

test("Java's webhooks decode", async () => {
  await registerSilentWebhook(orgId);
  const approved = await made(withId({ email: 'b@example.com' }), SIGNER);
  await ask(approve, { params: { id: approved }, json: {} });
  await ask(refuse, { params: { id: approved }, json: { reason: 'No.' } });
  const whole = await made(SIGNER, APPROVER);
  await ask(refuse, { params: { id: whole }, json: { reason: 'No.' } });
  const canceled = await made(SIGNER);
  await ask(cancel, { params: { id: canceled }, json: { reason: 'Replaced.' } });
  await ask(remove, { params: { id: canceled } });
  const events = (await recordedEventsOf(orgId)).map((event) => Event.parse(event));
  expect(new Set(events.map(({ type }) => type))).toEqual(
    new Set([
      'DocumentsCreated',
      'DocumentApproved',
      'DocumentRefused',
      'DocumentCanceled',
      'DocumentDeleted',
    ]),
  );
});
