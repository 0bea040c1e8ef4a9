import { beforeEach, describe, expect, test } from 'vitest';
import { storageOf } from '../../../../../functions/documents/domain/billing/usage.ts';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { documentList } from '../../../../../functions/documents/domain/document/document-lists.ts';
import { shownId } from '../../../../../functions/documents/domain/guids.ts';
import { uploads } from '../../../../../functions/documents/domain/uploads/upload.ts';
import { handler } from '../../../../../functions/documents/endpoints/documents/delete-document.ts';
import { files } from '../../../../../shared/files/files.ts';
import { collection } from '../../../../../shared/store/collection.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { ownStores } from '../../../own-stores.ts';
import { ownOrganization } from '../../own-organization.ts';
import { anUpload, someDocuments } from '../../sample-documents.ts';
import { recordedEventsOf, registerSilentWebhook } from '../../stage/recorded-events.ts';
import { storedFiles } from '../../stage/run-collection.ts';
import { runTasks } from '../../stage/run-tasks.ts';

let orgId: string;
let key: string;
await forFile(ownStores());
beforeEach(async () => {
  await runTasks();
  ({ orgId, key } = await ownOrganization());
});

const remove = (id: string, by = key) =>
  call(handler, { method: 'DELETE', params: { id }, headers: { 'X-API-Key': by } });
const one = async (wanted?: Parameters<typeof someDocuments>[1]): Promise<string> => {
  const [id = ''] = await someDocuments(orgId, wanted);
  return id;
};
const listed = async (): Promise<number> =>
  (await documentList({ organizationId: orgId }).slice({ offset: 0, limit: 9 })).total;

describe('DELETE /api/documents/{id}', () => {
  test('takes the document out of every list and frees its storage, and answers 204', async () => {
    const id = await one({ attachments: 2 });
    expect([await listed(), await storageOf(orgId)]).toEqual([1, 300]);
    const { status, text } = await remove(id);
    expect([status, text]).toEqual([204, '']);
    expect(await documentItems.get(id)).toBeUndefined();
    expect([await listed(), await storageOf(orgId)]).toEqual([0, 0]);
  });

  test('answers 404 naming the document to a second deletion, and to one of another organization', async () => {
    const id = await one();
    const other = await ownOrganization();
    expect((await remove(id, other.key)).json()).toMatchObject({ code: 'DocumentNotFound', resourceId: id });
    expect((await remove(id)).status).toBe(204);
    expect((await remove(id)).json()).toMatchObject({ code: 'DocumentNotFound', resourceName: 'Document' });
  });

  test('tells the webhooks what was deleted, with its common fields and DeletedByUserOrApplication', async () => {
    await registerSilentWebhook(orgId);
    const id = await one();
    await remove(id);
    const [, told] = await recordedEventsOf(orgId);
    expect(told).toEqual({
      type: 'DocumentDeleted',
      data: {
        action: 'DeletedByUserOrApplication',
        documents: [
          {
            id,
            name: 'contrato.bin',
            creationDate: expect.any(String),
            updateDate: expect.any(String),
            folder: null,
            organization: {
              id: orgId,
              name: 'Own',
              identifier: '11222333000181',
              owner: { id: shownId('owner', 'owner'), name: 'Owner' },
            },
            createdBy: { id: shownId('application', 'test'), name: 'test' },
          },
        ],
      },
    });
  });

  test('removes its files, attachments included, its uploads, and what was kept to act on it', async () => {
    const before = await storedFiles();
    const id = await one({ attachments: 1 });
    const signed = `documents/${id}/signed/1-x`;
    await files('documents').put(signed, Buffer.from('signed'), { contentType: 'text/plain' });
    const tickets = collection<{ id: string }, string>({
      service: 'documents',
      name: 'ticket',
      id: (ticket) => ticket.id,
      key: (hash) => ({ pk: `DOCUMENT#${id}`, sk: `TICKET#${hash}` }),
    });
    for (let n = 0; n < 30; n++) await tickets.create({ id: `${n}` });
    const uploaded = (await storedFiles()).filter((file) => !before.includes(file));
    expect(uploaded).toHaveLength(2);
    await remove(id);
    expect(await runTasks()).toContain('forgetDocuments');
    expect(await storedFiles()).toEqual(before);
    expect(await files('documents').head(signed)).toBeUndefined();
    expect(await tickets.getMany(['0', '29'])).toEqual([]);
    expect(await uploads.getMany(uploaded.map((file) => file.slice('uploads/'.length)))).toEqual([]);
  });

  // Two deletions meet, each having read the document:
  //
  //   one    |--reads-- deletes --|
  //   other    |--reads------ refused, reads again: not there, 404
  test('happens once when several ask at the same moment: one event, storage freed once', async () => {
    await registerSilentWebhook(orgId);
    const id = await one();
    const answers = await Promise.all([remove(id), remove(id), remove(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    expect((await recordedEventsOf(orgId)).filter(({ type }) => type === 'DocumentDeleted')).toHaveLength(1);
    expect(await storageOf(orgId)).toBe(0);
  });

  test('leaves an upload alone that waits for another document', async () => {
    const waiting = await anUpload(orgId);
    await remove(await one());
    await runTasks();
    expect(await uploads.get(waiting)).toMatchObject({ state: 'Received' });
    expect(await files('documents').head(`uploads/${waiting}`)).toBeDefined();
  });
});
