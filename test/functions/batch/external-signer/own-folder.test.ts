import { expect, test, vi } from 'vitest';
import { sweepFolders } from '../../../../functions/batch/external-signer/domain/sweep/sweep-folders.ts';
import { checkDocument } from '../../../../functions/batch/external-signer/domain/sweep/take-document.ts';
import { type Job, jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { jobList } from '../../../../functions/batch/jobs/domain/job/list.ts';
import { deadlineIn } from '../../../../shared/async/deadline.ts';
import { platformClient } from '../../../../shared/platform/client.ts';
import { forFile } from '../../../runner/for-file.ts';
import { servePlatform } from '../../../servers/platform-server.ts';
import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import { ownOrganization } from '../../documents/own-organization.ts';
import { batchStage, HOLDER } from '../stage.ts';

// Our own document platform over HTTP.

const BRUNO = '47363361886';

const stage = await forFile(batchStage());
const platform = await forFile(servePlatform());
const { key } = await ownOrganization();
const client = platformClient({ address: platform.url, apiKey: key, requestTimeoutMs: 20_000 });
vi.stubEnv('Signer__BaseAddress', platform.url);
vi.stubEnv('Signer__ApiKey', key);
const created = await fetch(`${platform.url}/api/folders`, {
  method: 'POST',
  headers: { 'x-api-key': key, 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'Signer folder' }),
});
const folderId = ((await created.json()) as { id: string }).id;
await stage.profile({ name: 'folder', method: 'SignerFolder', signerFolder: { folderId } });

const within = () => deadlineIn(60_000, Date.now);

async function put(fileName: string, ...cpfs: string[]): Promise<string> {
  const bytes = fileName.endsWith('.pdf') ? await plainPdf('table') : Buffer.from('Um texto.');
  const contentType = fileName.endsWith('.pdf') ? 'application/pdf' : 'text/plain';
  const upload = await client.uploadFile({ bytes, fileName, contentType }, within());
  const signers = cpfs.map((cpf, n) => ({ name: `P${n}`, cpf, email: `p${n}@sandbox.example`, step: n + 1 }));
  const tag = { label: 'test', value: fileName };
  return client.createDocument(
    { upload, contentType, signers, folderId, tag, disableNotifications: true },
    within(),
  );
}

const sweep = () => sweepFolders({ ...stage.worker, hasTime: () => true });

async function jobsOf(documentId: string): Promise<Job[]> {
  const { ids } = await jobList().page({ page: 1, pageSize: 200 });
  return (await jobs.getMany(ids)).filter((job) => job.folderDocument?.documentId === documentId);
}

test('documents of the folder are signed once, each by its action, and the next step waits', async () => {
  const alone = await put('alone.pdf', HOLDER);
  const first = await put('first.pdf', HOLDER, BRUNO);
  const second = await put('second.pdf', BRUNO, HOLDER);
  const text = await put('text.txt', HOLDER);
  const others = await put('others.pdf', BRUNO);
  await sweep();
  await stage.run();
  await sweep();
  await stage.run();

  const states = async (id: string) => {
    const { status, flowActions } = await client.readDocument(id, within());
    return [status, ...flowActions.map((action) => [action.status, ...action.completedCpfs])];
  };
  expect(await states(alone)).toEqual(['FlowConcluded', ['Completed', HOLDER]]);
  expect(await states(first)).toEqual(['Pending', ['Completed', HOLDER], ['Pending']]);
  expect(await states(second)).toEqual(['Pending', ['Pending'], ['Created']]);
  expect(await states(text)).toEqual(['FlowConcluded', ['Completed', HOLDER]]);
  const ends = async (id: string) =>
    (await jobsOf(id)).map(({ state, format, errorCode }) => [state, format, errorCode]);
  expect(await ends(alone)).toEqual([['Completed', 'Pades', null]]);
  expect(await ends(first)).toEqual([['Completed', 'Pades', null]]);
  expect(await ends(second)).toEqual([]);
  expect(await ends(text)).toEqual([['Completed', 'Cades', null]]);
  expect(await ends(others)).toEqual([['Failed', 'Pades', 'signer-folder.no-holder-action']]);
  expect((await jobsOf(alone))[0]?.history.at(-1)?.message).toMatch(/read back/);
});

test('a document that was canceled there after it was taken is left alone', async () => {
  const documentId = await put('withdrawn.pdf', HOLDER);
  await checkDocument(folderId, documentId, Date.now());
  await client.cancelDocument(documentId, 'No longer needed.', within());
  await stage.run();
  expect((await jobsOf(documentId)).map(({ state, errorCode }) => [state, errorCode])).toEqual([
    ['Canceled', null],
  ]);
});
