import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { documentList } from '../../../../../functions/documents/domain/document/document-lists.ts';
import { cancelDocument } from '../../../../../functions/documents/domain/ending/end-document.ts';
import { createFolder } from '../../../../../functions/documents/domain/places/create-folder.ts';
import { folderList, folders } from '../../../../../functions/documents/domain/places/folder.ts';
import { handler } from '../../../../../functions/documents/endpoints/documents/move-document.ts';
import { handler as moveMany } from '../../../../../functions/documents/endpoints/documents/move-documents.ts';
import { createApplication, issueKey } from '../../../../../shared/access/administration.ts';
import { call } from '../../../../requests/http-event.ts';
import { ownOrganization } from '../../own-organization.ts';
import { callerFor, someDocuments } from '../../sample-documents.ts';

let orgId: string;
let key: string;
let document: string;
beforeEach(async () => {
  ({ orgId, key } = await ownOrganization());
  [document = ''] = await someDocuments(orgId);
});

const move = (folderId: unknown, by = key) =>
  call(handler, { params: { id: document }, json: { folderId }, headers: { 'X-API-Key': by } });
const folder = async (name: string, organizationId = orgId): Promise<string> =>
  (await createFolder(callerFor(organizationId), { name, parentId: null }, Date.now())).id;
const totals = (folderIds: readonly string[]) =>
  Promise.all(
    folderIds.flatMap((folderId) =>
      ([undefined, 'Pending'] as const).map(
        async (filter) => (await documentList({ folderId, filter }).slice({ offset: 0, limit: 1 })).total,
      ),
    ),
  );

describe('POST /api/documents/{id}/folder', () => {
  test('moves a document into a folder, on to another and back to the root, on every list', async () => {
    const [a, b] = [await folder('A'), await folder('B')];
    const { status, text, headers } = await move(a);
    expect([status, text, headers['content-type']]).toEqual([200, '', 'text/plain; charset=utf-8']);
    expect(await totals([a, b])).toEqual([1, 1, 0, 0]);
    await move(b);
    expect(await totals([a, b])).toEqual([0, 0, 1, 1]);
    expect(await documentItems.get(document)).toMatchObject({ folderId: b, state: 'Pending' });
    await move(null);
    expect(await totals([a, b])).toEqual([0, 0, 0, 0]);
    expect(await documentItems.get(document)).toMatchObject({ folderId: null });
  });

  test('is an unknown path where a word stands for the document', async () => {
    const path = '/documents/api/documents/any/folder';
    const batch = { method: 'POST', path, params: { id: 'any' }, json: { folderId: null } };
    const { status, json } = await call(handler, { ...batch, headers: { 'X-API-Key': key } });
    expect([status, json()]).toMatchObject([404, { code: 'EndpointNotFound', resourceId: path }]);
  });

  test.each([
    ['no field', {}, null],
    ['empty fields', { folderId: '', newFolderName: '' }, null],
    ['null', { folderId: null, newFolderName: null }, null],
    ['a new name', { folderId: null, newFolderName: 'Novo' }, 'Novo'],
  ])('takes %s, as clients send it', async (_, json, name) => {
    const sent = await call(handler, { params: { id: document }, json, headers: { 'X-API-Key': key } });
    expect([sent.status, sent.text]).toEqual([200, '']);
    const folderId = (await documentItems.get(document))?.folderId ?? null;
    expect(folderId && (await folders.get(folderId))?.name).toBe(name);
  });

  test('moves a document in any status', async () => {
    await cancelDocument(callerFor(orgId), document, 'x', Date.now());
    const a = await folder('A');
    expect((await move(a)).status).toBe(200);
    expect(await documentItems.get(document)).toMatchObject({ folderId: a, state: 'Canceled' });
  });

  test('changes nothing where the document is there already', async () => {
    const a = await folder('A');
    await move(a);
    const before = await documentItems.get(document);
    expect((await move(a)).status).toBe(200);
    expect(await documentItems.get(document)).toEqual(before);
  });

  test('refuses a folder that is not there or is of another organization, even one of the same key', async () => {
    const other = await ownOrganization();
    const theirs = await folder('Theirs', other.orgId);
    const name = randomUUID();
    await createApplication('documents', {
      name,
      permissions: [],
      registered: { organizations: [orgId, other.orgId] },
    });
    const { text: both } = await issueKey('documents', name);
    for (const [folderId, by] of [
      [randomUUID(), key],
      [theirs, key],
      [theirs, both],
    ] as const) {
      expect((await move(folderId, by)).json()).toMatchObject({
        code: 'FolderNotFound',
        resourceId: folderId,
      });
    }
    expect(await documentItems.get(document)).toMatchObject({ folderId: null });
  });

  test('refuses a document of another organization, and a folderId that is none', async () => {
    const other = await ownOrganization();
    expect((await move(null, other.key)).json()).toMatchObject({
      code: 'DocumentNotFound',
      resourceId: document,
    });
    expect((await move('x')).json()).toMatchObject({
      code: 'InvalidRequest',
      details: { field: 'folderId' },
    });
  });

  test('keeps every list right when several move it at the same moment', async () => {
    const ids = [await folder('A'), await folder('B'), await folder('C')];
    const answers = await Promise.all(ids.map((id) => move(id)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const where = (await documentItems.get(document))?.folderId;
    expect(await totals(ids)).toEqual(ids.flatMap((id) => (id === where ? [1, 1] : [0, 0])));
  });
});

describe('POST /api/documents/batch/folder', () => {
  const moveAll = async (json: object) =>
    (await call(moveMany, { json, headers: { 'X-API-Key': key } })).json() as object[];

  test('moves each document by itself into one new folder, and says why one was not moved', async () => {
    const [other = ''] = await someDocuments(orgId);
    const nobody = randomUUID();
    const moved = await moveAll({ documents: [nobody, document, other], newFolderName: 'Lote' });
    expect(moved).toMatchObject([
      { id: nobody, success: false, errorCode: 'DocumentNotFound', errorMessage: expect.any(String) },
      { id: document, success: true, errorMessage: null },
      { id: other, success: true, errorMessage: null },
    ]);
    const [one, two] = await documentItems.getMany([document, other]);
    expect(one?.folderId).toBe(two?.folderId);
    expect(await folders.get(one?.folderId ?? '')).toMatchObject({ name: 'Lote', parentId: null });
    await moveAll({ documents: [document, other], folderId: null });
    expect((await documentItems.getMany([document, other])).map(({ folderId }) => folderId)).toEqual([
      null,
      null,
    ]);
  });

  test('makes no folder where nothing can be moved', async () => {
    await moveAll({ documents: [randomUUID()], newFolderName: 'Leer' });
    const all = folderList({ organizationId: orgId, only: 'all' });
    expect(await all.slice({ offset: 0, limit: 5 })).toEqual({ ids: [], total: 0 });
  });
});
