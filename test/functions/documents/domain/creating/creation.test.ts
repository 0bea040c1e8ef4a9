import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { CreateDocuments } from '../../../../../functions/documents/contract/create-document.ts';
import { storageOf } from '../../../../../functions/documents/domain/billing/usage.ts';
import { createDocuments } from '../../../../../functions/documents/domain/creating/create-documents.ts';
import { creations, runCreation } from '../../../../../functions/documents/domain/creating/creation.ts';
import { type Document, documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { documentList } from '../../../../../functions/documents/domain/document/document-lists.ts';
import { moveDocument } from '../../../../../functions/documents/domain/document/move-document.ts';
import { deleteDocument } from '../../../../../functions/documents/domain/removal/delete-document.ts';
import { deleteFolder } from '../../../../../functions/documents/domain/removal/delete-folder.ts';
import { handler as createFolder } from '../../../../../functions/documents/endpoints/folders/create-folder.ts';
import { files } from '../../../../../shared/files/files.ts';
import { killedAt } from '../../../../faults/crash.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { ownStores } from '../../../own-stores.ts';
import { ownOrganization } from '../../own-organization.ts';
import { anUpload, callerFor, SIGNER, someDocuments } from '../../sample-documents.ts';
import { commitBefore } from '../../stage/commit-before.ts';
import { recordedEventsOf, registerSilentWebhook } from '../../stage/recorded-events.ts';
import { runTasksAt } from '../../stage/run-tasks.ts';

const MANY = 40;

let orgId: string;
let key: string;
await forFile(ownStores());
beforeEach(async () => {
  ({ orgId, key } = await ownOrganization());
  await registerSilentWebhook(orgId);
});

const caller = () => callerFor(orgId);
const listed = async (): Promise<readonly string[]> =>
  (await documentList({ organizationId: orgId }).slice({ offset: 0, limit: 9 })).ids;
const typesTold = async () => (await recordedEventsOf(orgId)).map(({ type }) => type);
const restarted = () => runTasksAt(Date.now() + 600_000);
const folderNamed = async (name: string): Promise<string> => {
  const answer = await call(createFolder, { headers: { 'X-API-Key': key }, json: { name } });
  return (answer.json() as { id: string }).id;
};

/** The creation that a killed call leaves. Answers its id. */
async function leftBehind(document: Document): Promise<string> {
  const {
    id,
    name,
    original,
    format,
    keySecret,
    code,
    attachments,
    creationId = '',
    state: _,
    ...common
  } = document;
  const documents = [{ id, uploadId: id, name, original, format, keySecret, code, attachments }];
  await creations.create({ id: creationId, common, documents });
  return creationId;
}

async function stored(id: string): Promise<Document> {
  const found = await documentItems.get(id);
  if (!found) throw new Error(`There is no document ${id}.`);
  const { version: _, ...document } = found;
  return document;
}

describe('a document that is deleted while the call that makes it is not over', () => {
  test('stays deleted wherever that call was killed, and the others are made and told of', async () => {
    let deletions = 0;
    for (let write = 1; ; write++) {
      ({ orgId, key } = await ownOrganization());
      await registerSilentWebhook(orgId);
      const isKilled = await killedAt(write, 'after', () =>
        someDocuments(orgId, { names: ['a.bin', 'b.bin'] }),
      );
      const [first] = await listed();
      if (first !== undefined) {
        deletions++;
        await deleteDocument(caller(), first);
      }
      await restarted();
      if (first !== undefined) {
        expect([write, await documentItems.get(first)]).toEqual([write, undefined]);
        expect([write, (await listed()).length, await storageOf(orgId)]).toEqual([write, 1, 100]);
        expect((await typesTold()).toSorted()).toEqual(['DocumentDeleted', 'DocumentsCreated']);
      }
      if (!isKilled) break;
    }
    expect(deletions).toBeGreaterThan(2);
  });

  // More documents than a transaction holds are announced and then created one by one:
  //
  //   call    |--announces--document 1--(document 2)-- killed
  //   delete                                             |--finishes the creation--deletes one--|
  test('stays deleted where the call makes more documents than one transaction holds', async () => {
    for (const write of [2, 3]) {
      ({ orgId, key } = await ownOrganization());
      await registerSilentWebhook(orgId);
      const uploads = await Promise.all(Array.from({ length: MANY }, () => anUpload(orgId)));
      const json = { files: uploads.map((id) => ({ id })), flowActions: [SIGNER] };
      const post = () => createDocuments(caller(), CreateDocuments.parse(json), Date.now());
      expect(await killedAt(write, 'after', post)).toBe(true);
      const made = await listed();
      expect(made).toHaveLength(write - 1);
      await deleteDocument(caller(), made[0] ?? '');
      await restarted();
      expect(await documentItems.get(made[0] ?? '')).toBeUndefined();
      const { total } = await documentList({ organizationId: orgId }).slice({ offset: 0, limit: 1 });
      expect([total, await storageOf(orgId)]).toEqual([MANY - 1, (MANY - 1) * 100]);
      expect((await typesTold()).toSorted()).toEqual(['DocumentDeleted', 'DocumentsCreated']);
    }
  });

  // One runner of the creation is slower than another:
  //
  //   runner 1  |--reads the creation-------------------------------------- document refused --|
  //   runner 2      |--document--creation gone--|--document deleted--|
  test('is not made again by a runner that lags behind', async () => {
    const [like = ''] = await someDocuments(orgId);
    const id = randomUUID();
    const creationId = await leftBehind({ ...(await stored(like)), id, creationId: randomUUID() });
    commitBefore(`DOCUMENT#${id}`, async () => {
      expect(await runCreation(creationId)).toBe('made');
      await deleteDocument(caller(), id);
    });
    expect(await runCreation(creationId)).toBe('gone');
    expect(await documentItems.get(id)).toBeUndefined();
    expect(await listed()).toEqual([like]);
  });
});

test('a document that was moved before its folder went keeps its file when the creation goes on', async () => {
  const folderId = await folderNamed('Contratos');
  const [id = ''] = await someDocuments(orgId, { folderId });
  const { original } = await stored(id);
  const creationId = await leftBehind(await stored(id));
  await moveDocument(caller(), id, { folderId: null, newFolderName: null }, Date.now());
  await deleteFolder(caller(), folderId, Date.now());
  expect(await runCreation(creationId)).toBe('made');
  await restarted();
  expect(await files('documents').head(original.key)).toBeDefined();
  expect(await listed()).toEqual([id]);
});
