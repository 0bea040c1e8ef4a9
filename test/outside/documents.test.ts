import { beforeAll, describe, expect, test } from 'vitest';
import { type CallOptions, type Json, openService, type Service } from './support/contract.ts';
import { file, form, pdf } from './support/files.ts';
import { type Holder, holder } from './support/holders.ts';
import { sharedEngine } from './support/shared-engine.ts';

// It needs a setting that a default start does not have: host.test.ts plays it.
const WITH_SETTINGS = ['sendSigningCode'];

const CPF = '52998224725';
const ana = { name: 'Ana Souza', identifier: CPF, email: 'ana@sandbox.example' };
const bia = { name: 'Bia Lima', email: 'bia@outside.example' };
const { url, folder, applications } = sharedEngine();
const [first, second] = applications;
const orgId = first?.organization ?? '';
const ofSecond = { key: second?.keys.documents ?? '' };

let documents: Service;
let holderOfCpf: Holder;
beforeAll(async () => {
  documents = await openService(url, 'documents', first?.keys.documents ?? '');
  holderOfCpf = await holder(folder, CPF, '1234');
});

const call = (operation: string, options?: CallOptions) => documents.call(operation, options);
const json = async (operation: string, options?: CallOptions): Promise<Json> =>
  (await call(operation, options)).json;

const upload = async (content: File): Promise<string> =>
  (await json('createUpload', { body: form({ file: content }) })).id;
const uploadPdf = (text: string) => upload(file(pdf(text), `${text}.pdf`, 'application/pdf'));

const signer = { type: 'Signer', user: ana };
const approver = { type: 'Approver', user: bia };

/** A document of one PDF that waits for the actions. */
async function create(text: string, flowActions: readonly object[], more: object = {}): Promise<string> {
  const body = { files: [{ id: await uploadPdf(text) }], flowActions, ...more };
  const [created] = await json('createDocuments', { body });
  return created.documentId;
}

const read = (id: string): Promise<Json> => json('getDocument', { path: { id } });

type Action = { readonly key: string; readonly ticket: string };

/** Of a link that opens: its path has the key, its query the ticket. */
async function actionOf(id: string, body: object, caller: CallOptions = {}): Promise<Action> {
  const link = new URL((await json('createActionUrl', { ...caller, path: { id }, body })).url);
  expect((await fetch(link)).status).toBe(200);
  const key = /\/key\/([^/]+)\//.exec(link.pathname)?.[1] ?? '';
  return { key, ticket: link.searchParams.get('ticket') ?? '' };
}

const signatureOf = (toSignData: string) => holderOfCpf.sign(Buffer.from(toSignData, 'base64'));

