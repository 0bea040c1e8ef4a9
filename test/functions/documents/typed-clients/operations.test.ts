import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { handler as create } from '../../../../functions/documents/endpoints/documents/create-documents.ts';
import { handler as versionEnvelope } from '../../../../functions/documents/endpoints/documents/create-envelope-version.ts';
import { handler as version } from '../../../../functions/documents/endpoints/documents/create-version.ts';
import { handler as read } from '../../../../functions/documents/endpoints/documents/get-document.ts';
import { handler as move } from '../../../../functions/documents/endpoints/documents/move-document.ts';
import { handler as moveAll } from '../../../../functions/documents/endpoints/documents/move-documents.ts';
import { handler as createFlow } from '../../../../functions/documents/endpoints/flows/create-flow.ts';
import { handler as editFlow } from '../../../../functions/documents/endpoints/flows/edit-flow.ts';
import { handler as getFlow } from '../../../../functions/documents/endpoints/flows/get-flow.ts';
import { handler as listFlows } from '../../../../functions/documents/endpoints/flows/list-flows.ts';
import { handler as updateFlow } from '../../../../functions/documents/endpoints/flows/update-flow.ts';
import { handler as createFolder } from '../../../../functions/documents/endpoints/folders/create-folder.ts';
import { handler as deleteFolder } from '../../../../functions/documents/endpoints/folders/delete-folder-with-choice.ts';
import { handler as getFolder } from '../../../../functions/documents/endpoints/folders/get-folder.ts';
import { handler as generate } from '../../../../functions/documents/endpoints/generation/create-generation.ts';
import { handler as getGeneration } from '../../../../functions/documents/endpoints/generation/get-generation.ts';
import { handler as beginMarks } from '../../../../functions/documents/endpoints/marks-sessions/create-marks-session.ts';
import { handler as beginMarksOfDocuments } from '../../../../functions/documents/endpoints/marks-sessions/create-marks-session-of-documents.ts';
import { handler as getMarks } from '../../../../functions/documents/endpoints/marks-sessions/get-marks-session.ts';
import { handler as createUser } from '../../../../functions/documents/endpoints/members/create-user.ts';
import { handler as deleteUser } from '../../../../functions/documents/endpoints/members/delete-user.ts';
import { handler as listUsers } from '../../../../functions/documents/endpoints/members/list-users.ts';
import { handler as createActionUrl } from '../../../../functions/documents/endpoints/signing/create-action-url.ts';
import { handler as sign } from '../../../../functions/documents/endpoints/signing/sign-electronically.ts';
import { handler as signByKey } from '../../../../functions/documents/endpoints/signing/sign-electronically-by-key.ts';
import { handler as upload } from '../../../../functions/documents/endpoints/uploads/create-upload.ts';
import { handler as uploadBytes } from '../../../../functions/documents/endpoints/uploads/create-upload-from-bytes.ts';
import { handler as getSignatures } from '../../../../functions/documents/endpoints/verification/get-signatures-details.ts';
import { call } from '../../../requests/http-event.ts';
import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import { partsOf } from '../endpoints/signing/calls.ts';
import { current, pendingDocument } from '../endpoints/signing/pending-document.ts';
import { encodeForm } from '../file-form.ts';
import { requestOf, uploaded } from '../generation/stage.ts';
import { APPROVER, anUpload, SIGNER } from '../sample-documents.ts';
import { typedClient } from './stage.ts';
import * as types from './types.ts';
import { ACTION_FIELDS, CREATION_FIELDS, type Unset, unsetIn, WAYS } from './unset.ts';

const { orgId, headers, ask, made } = await typedClient();
const pdf = await plainPdf('table');
const nothing = z.undefined();

const aPdf = async () => ({ id: await uploaded({ orgId }, pdf, 'a.pdf'), name: 'a.pdf', displayName: 'A' });
const actionOf = (unset: Unset, action: object = SIGNER) => ({ ...unset(ACTION_FIELDS), ...action });
const ELECTRONIC = { ...SIGNER, allowElectronicSignature: true };
const electronicBody = (unset: Unset) =>
  unset({
    text: [
      ...['authenticationType', 'authenticationCode', 'smsCode', 'whatsappCode', 'otpCode', 'emailCode'],
    ],
    list: ['signaturePositions', 'signatureInitialsPositions'],
    model: ['signaturePosition', 'signatureImage', 'initialsImage'],
    map: ['evidences'],
    number: ['userTimeZoneOffset'],
    flag: ['disableNotifications'],
  });
/** A document that waits for an electronic signature. Creation would ask for a seal. */
const toSign = () => pendingDocument({ organizationId: orgId, bytes: pdf, flow: [ELECTRONIC, APPROVER] });
// Somebody who stays, as every organization has an owner.
const owner = { name: 'Olga', email: 'olga@example.com', accessProfile: { administrator: true } };
types.OrganizationUser.parse(await ask(createUser, { json: owner }));
const idOf = (answer: unknown): string => z.object({ id: types.Guid }).parse(answer).id;

