import { beforeEach, describe, expect, test } from 'vitest';
import { CreateDocuments } from '../../../../../functions/documents/contract/create-document.ts';
import { createDocuments } from '../../../../../functions/documents/domain/creating/create-documents.ts';
import { documentItems, findDocument } from '../../../../../functions/documents/domain/document/document.ts';
import { documentList } from '../../../../../functions/documents/domain/document/document-lists.ts';
import { moveDocument as moveInto } from '../../../../../functions/documents/domain/document/move-document.ts';
import { createFolder } from '../../../../../functions/documents/domain/places/create-folder.ts';
import { folders } from '../../../../../functions/documents/domain/places/folder.ts';
import {
  deleteFolder,
  emptyFolder,
} from '../../../../../functions/documents/domain/removal/delete-folder.ts';
import { handler as listDocuments } from '../../../../../functions/documents/endpoints/documents/list-documents.ts';
import { handler as moveDocument } from '../../../../../functions/documents/endpoints/documents/move-document.ts';
import { handler } from '../../../../../functions/documents/endpoints/folders/delete-folder.ts';
import { handler as getDetails } from '../../../../../functions/documents/endpoints/folders/get-folder-details.ts';
import { handler as listFolders } from '../../../../../functions/documents/endpoints/folders/list-folders.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { requestsOf } from '../../../../shared/store/requests.ts';
import { ownStores } from '../../../own-stores.ts';
import { ownOrganization } from '../../own-organization.ts';
import { anUpload, callerFor, manyLike, SIGNER, someDocuments } from '../../sample-documents.ts';
import { commitBefore } from '../../stage/commit-before.ts';
import { recordedEventsOf, registerSilentWebhook } from '../../stage/recorded-events.ts';
import { runTasks } from '../../stage/run-tasks.ts';

type Deleted = { readonly action: string; readonly documents: { readonly id: string }[] };

let orgId: string;
let key: string;
await forFile(ownStores());
beforeEach(async () => {
  await runTasks();
  ({ orgId, key } = await ownOrganization());
});

const remove = (id: string, by = key) =>
  call(handler, { method: 'DELETE', params: { id }, headers: { 'X-API-Key': by } });
const folder = async (name: string, parentId: string | null = null): Promise<string> =>
  (await createFolder(callerFor(orgId), { name, parentId }, Date.now())).id;
const deletions = async (): Promise<Deleted[]> =>
  (await recordedEventsOf(orgId))
    .filter(({ type }) => type === 'DocumentDeleted')
    .map(({ data }) => data as unknown as Deleted);
const LAST_CHECK_MS = 17 * 60_000;
/** Empties closed folders as their tasks do once no writer can be left that found them open. */
async function lastCheckOf(...ids: string[]): Promise<void> {
  for (const id of ids) while ((await emptyFolder(id, Date.now() + LAST_CHECK_MS)) === 'more');
  await runTasks();
}
const left = async (): Promise<number> =>
  (await documentList({ organizationId: orgId }).slice({ offset: 0, limit: 1 })).total;

