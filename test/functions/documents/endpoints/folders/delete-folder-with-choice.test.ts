import { beforeEach, describe, expect, test } from 'vitest';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { documentList } from '../../../../../functions/documents/domain/document/document-lists.ts';
import { createFolder } from '../../../../../functions/documents/domain/places/create-folder.ts';
import { folderList, folders } from '../../../../../functions/documents/domain/places/folder.ts';
import { moveFolderContents } from '../../../../../functions/documents/domain/removal/empty-folder.ts';
import { handler as getDocument } from '../../../../../functions/documents/endpoints/documents/get-document.ts';
import { handler as listDocuments } from '../../../../../functions/documents/endpoints/documents/list-documents.ts';
import { handler } from '../../../../../functions/documents/endpoints/folders/delete-folder-with-choice.ts';
import { handler as getFolder } from '../../../../../functions/documents/endpoints/folders/get-folder.ts';
import type { Endpoint } from '../../../../../shared/http/endpoint.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { ownStores } from '../../../own-stores.ts';
import { ownOrganization } from '../../own-organization.ts';
import { callerFor, manyLike, someDocuments } from '../../sample-documents.ts';
import { commitBefore } from '../../stage/commit-before.ts';
import { runTasks } from '../../stage/run-tasks.ts';

let orgId: string;
let key: string;
await forFile(ownStores());
beforeEach(async () => {
  await runTasks();
  ({ orgId, key } = await ownOrganization());
});

const ask = (endpoint: Endpoint, id: string, json?: object) =>
  call(endpoint, { params: { id }, headers: { 'X-API-Key': key }, ...(json && { json }) });
const remove = (id: string, json: object) => ask(handler, id, json);
const folder = async (name: string, parentId: string | null = null): Promise<string> =>
  (await createFolder(callerFor(orgId), { name, parentId }, Date.now())).id;
const placesOf = async (...ids: string[]) =>
  (await documentItems.getMany(ids)).map(({ folderId }) => folderId);
const totalIn = async (scope: { folderId: string } | { organizationId: string }): Promise<number> =>
  (await documentList(scope).slice({ offset: 0, limit: 1 })).total;

const LAST_CHECK_MS = 17 * 60_000;
const lastCheckOf = async (id: string): Promise<void> => {
  while ((await moveFolderContents(id, Date.now() + LAST_CHECK_MS)) === 'more');
};

test('GET /api/folders/{id} answers the folder with its organization', async () => {
  const id = await folder('Contracts');
  expect((await ask(getFolder, id)).json()).toMatchObject({
    ...{ id, name: 'Contracts', parentId: null, organizationId: orgId },
    organization: { id: orgId, name: expect.any(String), owner: { id: expect.any(String) } },
  });
});

describe('POST /api/folders/{id}/delete', () => {
  test('with MoveContent moves documents and makes folders again, which exist all the time', async () => {
    const [outer, to] = [await folder('Outer'), await folder('To')];
    const inner = await folder('Inner', outer);
    const [a = ''] = await someDocuments(orgId, { folderId: outer });
    const [b = ''] = await someDocuments(orgId, { folderId: inner });
    const many = await manyLike(a, 120);
    const answer = await remove(outer, { deleteAction: 'MoveContent', destinationFolderId: to });
    expect([answer.status, answer.text]).toEqual([204, '']);
    // Nothing is moved yet: the folder is gone, and what is in it is not.
    expect((await ask(getFolder, outer)).status).toBe(404);
    expect((await remove(outer, { deleteAction: 'DeleteContent' })).status).toBe(404);
    for (const id of [a, b]) expect((await ask(getDocument, id)).status).toBe(200);
    const query = { limit: '100', offset: '1' };
    const listed = await call(listDocuments, { query, headers: { 'X-API-Key': key } });
    expect(listed.json()).toMatchObject({ totalCount: 122, items: { length: 22 } });

    await runTasks();
    expect(new Set(await placesOf(a, ...many))).toEqual(new Set([to]));
    const { ids } = await folderList({ parentId: to }).slice({ offset: 0, limit: 5 });
    expect(await folders.getMany(ids)).toMatchObject([{ name: 'Inner', parentId: to, state: 'Active' }]);
    expect(await placesOf(b)).toEqual(ids);
    for (const id of [outer, inner]) await lastCheckOf(id);
    expect(await folders.getMany([outer, inner])).toEqual([]);
    expect([await totalIn({ organizationId: orgId }), await totalIn({ folderId: to })]).toEqual([122, 121]);
  });

  test('moves to the root where no destination is named, or it was deleted meanwhile', async () => {
    const [one, other, to] = [await folder('One'), await folder('Other'), await folder('To')];
    const [a = ''] = await someDocuments(orgId, { folderId: one });
    const [b = ''] = await someDocuments(orgId, { folderId: other });
    await remove(one, { deleteAction: 'MoveContent', destinationFolderId: '' });
    await remove(other, { deleteAction: 'MoveContent', destinationFolderId: to });
    await remove(to, { deleteAction: 'DeleteContent', destinationFolderId: null });
    await runTasks();
    expect(await placesOf(a, b)).toEqual([null, null]);
  });

  test('refuses a destination that is in the folder, or is of somebody else', async () => {
    const outer = await folder('Outer');
    const foreign = await createFolder(
      callerFor((await ownOrganization()).orgId),
      { name: 'Foreign', parentId: null },
      Date.now(),
    );
    for (const destinationFolderId of [outer, await folder('Inner', outer), foreign.id]) {
      const answer = await remove(outer, { deleteAction: 'MoveContent', destinationFolderId });
      expect(answer.json()).toMatchObject({ code: 'FolderNotFound', resourceId: destinationFolderId });
    }
    expect((await ask(getFolder, outer)).status).toBe(200);
  });

  test('moves a document too that was put in by somebody who had found the folder open', async () => {
    const id = await folder('Going');
    commitBefore('DOCUMENT#', async () => {
      await remove(id, { deleteAction: 'MoveContent' });
      await runTasks();
    });
    const [late = ''] = await someDocuments(orgId, { folderId: id });
    expect((await ask(getDocument, late)).status).toBe(200);
    await lastCheckOf(id);
    expect(await placesOf(late)).toEqual([null]);
    expect(await folders.getMany([id])).toEqual([]);
  });
});