/** Each calls an operation with nothing set but what it needs, and reads every answer as a typed client does. */
const OPERATIONS: Readonly<Record<string, (unset: Unset) => Promise<void>>> = {
  'an upload of bytes': async () => {
    types.UploadedBytes.parse(await ask(uploadBytes, { json: { bytes: 'aGVsbG8=' } }));
  },
  'a creation': async (unset) => {
    const json = {
      files: [{ id: await anUpload(orgId), displayName: 'x', name: 'x.bin', contentType: 'application/x' }],
      flowActions: [actionOf(unset)],
      ...unset(CREATION_FIELDS),
      ...unset({
        text: ['participantsDataFile', 'templateId', 'securityContextId'],
        flag: ['disableNotifications'],
        map: ['templateFieldValues'],
        mode: ['signatureType'],
      }),
    };
    const [{ documentId: id }] = (await ask(create, { json })) as [{ documentId: string }];
    const details = types.DocumentDetails.parse(await ask(read, { params: { id } }));
    expect(details).toMatchObject({ description: null, tags: [], observers: [], attachments: [] });
  },
  'a move': async (unset) => {
    const json = unset({ text: ['folderId', 'newFolderName'] });
    nothing.parse(await ask(move, { params: { id: await made(SIGNER) }, json }));
  },
  'a move of several': async (unset) => {
    const documents = [await made(SIGNER), randomUUID()];
    const json = { documents, ...unset({ text: ['folderId', 'newFolderName'] }) };
    const moved = types.MovedDocuments.parse(await ask(moveAll, { json }));
    expect(moved.map(({ success }) => success)).toEqual([true, false]);
  },
  'a folder': async (unset) => {
    const json = { name: 'Contratos', ...unset({ text: ['parentId'] }) };
    const { id } = types.OwnFolder.parse(await ask(createFolder, { json }));
    types.FolderOfOrganization.parse(await ask(getFolder, { params: { id } }));
    const choice = { deleteAction: 'DeleteContent', ...unset({ text: ['destinationFolderId'] }) };
    nothing.parse(await ask(deleteFolder, { params: { id }, json: choice }));
  },
  'a version': async (unset) => {
    const json = {
      file: { id: await anUpload(orgId), displayName: 'x', name: 'x.bin', contentType: 'application/x' },
      ...unset({
        flag: ['disablePendingActionNotifications'],
        map: ['additionalInfo'],
        list: ['prePositionedMarks'],
      }),
    };
    nothing.parse(await ask(version, { params: { id: await made(SIGNER) }, json }));
  },
  'a version of an envelope': async (unset) => {
    const request = { files: [await aPdf(), await aPdf()], isEnvelope: true, envelopeName: 'E' };
    const [{ documentId }] = (await ask(create, { json: { ...request, flowActions: [SIGNER] } })) as [
      { documentId: string },
    ];
    const json = {
      files: [await aPdf()],
      ...unset({
        text: ['envelopeName'],
        flag: ['disablePendingActionNotifications'],
        map: ['additionalInfo'],
      }),
    };
    nothing.parse(await ask(versionEnvelope, { params: { id: documentId }, json }));
  },
  'an edit of a flow': async (unset) => {
    const id = await made(APPROVER, SIGNER);
    const edit = (json: object) => ask(editFlow, { params: { id }, json });
    const lists = unset({
      list: [
        ...['addedFlowActions', 'editedFlowActions', 'deletedFlowActionIds'],
        ...['addedObservers', 'editedObservers', 'deletedObserverIds'],
      ],
    });
    types.FlowEdited.parse(await edit(lists));
    const edited = {
      ...unset({
        text: ['participantEmailAddress', 'ruleName', 'title'],
        list: ['signRuleUsers', 'prePositionedMarks'],
        number: ['step'],
        mode: ['signatureInitialsMode'],
      }),
      flowActionId: (await current({ id })).flow[1]?.id,
    };
    const addedFlowActions = [actionOf(unset, APPROVER)];
    types.FlowEdited.parse(await edit({ ...lists, editedFlowActions: [edited], addedFlowActions }));
    expect((await current({ id })).flow).toHaveLength(3);
  },
  'a stored flow': async (unset) => {
    const json = {
      name: 'Compras',
      flowActions: [actionOf(unset)],
      ...unset({ flag: ['areActionsOrdered'], list: ['observers'] }),
    };
    const { id } = types.StoredFlow.parse(await ask(createFlow, { json }));
    await ask(updateFlow, { method: 'PUT', params: { id }, json });
    types.StoredFlowDetails.parse(await ask(getFlow, { params: { id } }));
    types.pageOf(types.StoredFlow).parse(await ask(listFlows, { query: { Q: '', Limit: '5', Offset: '0' } }));
  },
  'a generation': async (unset) => {
    const table = 'nome,cpf,email\nAna,529.982.247-25,ana@example.com\n';
    const json = {
      ...(await requestOf({ orgId }, { table })),
      flowActions: [actionOf(unset, { type: 'Signer', user: { name: '{{nome}}', email: '{{email}}' } })],
      ...unset({
        text: ['folderId', 'newFolderName', 'organizationId', 'type', 'notaryType', 'expirationDate'],
        list: ['observers', 'notifiedEmails'],
      }),
    };
    const { id } = types.Generation.parse(await ask(generate, { json }));
    types.Generation.parse(await ask(getGeneration, { params: { id } }));
  },
  'a marks session': async (unset) => {
    const fields = { text: ['id', 'title', 'ruleName'], list: ['prePositionedMarks', 'signRuleUsers'] };
    const action = {
      ...unset({ ...fields, number: ['step', 'numberRequiredSignatures'], mode: ['signatureInitialsMode'] }),
      ...SIGNER,
    };
    const json = {
      files: [await aPdf()],
      flowActions: [action],
      ...unset({ flag: ['isEnvelope'], mode: ['signatureType'] }),
    };
    const id = idOf(types.CreatedMarksSession.parse(await ask(beginMarks, { json })));
    types.MarksSession.parse(await ask(getMarks, { params: { id } }));
  },
  'a marks session of documents': async (unset) => {
    const json = {
      files: [await aPdf()],
      flowActions: [actionOf(unset)],
      ...unset(CREATION_FIELDS),
    };
    const id = idOf(types.CreatedMarksSession.parse(await ask(beginMarksOfDocuments, { json })));
    types.MarksSession.parse(await ask(getMarks, { params: { id } }));
  },
  'a user without a profile': async (unset) => {
    const email = `${randomUUID()}@example.com`;
    const json = { name: 'Eva', email, ...unset({ model: ['accessProfile'] }) };
    const { accessProfile } = types.OrganizationUser.parse(await ask(createUser, { json }));
    expect(Object.values(accessProfile)).not.toContain(true);
  },
  'a user of the organization': async (unset) => {
    const json = {
      ...{ name: 'Eva', email: `${randomUUID()}@example.com` },
      ...unset({ text: ['id', 'identifier', 'phone'] }),
      accessProfile: { ...unset({ flag: ['administrator', 'manager'] }), operator: true },
    };
    const { id } = types.OrganizationUser.parse(await ask(createUser, { json }));
    const query = { Q: '', Limit: '10', Offset: '0', Order: 'Asc' };
    types.pageOf(types.OrganizationUser).parse(await ask(listUsers, { query }));
    nothing.parse(await ask(deleteUser, { method: 'DELETE', params: { userId: id } }));
  },
  'an electronic signature by an application': async (unset) => {
    const { id, flow } = await toSign();
    const json = { flowActionId: flow[0]?.id, ...electronicBody(unset), ...unset({ text: ['ticket'] }) };
    nothing.parse(await ask(sign, { params: { id }, json }));
    const { signers } = types.SignaturesInfo.parse(await ask(getSignatures, { params: { id } }));
    expect(signers[0]?.evidences?.authenticationTypes).toEqual(['Application']);
  },
  'an electronic signature at a link': async (unset) => {
    const { id } = await toSign();
    const request = { params: { id }, json: { identifier: SIGNER.user.identifier } };
    const { key, ticket } = partsOf(((await ask(createActionUrl, request)) as { url: string }).url);
    const json = { ticket, ...electronicBody(unset), ...unset({ text: ['flowActionId'] }) };
    nothing.parse(await ask(signByKey, { params: { key }, json }));
  },
};

