import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { CreateDocuments } from '../../../functions/documents/contract/create-document.ts';
import { createDocuments } from '../../../functions/documents/domain/creating/create-documents.ts';
import { documentItems, findDocument } from '../../../functions/documents/domain/document/document.ts';
import { openContent } from '../../../functions/documents/domain/downloads/content.ts';
import { cancelDocument } from '../../../functions/documents/domain/ending/end-document.ts';
import { readDocument } from '../../../functions/documents/domain/links/read-document.ts';
import { createFolder } from '../../../functions/documents/domain/places/create-folder.ts';
import { deleteDocument } from '../../../functions/documents/domain/removal/delete-document.ts';
import { completeSignature } from '../../../functions/documents/domain/signing/complete-signature.ts';
import {
  type StartResult,
  startSignature,
} from '../../../functions/documents/domain/signing/start-signature.ts';
import { keepUpload, receiveFile } from '../../../functions/documents/domain/uploads/receive-upload.ts';
import { countCalls } from '../../measure/calls.ts';
import { forFile } from '../../runner/for-file.ts';
import { plainPdf } from '../../shared/signing/pades/documents.ts';
import { everyItem } from '../../stores/whole-table.ts';
import { ownStores } from '../own-stores.ts';
import { certificateOf } from './endpoints/signing/calls.ts';
import { signingStage } from './endpoints/signing/stage.ts';
import { ownOrganization } from './own-organization.ts';
import { callerFor, SIGNER } from './sample-documents.ts';
import { registerSilentWebhook } from './stage/recorded-events.ts';
import { runTasks } from './stage/run-tasks.ts';

// The calls of one caller whose process is warm, without the call that finds its key. An event is recorded in each
// operation that changes a document, also where the organization has no webhook.
const CPF = '52998224725';
const NO_FIELDS = { name: null, contentType: null };
type Fields = Parameters<typeof keepUpload>[1];

// One commit in 32 folds a ledger. These do not.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0.9));

async function pdfUpload(organizationId: string): Promise<string> {
  const content = await plainPdf('table');
  const file = { organizationId, name: 'a.pdf', contentType: 'application/pdf', content };
  return (await keepUpload(await receiveFile(file, Date.now()), NO_FIELDS, Date.now())).id;
}

const create = (orgId: string, uploadIds: readonly string[], more: object = {}) =>
  createDocuments(
    callerFor(orgId),
    CreateDocuments.parse({ files: uploadIds.map((id) => ({ id })), flowActions: [SIGNER], ...more }),
    Date.now(),
  );

async function aDocument(orgId: string, more: object = {}): Promise<string> {
  const [made] = await create(orgId, [await pdfUpload(orgId)], more);
  return made?.documentId ?? '';
}

type Started = Pick<StartResult, 'token' | 'toSignHash'>;

const start = (orgId: string, id: string): Promise<Started> =>
  startSignature(
    callerFor(orgId),
    id,
    { certificate: certificateOf(stage.holder(CPF)), flowActionId: null },
    Date.now(),
  );

async function complete(orgId: string, id: string, { token, toSignHash }: Started): Promise<void> {
  const hash = Buffer.from(toSignHash ?? '', 'base64');
  const signature = (await stage.holder(CPF).signHash('sha256', hash)).toString('base64');
  const request = { token: token ?? '', signature };
  expect(await completeSignature(callerFor(orgId), id, request, Date.now())).toMatchObject({ success: true });
}

// What is read once stays read, however busy the machine is.
vi.stubEnv('Access__CacheSeconds', '300');
await forFile(ownStores());
const stage = await forFile(signingStage());
const withWebhook = (await ownOrganization()).orgId;
await registerSilentWebhook(withWebhook);
// Whatever a process reads once is read: addresses of queues, revocation lists, the organizations.
for (const orgId of [stage.orgId, withWebhook]) {
  const id = await aDocument(orgId);
  await complete(orgId, id, await start(orgId, id));
}
await runTasks();

describe('the calls of an upload', () => {
  const upload = (content: Readable | Uint8Array, fields: Fields = NO_FIELDS) =>
    countCalls(async () => {
      const file = { organizationId: stage.orgId, name: 'a.bin', contentType: 'a/b', content };
      await keepUpload(await receiveFile(file, Date.now()), fields, Date.now());
    });

  test('are 2 for a small file: one transaction and the file', async () => {
    const two = { PutObject: 1, TransactWriteItems: 1 };
    expect((await upload(randomBytes(100))).byCommand).toEqual(two);
    expect((await upload(Readable.from([randomBytes(100_000)]))).byCommand).toEqual(two);
  });

  test('are no more when the fields of the form follow the file', async () => {
    const fields = { name: 'other.pdf', contentType: 'application/pdf' };
    expect((await upload(Readable.from([randomBytes(100)]), fields)).total).toBe(2);
  });

  test('are 3 for a large one: it is recorded before its size is known', async () => {
    const chunks = Array.from({ length: 20 }, () => randomBytes(100_000));
    expect((await upload(Readable.from(chunks))).byCommand).toEqual({
      TransactWriteItems: 1,
      PutObject: 1,
      UpdateItem: 1,
    });
  });
});