describe('the document platform', () => {
  test('is healthy', async () => {
    expect(await json('getHealth', { key: null })).toEqual({ status: 'ok' });
    await call('getOpenapi', { key: null });
  });

  describe('has an organization', () => {
    test('that another application does not see', async () => {
      expect((await json('getOrganization', { path: { orgId } })).name).toBe('Primeira Associação');
      await call('getOrganization', { path: { orgId }, ...ofSecond, expect: 404 });
    });

    test('with a look, mail and preferences of its own', async () => {
      const path = { orgId };
      await call('updateBranding', { path, body: { displayName: 'Primeira', color: '#1f4f82' } });
      await call('updateEmbedding', { path, body: { origins: ['https://app.example'] } });
      await call('updateOrganizationMail', { path, body: { enabled: true } });
      const preferences = { language: 'pt-BR', mailSentence: 'Dúvidas? (11) 5555-0100' };
      await call('updatePreferences', { path, body: preferences });
      expect(await json('getPreferences', { path })).toMatchObject(preferences);
      expect((await json('getOrganization', { path })).branding.displayName).toBe('Primeira');
    });

    test('with members, in either shape', async () => {
      const path = { orgId };
      const owner = await json('inviteMember', {
        path,
        body: { name: 'Olga Reis', email: 'olga@outside.example', role: 'Owner' },
      });
      const member = await json('inviteMember', {
        path,
        body: { name: 'Ivo Reis', email: 'ivo@outside.example', role: 'Reader' },
      });
      const change = { ...path, memberId: member.id };
      await call('changeMember', { path: change, body: { name: 'Ivo Reis', role: 'Member' } });
      const { items } = await json('listMembers', { path });
      expect(items.map(({ id }: Json) => id)).toEqual(expect.arrayContaining([owner.id, member.id]));
      await call('removeMember', { path: change, expect: 204 });

      const user = await json('createUser', {
        body: { name: 'Uma Reis', email: 'uma@outside.example', accessProfile: { operator: true } },
      });
      expect((await json('listUsers', { query: { q: 'uma' } })).totalCount).toBe(1);
      await call('deleteUser', { path: { userId: user.id }, expect: 204 });
    });

    test('with applications of its own, whose keys are limited to their role', async () => {
      const path = { orgId };
      const created = await json('createApplication', { path, body: { name: 'ERP', role: 'Reader' } });
      const applicationId = created.application.id;
      await call('listFolders', { key: created.key });
      await call('createFolder', { key: created.key, body: { name: 'No' }, expect: 403 });
      const another = await json('issueApplicationKey', { path: { ...path, applicationId } });
      const keyId = another.application.keys.at(-1).id;
      await call('revokeApplicationKey', { path: { ...path, applicationId, keyId }, expect: 204 });
      expect((await json('listApplications', { path })).items).toHaveLength(1);
      await call('removeApplication', { path: { ...path, applicationId }, expect: 204 });
    });

    test('which an application that may do so makes and deletes', async () => {
      const body = { name: 'Short-lived', owner: { id: 'maria', name: 'Maria da Silva' } };
      const { id } = await json('createOrganization', { body });
      await call('deleteOrganization', { path: { orgId: id }, expect: 204 });
    });
  });

  test('keeps folders, and moves documents between them', async () => {
    const parent = await json('createFolder', { body: { name: 'Contracts' } });
    const child = await json('createFolder', { body: { name: '2026', parentId: parent.id } });
    const { items } = await json('listFolders', { query: { filterByParent: 'true', parentId: parent.id } });
    expect(items.map(({ id }: Json) => id)).toEqual([child.id]);
    expect((await json('getFolder', { path: { id: child.id } })).name).toBe('2026');
    await call('getFolder', { path: { id: child.id }, ...ofSecond, expect: 404 });
    const id = await create('moved', [approver]);
    await call('moveDocument', { path: { id }, body: { folderId: child.id } });
    expect(await json('getFolderDetails', { path: { id: child.id } })).toMatchObject({
      documentCount: 1,
      parents: [{ id: parent.id, name: 'Contracts' }],
    });
    const [moved] = await json('moveDocuments', { body: { documents: [id], folderId: parent.id } });
    expect(moved.success).toBe(true);
    await call('deleteFolder', { path: { id: child.id }, expect: 204 });
    const body = { deleteAction: 'MoveContent', destinationFolderId: null };
    await call('deleteFolderWithChoice', { path: { id: parent.id }, body, expect: 204 });
    expect((await json('getFolder', { path: { id: parent.id }, expect: 404 })).code).toBe('FolderNotFound');
    await expect.poll(async () => (await read(id)).folder).toBe(null);
  });

  test('takes uploads in three ways', async () => {
    const bytes = pdf('uploaded');
    const id = await uploadPdf('uploaded');
    expect((await call('getUploadContent', { path: { id } })).bytes).toEqual(bytes);
    expect((await json('createUploadFromBytes', { body: { bytes: bytes.toString('base64') } })).size).toBe(
      bytes.length,
    );
    const link = await json('createPresignedUpload', {
      body: { name: 'a.pdf', contentType: 'application/pdf', size: bytes.length },
    });
    const put = await fetch(link.url, { method: link.method, headers: link.headers, body: bytes });
    expect(put.status).toBe(200);
    const body = { files: [{ id: link.id }], flowActions: [approver] };
    await call('createDocuments', { body });
  });

  describe('takes a document through its flow', () => {
    let id: string;

    test('in which one approves and one signs with a certificate, by API', async () => {
      const attachment = await upload(file('beside it', 'notes.txt', 'text/plain'));
      const actions = [
        { ...approver, step: 1 },
        { ...signer, step: 2 },
      ];
      id = await create('signed', actions, { attachments: [{ id: attachment, name: 'notes.txt' }] });
      const path = { id };
      await call('getDocument', { path, ...ofSecond, expect: 404 });
      const [{ id: attachmentId }] = (await read(id)).attachments;
      expect((await call('getAttachmentContent', { path: { id, attachmentId } })).text).toBe('beside it');

      await call('approveDocument', { path, body: { emailAddress: bia.email } });
      const body = { certificate: holderOfCpf.certificate };
      const { token, toSignData } = await json('startSignature', { path, body });
      const signature = signatureOf(toSignData);
      expect((await json('completeSignature', { path, body: { token, signature } })).success).toBe(true);
      await expect.poll(async () => (await read(id)).status).toBe('Concluded');
    });

    test('and is read, verified and downloaded in every form', async () => {
      const path = { id };
      const signed = await call('getContent', { path, query: { type: 'Signatures' } });
      expect(signed.bytes.includes('/ByteRange')).toBe(true);
      const inJson = await json('getContentB64', { path, query: { type: 'Signatures' } });
      expect(Buffer.from(inJson.bytes, 'base64')).toEqual(signed.bytes);
      for (const type of ['Original', 'OriginalWithMarks', 'PrinterFriendlyVersion', 'SignaturesManifest'])
        expect((await call('getContent', { path, query: { type } })).text.startsWith('%PDF-'), type).toBe(
          true,
        );
      const { location } = await json('getContentTicket', { path, query: { type: 'Signatures' } });
      const ticket = location.split('/').at(-1);
      const opened = await call('getDownload', { path: { ticket }, key: null });
      expect([200, 302]).toContain(opened.status);

      const details = await json('getSignaturesDetails', { path });
      expect(details.signers).toHaveLength(1);
      const code = details.key;
      expect((await json('getSignaturesByCode', { path: { key: code }, key: null })).signers).toHaveLength(1);
      expect(await json('verifyByCode', { path: { code }, key: null })).toMatchObject({
        hasSignedFile: true,
      });
      const verified = await call('getVerifiedContent', { path: { code }, key: null });
      expect(verified.bytes).toEqual(signed.bytes);

      const again = await upload(file(Buffer.from(signed.bytes), 'signed.pdf', 'application/pdf'));
      const [validated] = await json('validateSignatures', { body: { fileId: again } });
      expect(validated.identifier).toContain('982');
      const content = form({ file: file(Buffer.from(signed.bytes), 'signed.pdf', 'application/pdf') });
      expect(await json('verifyFile', { body: content })).toMatchObject({
        format: 'PAdES',
        verdict: 'passed',
      });
    });

    test('in which people act by their links', async () => {
      const signed = await create('by link', [signer]);
      const { key, ticket } = await actionOf(signed, { identifier: CPF });
      const asPerson = { path: { key }, key: null };
      const details = await json('getActionDetails', { ...asPerson, query: { ticket } });
      expect(details.action.canAct).toBe(true);
      expect((await call('getActionContent', { ...asPerson, query: { ticket } })).bytes).toEqual(
        pdf('by link'),
      );
      const started = await json('startSignatureByKey', {
        ...asPerson,
        body: { ticket, certificate: holderOfCpf.certificate },
      });
      const body = { token: started.token, signature: signatureOf(started.toSignData) };
      expect((await json('completeSignatureByKey', { ...asPerson, body })).success).toBe(true);

      const approved = await create('approved by link', [approver]);
      const one = await actionOf(approved, { emailAddress: bia.email });
      await call('approveDocumentByKey', { path: { key: one.key }, key: null, body: { ticket: one.ticket } });
      const refused = await create('refused by link', [approver]);
      const other = await actionOf(refused, { emailAddress: bia.email });
      const refusal = { ticket: other.ticket, reason: 'The amount is wrong.' };
      await call('refuseDocumentByKey', { path: { key: other.key }, key: null, body: refusal });
      expect((await read(refused)).status).toBe('Refused');
    });

    test('whose links are revoked', async () => {
      const revoked = await create('revoked', [approver]);
      const { key, ticket } = await actionOf(revoked, { emailAddress: bia.email });
      const body = { emailAddress: bia.email };
      await call('revokeActionUrls', { path: { id: revoked }, body, expect: 204 });
      const options = { path: { key }, key: null, query: { ticket } };
      const refused = await json('getActionDetails', { ...options, expect: 422 });
      expect(refused.code).toBe('InvalidTicket');
    });

    test('which people without a certificate sign electronically, under a seal', async () => {
      const seal = { pkcs12: (await readSeal()).toString('base64'), password: '1234' };
      expect((await json('updateSeal', { path: { orgId }, body: seal, ...ofSecond, expect: 404 })).code).toBe(
        'OrganizationNotFound',
      );
      const sealed = { path: { orgId: second?.organization ?? '' }, body: seal, ...ofSecond };
      await call('updateSeal', sealed);
      const electronic = { type: 'Signer', allowElectronicSignature: true, user: ana };
      const createBySecond = async () => {
        const content = form({ file: file(pdf('electronic'), 'e.pdf', 'application/pdf') });
        const { id: uploadId } = await json('createUpload', { body: content, ...ofSecond });
        const body = { files: [{ id: uploadId }], flowActions: [electronic] };
        return (await json('createDocuments', { body, ...ofSecond }))[0].documentId;
      };
      const byApi = await createBySecond();
      await call('signElectronically', { path: { id: byApi }, body: { identifier: CPF }, ...ofSecond });
      const byLink = await createBySecond();
      const { key, ticket } = await actionOf(byLink, { identifier: CPF }, ofSecond);
      await call('signElectronicallyByKey', { path: { key }, key: null, body: { ticket } });
      await expect
        .poll(async () => (await json('getDocument', { path: { id: byLink }, ...ofSecond })).status)
        .toBe('Concluded');
    });

    test('which is edited, told about, refused, versioned and canceled on the way', async () => {
      const path = { id: await create('edited', [{ ...approver, step: 1 }]) };
      const added = { addedFlowActions: [{ ...signer, step: 2 }] };
      await call('editFlow', { path, body: added });
      const { flowActions } = await read(path.id);
      expect(flowActions).toHaveLength(2);
      await call('updateNotifiedEmails', { path, body: { emails: ['archive@outside.example'] } });
      await call('notifyPending', { body: { emails: ['nobody@outside.example'] }, expect: 204 });
      const quiet = await create('quiet', [approver], { disablePendingActionNotifications: true });
      const reminded = { documentId: quiet, flowActionId: (await read(quiet)).flowActions[0].id };
      await call('remindFlowAction', { body: reminded, expect: 204 });

      await call('refuseDocument', { path, body: { reason: 'Clause 4', emailAddress: bia.email } });
      await call('createVersion', { path, body: { file: { id: await uploadPdf('corrected') } } });
      expect((await read(path.id)).status).toBe('Pending');
      await call('cancelDocument', { path, body: { reason: 'Replaced.' } });
      expect((await read(path.id)).status).toBe('Canceled');
      await call('deleteDocument', { path, expect: 204 });
      await call('getDocument', { path, expect: 404 });
    });

    test('as one envelope of several files', async () => {
      const files = [{ id: await uploadPdf('part one') }, { id: await uploadPdf('part two') }];
      const body = { files, flowActions: [approver], isEnvelope: true, envelopeName: 'Both' };
      const [created] = await json('createDocuments', { body });
      const path = { id: created.documentId };
      expect((await read(path.id)).parts).toHaveLength(2);
      await call('createEnvelopeVersion', { path, body: { files: [{ id: await uploadPdf('alone') }] } });
      expect((await read(path.id)).parts).toHaveLength(1);
    });

    test('from the first call that starts its signature', async () => {
      const body = {
        file: { bytes: pdf('started').toString('base64'), name: 'started.pdf' },
        flowActions: [signer],
        signature: { certificate: holderOfCpf.certificate },
      };
      const { document, signature: started } = await json('createStartedDocument', { body });
      const path = { id: document.documentId };
      const signature = signatureOf(started.toSignData);
      await call('completeSignature', { path, body: { token: started.token, signature } });
    });
  });

  test('lists documents, page by page', async () => {
    const { items, nextCursor, totalCount } = await json('listDocuments', { query: { limit: 2 } });
    expect([items.length, totalCount > 5]).toEqual([2, true]);
    const next = await json('listDocuments', { query: { limit: 2, cursor: nextCursor } });
    expect(next.items.map(({ id }: Json) => id)).not.toContain(items[0].id);
    expect((await json('listDocuments', { query: { limit: 1 }, ...ofSecond })).totalCount).toBeLessThan(
      totalCount,
    );
  });

  test('stores flows', async () => {
    const body = { name: 'Purchases', flowActions: [approver] };
    const { id } = await json('createFlow', { body });
    await call('updateFlow', { path: { id }, body: { ...body, name: 'Sales' } });
    expect((await json('getFlow', { path: { id } })).name).toBe('Sales');
    expect((await json('listFlows', { query: { q: 'sales' } })).totalCount).toBe(1);
    await call('deleteFlow', { path: { id }, expect: 204 });
  });

  test('makes documents of templates and tables', async () => {
    const flowActions = [{ type: 'Approver', user: { name: '{{name}}', email: '{{email}}' } }];
    const template = await json('createTemplate', { body: { name: 'Lease', flowActions } });
    const path = { id: template.id };
    const changed = { name: 'Lease of {{name}}', flowActions, version: template.version };
    expect((await json('updateTemplate', { path, body: changed })).version).toBe(2);
    expect((await json('getTemplate', { path, query: { version: 1 } })).name).toBe('Lease');
    expect((await json('listTemplates', { query: { q: 'lease of' } })).totalCount).toBe(1);
    const values = { name: 'Ana Souza', email: 'ana@sandbox.example' };
    const body = { files: [{ id: await uploadPdf('lease') }], values };
    expect(await json('createDocumentsByTemplate', { path, body })).toHaveLength(1);

    const table = async () => ({
      templateFile: { id: await upload(file('I, {{name}}, agree.', 'a.txt', 'text/plain')) },
      dataFile: {
        id: await upload(file('name,email\nAna,ana@sandbox.example\nBob,none\n', 'a.csv', 'text/csv')),
      },
    });
    const ofTemplate = await json('generateByTemplate', { path, body: await table() });
    const ofFlow = await json('createGeneration', { body: { ...(await table()), flowActions } });
    for (const { id } of [ofTemplate, ofFlow])
      await expect.poll(async () => (await json('getGeneration', { path: { id } })).status).toBe('Done');
    const made = { path: { id: ofFlow.id } };
    const ids = (await json('listGeneratedDocuments', made)).items.map(({ documentId }: Json) => documentId);
    expect(ids).toEqual([expect.any(String), null]);
    expect((await json('listGenerationErrors', made)).items[0].line).toBe(3);
    expect((await json('listGenerations')).items.map(({ id }: Json) => id)).toContain(ofFlow.id);

    const lines = Array.from({ length: 400 }, (_, n) => `Ana ${n},ana@sandbox.example\n`).join('');
    const many = {
      templateFile: { id: await upload(file('I, {{name}}, agree.', 'a.txt', 'text/plain')) },
      dataFile: { id: await upload(file(`name,email\n${lines}`, 'a.csv', 'text/csv')) },
      flowActions,
    };
    const stopped = { path: { id: (await json('createGeneration', { body: many })).id } };
    await call('cancelGeneration', stopped);
    await expect.poll(async () => (await json('getGeneration', stopped)).status).toBe('Canceled');
    await call('resumeGeneration', stopped);
    await expect.poll(async () => (await json('getGeneration', stopped)).status).toBe('Completed');
    expect((await json('listGeneratedDocuments', stopped)).totalCount).toBe(400);
    await call('deleteTemplate', { path, expect: 204 });
  });

  test('has a person place marks', async () => {
    const files = [{ id: await uploadPdf('marked') }];
    const { id, embedUrl } = await json('createMarksSession', { body: { files, flowActions: [signer] } });
    expect((await fetch(embedUrl)).status).toBe(200);
    expect((await json('getMarksSession', { path: { id } })).isPlaced).toBe(false);
    await call('createMarksSessionOfDocuments', { body: { files, flowActions: [signer] } });
  });

  test('tells a webhook what happens, and shows the deliveries', async () => {
    const place = { orgId };
    const receiver = `${url}/sandbox/receiver/outside-documents`;
    const body = { url: receiver, authType: 'Bearer', token: 'a-long-random-token' };
    const { webhookId } = await json('createWebhook', { path: place, body });
    const path = { ...place, webhookId };
    const { deliveryId } = await json('sendWebhookTest', { path });
    const delivery = () => json('getWebhookDelivery', { path: { ...path, deliveryId } });
    await expect.poll(async () => (await delivery()).state).toBe('Confirmed');
    const received = (await (await fetch(receiver)).json()) as Json;
    expect(JSON.stringify(received)).toContain('WebhookTest');
    await call('replayWebhookDelivery', { path: { ...path, deliveryId } });
    await expect.poll(async () => (await delivery()).attemptCount).toBe(2);
    expect((await json('listWebhookDeliveries', { path })).items.length).toBeGreaterThan(0);

    const failing = { ...body, url: `${receiver}?status=500` };
    const failed = {
      ...place,
      webhookId: (await json('createWebhook', { path: place, body: failing })).webhookId,
    };
    await call('sendWebhookTest', { path: failed });
    const exhausted = () => json('listWebhookDeliveries', { path: failed, query: { state: 'Exhausted' } });
    await expect.poll(async () => (await exhausted()).items.length).toBe(1);
    expect((await json('replayFailedWebhookDeliveries', { path: failed })).replayed).toBe(1);
    await call('updateWebhook', { path: failed, body });
    await call('deleteWebhook', { path: failed, expect: 204 });
    await call('deleteWebhook', { path, expect: 204 });
  });

  test('counts what was used', async () => {
    expect((await json('getUsage', { path: { orgId } })).documents).toBeGreaterThan(10);
  });

  test('was asked for every operation of its contract that a default start has', () => {
    expect(documents.unplayed()).toEqual(WITH_SETTINGS);
  });
});

/** The certificate of the company that the second organization is. */
const readSeal = async () =>
  Buffer.from(await (await fetch(`${url}/sandbox/holders/11222333000181.p12`)).arrayBuffer());