test.each(WAYS.flatMap((way) => Object.entries(OPERATIONS).map(([name, run]) => ({ name, way, run }))))(
  '$name whose optional fields are $way is taken, and its answers decode',
  ({ way, run }) => run(unsetIn(way)),
);

test('a field that a serializer writes twice, in two cases of its name, is taken once', async () => {
  const { id } = await toSign();
  const request = { params: { id }, json: { identifier: SIGNER.user.identifier } };
  const { key, ticket } = partsOf(((await ask(createActionUrl, request)) as { url: string }).url);
  const json = { ticket, Ticket: ticket, disableNotifications: false, DisableNotifications: false };
  nothing.parse(await ask(signByKey, { params: { key }, json }));
});

test('a generation with what serializers make of a method of its model is taken', async () => {
  const table = 'nome,cpf,email\nAna,529.982.247-25,ana@example.com\n';
  const json = { ...(await requestOf({ orgId }, { table })), valid: true };
  types.Generation.parse(await ask(generate, { json }));
});

test.each([{}, { name: '', contentType: '' }, { name: 'b.txt', contentType: 'text/plain' }])(
  'a form with a file and %o decodes',
  async (parts) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(parts)) form.append(name, value);
    form.append('content', new File(['hello'], 'a.txt', { type: 'text/plain' }));
    const { headers: type, ...sent } = await encodeForm(form);
    const answer = await call(upload, { method: 'POST', ...sent, headers: { ...headers, ...type } });
    expect(types.Upload.parse(answer.json()).name).toBe(parts.name || 'a.txt');
  },
);