describe('the calls of creating', () => {
  const calls = async (orgId: string, more: object = {}, uploads = 1) => {
    const ids: string[] = [];
    while (ids.length < uploads) ids.push(await pdfUpload(orgId));
    return countCalls(() => create(orgId, ids, more));
  };

  test('one document are 2, and 3 with a webhook', async () => {
    const { total, byCommand } = await calls(stage.orgId);
    expect(byCommand).toMatchObject({ BatchGetItem: 1, TransactWriteItems: 1 });
    expect(total).toBe(2);
    expect((await calls(withWebhook)).total).toBe(3);
  });

  test('several are as many: all are one transaction', async () => {
    const { total, byCommand } = await calls(stage.orgId, {}, 3);
    expect(byCommand).toMatchObject({ BatchGetItem: 1, TransactWriteItems: 1 });
    expect(total).toBe(2);
  });

  test('one in a folder are one more, however deep it is', async () => {
    const caller = callerFor(stage.orgId);
    let folderId: string | null = null;
    for (let depth = 0; depth < 3; depth++)
      folderId = (await createFolder(caller, { name: `${depth}`, parentId: folderId }, Date.now())).id;
    await calls(stage.orgId, { folderId });
    expect((await calls(stage.orgId, { folderId })).total).toBeLessThanOrEqual(4);
  });
});

test('the calls of reading a document are 1, of its content 2', async () => {
  const caller = callerFor(stage.orgId);
  const id = await aDocument(stage.orgId);
  expect((await countCalls(() => readDocument(caller, id, Date.now()))).byCommand).toEqual({ Query: 1 });
  const { byCommand } = await countCalls(async () => {
    const request = { now: Date.now, deadlineAtMs: Date.now() + 60_000 };
    const { body } = await openContent(() => findDocument(caller, id), 'Original', request);
    if (body instanceof Readable) body.destroy();
  });
  expect(byCommand).toEqual({ GetItem: 1, GetObject: 1 });
});

describe('the calls of signing', () => {
  const calls = async (orgId: string) => {
    const id = await aDocument(orgId);
    const started: Started[] = [];
    const first = await countCalls(async () => started.push(await start(orgId, id)));
    const second = await countCalls(async () => {
      for (const each of started) await complete(orgId, id, each);
    });
    return { first, second };
  };

  test('are 3 to start and 6 to complete: 9 in all', async () => {
    const { first, second } = await calls(stage.orgId);
    expect(first.byCommand).toEqual({ GetItem: 1, GetObject: 1, TransactWriteItems: 1 });
    expect(second.byCommand).toMatchObject({
      BatchGetItem: 2, // the document with its ticket; its organization with the webhooks
      GetObject: 1,
      PutObject: 1,
      TransactWriteItems: 1,
      SendMessageBatch: 1, // the task that concludes the document
    });
    expect(first.total + second.total).toBe(9);
  });

  test('are one more with a webhook', async () => {
    const { first, second } = await calls(withWebhook);
    expect(first.total + second.total).toBe(10);
  });

  test('leave nothing to be swept: neither the upload nor the token has a message any more', async () => {
    const { orgId } = await ownOrganization();
    const id = await aDocument(orgId);
    await complete(orgId, id, await start(orgId, id));
    await runTasks();
    expect(await messagesAbout(id)).toEqual([]);
  });

  test('of concluding are at most 4, and the record of its task is deleted with the conclusion', async () => {
    await runTasks();
    const id = await aDocument(stage.orgId);
    await complete(stage.orgId, id, await start(stage.orgId, id));
    const { byCommand } = await countCalls(runTasks);
    expect(await documentItems.get(id)).toMatchObject({ state: 'Concluded' });
    const { ReceiveMessage: _, DeleteMessage: __, ...own } = byCommand;
    expect(own).toMatchObject({ GetObject: 1, TransactWriteItems: 1 });
    expect(own).not.toHaveProperty('DeleteItem');
    expect(own.GetItem).toBeLessThanOrEqual(2);
    expect(await messagesAbout(id)).toEqual([]);
  });
});

describe('the calls of ending a document', () => {
  test('are at most 3 to cancel it', async () => {
    const id = await aDocument(stage.orgId);
    const { total } = await countCalls(() => cancelDocument(callerFor(stage.orgId), id, 'x', Date.now()));
    expect(total).toBeLessThanOrEqual(3);
  });

  test('are at most 4 to delete it, and 4 more for its task', async () => {
    await runTasks();
    const id = await aDocument(stage.orgId);
    const { total } = await countCalls(() => deleteDocument(callerFor(stage.orgId), id));
    expect(total).toBeLessThanOrEqual(4);
    const { byCommand } = await countCalls(runTasks);
    const { ReceiveMessage: _, DeleteMessage: __, ...own } = byCommand;
    expect(own).toEqual({ Query: 1, DeleteObject: 1, ListObjectsV2: 1, DeleteItem: 1 });
  });

  test('leave no message for its expiry', async () => {
    const expirationDate = '2099-12-31';
    for (const end of [
      (id: string) => cancelDocument(callerFor(stage.orgId), id, 'x', Date.now()),
      (id: string) => deleteDocument(callerFor(stage.orgId), id),
      async (id: string) => complete(stage.orgId, id, await start(stage.orgId, id)),
    ]) {
      const id = await aDocument(stage.orgId, { expirationDate });
      expect(await messagesAbout(id)).toHaveLength(1);
      await end(id);
      await runTasks();
      expect(await messagesAbout(id)).toEqual([]);
    }
  });
});

/** The bodies of due messages that name a document, or the upload of its file. */
async function messagesAbout(documentId: string): Promise<string[]> {
  const original = (await documentItems.get(documentId))?.original.key.replace('uploads/', '') ?? documentId;
  return (await everyItem('documents'))
    .filter(({ sk }) => sk?.S === 'DUE')
    .map(({ body }) => body?.S ?? '')
    .filter((body) => body.includes(documentId) || body.includes(original));
}
