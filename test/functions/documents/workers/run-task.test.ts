import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { documentItems } from '../../../../functions/documents/domain/document/document.ts';
import { Task } from '../../../../functions/documents/domain/tasks.ts';
import { handler } from '../../../../functions/documents/workers/run-task.ts';
import { files } from '../../../../shared/files/files.ts';
import { ownOrganization } from '../own-organization.ts';
import { someDocuments } from '../sample-documents.ts';

const record = (body: string) => ({
  ...{ messageId: randomUUID(), receiptHandle: '', md5OfBody: '', eventSource: '', eventSourceARN: '' },
  awsRegion: '',
  body,
  attributes: {
    ...{ ApproximateReceiveCount: '1', SentTimestamp: '0', SenderId: '' },
    ApproximateFirstReceiveTimestamp: '0',
  },
  messageAttributes: {},
});

const run = (...tasks: unknown[]) => handler({ Records: tasks.map((task) => record(JSON.stringify(task))) });
const none = randomUUID();

const NOTHING_TO_DO: Record<Task['task'], Task> = {
  create: { task: 'create', creationId: none },
  expire: { task: 'expire', documentId: none, expiresAtMs: 1 },
  conclude: { task: 'conclude', documentId: none },
  forgetSignature: { task: 'forgetSignature', documentId: none, tokenHash: 'x' },
  removeFiles: { task: 'removeFiles', keys: [`uploads/${none}`] },
  forgetDocuments: { task: 'forgetDocuments', documents: [{ documentId: none, keys: [] }] },
  deleteFolder: { task: 'deleteFolder', folderId: none },
  emptyFolder: { task: 'emptyFolder', folderId: none },
  deleteOrganization: { task: 'deleteOrganization', organizationId: none },
};

describe('the worker of tasks', () => {
  test('does nothing, and is done, for each task whose work is gone: all may come twice', async () => {
    const tasks = Object.values(NOTHING_TO_DO);
    expect(tasks.map((task) => Task.parse(task))).toEqual(tasks);
    expect(await run(...tasks)).toEqual({ batchItemFailures: [] });
  });

  test('removes files with the uploads that brought them', async () => {
    const key = `documents/${randomUUID()}/signed/1-x`;
    await files('documents').put(key, Buffer.from('x'), { contentType: 'text/plain' });
    await run({ task: 'removeFiles', keys: [key] });
    expect(await files('documents').head(key)).toBeUndefined();
  });

  test('ends a document whose date has passed', async () => {
    const { orgId } = await ownOrganization();
    const [documentId = ''] = await someDocuments(orgId, {
      nowMs: Date.now() - 10_000,
      expirationDate: new Date(Date.now() - 5_000).toISOString(),
    });
    const expiresAtMs = (await documentItems.get(documentId))?.expiresAtMs;
    await run({ task: 'expire', documentId, expiresAtMs });
    expect(await documentItems.get(documentId)).toMatchObject({ state: 'Expired' });
  });

  test('is done with a message that is no task: it goes to the dead letters', async () => {
    expect(await run({ task: 'dance' })).toEqual({ batchItemFailures: [] });
  });
});