describe('DELETE /api/folders/{id}', () => {
  test('answers 204, and from then on the folder does not exist: not by its id, and on no list', async () => {
    const id = await folder('Going');
    const { status, text } = await remove(id);
    expect([status, text]).toEqual([204, '']);
    const headers = { 'X-API-Key': key };
    expect((await call(getDetails, { params: { id }, headers })).status).toBe(404);
    expect((await call(listFolders, { headers })).json()).toMatchObject({ items: [], totalCount: 0 });
    expect((await remove(id)).json()).toMatchObject({ code: 'FolderNotFound', resourceId: id });
  });

  test('deletes its documents and its folders with theirs in the background, and nothing beside it', async () => {
    const outer = await folder('Outer');
    const inner = await folder('Inner', outer);
    const beside = await folder('Beside');
    const [a = ''] = await someDocuments(orgId, { folderId: outer });
    const [b = ''] = await someDocuments(orgId, { folderId: inner });
    const [c = ''] = await someDocuments(orgId, { folderId: beside });
    await remove(outer);
    await runTasks();
    expect((await documentItems.getMany([a, b, c])).map(({ id }) => id)).toEqual([c]);
    await lastCheckOf(outer, inner);
    expect((await folders.getMany([outer, inner, beside])).map(({ id }) => id)).toEqual([beside]);
    expect(await left()).toBe(1);
  });

  test('empties a folder of more documents and folders than one run takes', async () => {
    const id = await folder('Full');
    const [sample = ''] = await someDocuments(orgId, { folderId: id });
    await manyLike(sample, 105);
    for (let n = 0; n < 30; n++) await folder(`${n}`, id);
    await remove(id);
    expect((await runTasks()).filter((task) => task === 'deleteFolder').length).toBeGreaterThan(2);
    expect(await left()).toBe(0);
    await lastCheckOf(id);
    expect(await folders.get(id)).toBeUndefined();
  });

  test('tells of its documents as DeletedByFolder, and so does each folder below it', async () => {
    await registerSilentWebhook(orgId);
    const outer = await folder('Outer');
    const inner = await folder('Inner', outer);
    const [a = ''] = await someDocuments(orgId, { folderId: outer });
    const [b = ''] = await someDocuments(orgId, { folderId: inner });
    await remove(outer);
    await runTasks();
    const told = await deletions();
    expect(told.map(({ action }) => action)).toEqual(['DeletedByFolder', 'DeletedByFolder']);
    expect(told.map(({ documents }) => documents)).toEqual([
      [expect.objectContaining({ id: a, folder: expect.objectContaining({ id: outer, name: 'Outer' }) })],
      [expect.objectContaining({ id: b, folder: expect.objectContaining({ id: inner, parentId: outer }) })],
    ]);
  });

  test('lists 100 documents at most, and tells nothing when there is none', async () => {
    await registerSilentWebhook(orgId);
    const id = await folder('Full');
    const [sample = ''] = await someDocuments(orgId, { folderId: id });
    await manyLike(sample, 104);
    await remove(await folder('Empty'));
    await remove(id);
    await runTasks();
    const told = await deletions();
    expect(told.map(({ documents }) => documents.length)).toEqual([100]);
  });

  test('happens once when several ask at the same moment', async () => {
    await registerSilentWebhook(orgId);
    const id = await folder('Going');
    await someDocuments(orgId, { folderId: id });
    const answers = await Promise.all([remove(id), remove(id), remove(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    await runTasks();
    expect(await deletions()).toHaveLength(1);
  });

  test('takes its documents with it at once: they do not exist while they wait to be removed', async () => {
    const id = await folder('Going');
    const [document = ''] = await someDocuments(orgId, { folderId: id });
    await remove(id);
    await expect(findDocument(callerFor(orgId), document)).rejects.toMatchObject({
      code: 'DocumentNotFound',
    });
    expect(await documentItems.get(document)).toBeDefined();
  });

  test('takes all that is below it with it at once, on lists too, before its task has run', async () => {
    const outer = await folder('Outer');
    const inner = await folder('Inner', outer);
    const innermost = await folder('Innermost', inner);
    const [below = ''] = await someDocuments(orgId, { folderId: innermost });
    const [beside = ''] = await someDocuments(orgId, { names: ['beside.bin'] });
    const caller = callerFor(orgId);
    await remove(outer);
    await expect(findDocument(caller, below)).rejects.toMatchObject({ code: 'DocumentNotFound' });
    const headers = { 'X-API-Key': key };
    const gone = [
      await call(getDetails, { params: { id: innermost }, headers }),
      await call(listDocuments, { query: { folderId: innermost }, headers }),
      await remove(inner),
    ];
    expect(gone.map(({ json }) => json())).toMatchObject(gone.map(() => ({ code: 'FolderNotFound' })));
    expect((await call(listFolders, { headers })).json()).toMatchObject({ items: [] });
    expect((await call(listDocuments, { headers })).json()).toMatchObject({ items: [{ id: beside }] });
    await expect(folder('Late', innermost)).rejects.toMatchObject({ code: 'FolderNotFound' });
  });

  test('holds for folders that were made before they kept the folders above', async () => {
    const outer = await folder('Outer');
    const inner = await folder('Inner', outer);
    const innermost = await folder('Innermost', inner);
    for (const made of await folders.getMany([inner, innermost]))
      await folders.change(made, { ancestorIds: undefined });
    const [below = ''] = await someDocuments(orgId, { folderId: innermost });
    expect(await findDocument(callerFor(orgId), below)).toMatchObject({ id: below });
    await remove(outer);
    await expect(findDocument(callerFor(orgId), below)).rejects.toMatchObject({ code: 'DocumentNotFound' });
  });

  test('a look at a document reads its place at once, and all folders above in one call', async () => {
    let deepest = await folder('0');
    for (let n = 1; n < 10; n++) deepest = await folder(String(n), deepest);
    const [atRoot = ''] = await someDocuments(orgId);
    const [below = ''] = await someDocuments(orgId, { folderId: deepest });
    const read = (id: string) => requestsOf(() => findDocument(callerFor(orgId), id));
    expect(await read(atRoot)).toEqual({ GetItem: 1 });
    expect(await read(below)).toEqual({ GetItem: 1, BatchGetItem: 1 });
  });

  test('is answered 404 for a folder of another organization, which stays', async () => {
    const other = await ownOrganization();
    const id = await folder('Ours');
    expect((await remove(id, other.key)).status).toBe(404);
    expect(await folders.get(id)).toMatchObject({ state: 'Active' });
  });
});

describe('a folder that is being deleted', () => {
  test('takes in no folder, no new document and no moved one', async () => {
    const id = await folder('Going');
    const [document = ''] = await someDocuments(orgId);
    await remove(id);
    await expect(folder('Late', id)).rejects.toMatchObject({ code: 'FolderNotFound' });
    await expect(someDocuments(orgId, { folderId: id })).rejects.toMatchObject({ code: 'FolderNotFound' });
    const move = { params: { id: document }, json: { folderId: id }, headers: { 'X-API-Key': key } };
    expect((await call(moveDocument, move)).json()).toMatchObject({ code: 'FolderNotFound' });
  });

  // The writer reads the folder before it is closed, and writes after it is emptied:
  //
  //   create  |--reads the folder: Active----------------------- writes --|
  //   delete           |--closes it--|--its task finds it empty--|            |--last check: empties it--|--gone
  type Put = (folderId: string) => Promise<unknown>;
  const newDocument = async (): Promise<Put> => (folderId) => someDocuments(orgId, { folderId });
  const movedDocument = async (): Promise<Put> => {
    const [document = ''] = await someDocuments(orgId);
    return (folderId) => moveInto(callerFor(orgId), document, { folderId, newFolderName: null }, Date.now());
  };
  test.each([
    ['a folder', 'FOLDER#', async (): Promise<Put> => (id) => folder('Late', id)],
    ['a new document', 'DOCUMENT#', newDocument],
    ['a moved one', 'DOCUMENT#', movedDocument],
  ])(
    'shows nobody %s that was decided on before, and deletes it with its last check',
    async (_, pk, prepare) => {
      const id = await folder('Going');
      const put = await prepare();
      let ran: string[] = [];
      commitBefore(pk, async () => {
        await remove(id);
        ran = await runTasks();
      });
      await put(id);
      expect(ran).toContain('deleteFolder');
      const headers = { 'X-API-Key': key };
      const shown = [await call(listDocuments, { headers }), await call(listFolders, { headers })];
      expect(shown.map(({ json }) => json())).toMatchObject([{ items: [] }, { items: [] }]);
      expect(await folders.get(id)).toMatchObject({ state: 'Deleting' });
      await lastCheckOf(id);
      expect([await folders.get(id), await left()]).toEqual([undefined, 0]);
      expect((await documentList({ folderId: id }).slice({ offset: 0, limit: 1 })).total).toBe(0);
      expect((await call(listFolders, { headers })).json()).toMatchObject({ items: [], totalCount: 0 });
    },
  );

  test('tells of a document that was created at the last moment', async () => {
    await registerSilentWebhook(orgId);
    const id = await folder('Going');
    const [early = ''] = await someDocuments(orgId, { folderId: id });
    const uploaded = await anUpload(orgId);
    commitBefore(`UPLOAD#${uploaded}`, async () => {
      await remove(id);
      await runTasks();
    });
    const request = { files: [{ id: uploaded }], flowActions: [SIGNER], folderId: id };
    const [late] = await createDocuments(callerFor(orgId), CreateDocuments.parse(request), Date.now());
    await lastCheckOf(id);
    const told = await deletions();
    expect(told.map(({ documents }) => documents.map((document) => document.id))).toEqual([
      [early],
      [late?.documentId],
    ]);
  });

  test('is gone when its last check is over, and not before', async () => {
    const id = await folder('Going');
    const nowMs = Date.now();
    await deleteFolder(callerFor(orgId), id, nowMs);
    const seconds = 15 * 60 + 5 + 60; // the life of a function, the age of a cached organization, the margin
    expect(await emptyFolder(id, nowMs + (seconds - 1) * 1000)).toBe('waiting');
    expect(await emptyFolder(id, nowMs + seconds * 1000)).toBe('deleted');
    expect(await folders.get(id)).toBeUndefined();
  });

  test('ends empty and gone whoever puts something into it at the same moment', async () => {
    const id = await folder('Going');
    const putting = [folder('Late', id), someDocuments(orgId, { folderId: id }), folder('Later', id)];
    await Promise.allSettled([...putting, remove(id)]);
    await runTasks();
    await lastCheckOf(id);
    expect([await folders.get(id), await left()]).toEqual([undefined, 0]);
  });
});
