import { text as textOf } from 'node:stream/consumers';
import { afterAll, expect, test, vi } from 'vitest';
import { externalService } from '../../../../functions/batch/config/external-service.ts';
import { listChecks } from '../../../../functions/batch/external-signer/domain/sweep/checks.ts';
import { handler as receive } from '../../../../functions/batch/external-signer/endpoints/receive-notification.ts';
import { handler as lookAtSigner } from '../../../../functions/batch/external-signer/workers/look-at-signer.ts';
import { jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { jobList } from '../../../../functions/batch/jobs/domain/job/list.ts';
import { webhooks as engine } from '../../../../functions/documents/domain/document/webhook-engine.ts';
import { handler as createWebhook } from '../../../../functions/documents/endpoints/webhooks/create-webhook.ts';
import { handler as listDeliveries } from '../../../../functions/documents/endpoints/webhooks/list-webhook-deliveries.ts';
import { handler as replay } from '../../../../functions/documents/endpoints/webhooks/replay-webhook-delivery.ts';
import { handler as sendTest } from '../../../../functions/documents/endpoints/webhooks/send-webhook-test.ts';
import { deadlineIn } from '../../../../shared/async/deadline.ts';
import { call } from '../../../requests/http-event.ts';
import { servePlatform } from '../../../servers/platform-server.ts';
import { startServer } from '../../../shared/net/a-server.ts';
import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import { deliverDue } from '../../../shared/webhooks/deliver-due.ts';
import { ownOrganization } from '../../documents/own-organization.ts';
import { drainQueue } from '../../drain-queue.ts';
import { batchStage, HOLDER } from '../stage.ts';

const SECRET = 'a-secret-of-the-webhook';
const answers: unknown[] = [];

const within = () => deadlineIn(60_000, Date.now);
const ask = (handler: Parameters<typeof call>[0], params: Record<string, string>, json?: unknown) =>
  call(handler, {
    method: handler.declaration.route.split(' ')[0] ?? '',
    params: { orgId, ...params },
    headers: { 'X-API-Key': key },
    ...(json !== undefined && { json }),
  });

async function newFolder(name: string): Promise<string> {
  const response = await fetch(`${platform.url}/api/folders`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  return ((await response.json()) as { id: string }).id;
}

const putDocument = async (folderId: string): Promise<string> =>
  externalService.createDocument(
    {
      upload: await externalService.uploadFile({ bytes: pdf, fileName: 'contract.pdf' }, within()),
      contentType: 'application/pdf',
      signers: [{ name: 'Ana Souza', cpf: HOLDER, email: 'ana@sandbox.example', step: 1 }],
      folderId,
      tag: { label: 'test', value: crypto.randomUUID() },
      disableNotifications: true,
    },
    within(),
  );

async function register(webhook: object): Promise<string> {
  const url = `${receiver.url}/batch/api/signer/notifications`;
  return ((await ask(createWebhook, {}, { url, ...webhook })).json() as { id: string }).id;
}

/** Delivers what is recorded for a webhook, as the worker does. */
async function deliver(webhookId: string): Promise<unknown[]> {
  answers.length = 0;
  await deliverDue(engine, webhookId);
  return [...answers];
}

const waiting = async () => (await listChecks()).map(({ documentId }) => documentId);
const jobsOfFolder = async () => {
  const { ids } = await jobList().page({ page: 1, pageSize: 200 });
  return (await jobs.getMany(ids)).map(({ state, source, folderDocument }) => [
    folderDocument?.documentId,
    source,
    state,
  ]);
};

const stage = await batchStage();
const platform = await servePlatform();
const { orgId, key } = await ownOrganization();
const receiver = await startServer(async (request, response) => {
  const body = await textOf(request);
  const headers = request.headers as Record<string, string>;
  const answered = await call(receive, { headers, body });
  answers.push([answered.status, (answered.json() as { outcome?: string; code?: string }).outcome]);
  response.writeHead(answered.status, answered.headers).end(answered.bytes);
});
vi.stubEnv('Signer__BaseAddress', platform.url);
vi.stubEnv('Signer__ApiKey', key);
vi.stubEnv('Signer__WebhookSecret', SECRET);
vi.stubEnv('Webhooks__AllowPrivateNetworks', 'true');
const pdf = await plainPdf('table');
const bound = await newFolder('Signer folder');
await stage.profile({ name: 'folder', method: 'SignerFolder', signerFolder: { folderId: bound } });
afterAll(async () => {
  platform.stop();
  await receiver.stop();
  await stage.stop();
});

test("the platform's webhook has documents of the folder signed as they arrive, and once", async () => {
  const webhookId = await register({ authType: 'Bearer', token: SECRET });
  const forged = await register({ authType: 'Bearer', token: 'another-secret' });
  await ask(sendTest, { webhookId });
  expect(await deliver(webhookId)).toEqual([[202, 'ignored']]);

  const document = await putDocument(bound);
  await putDocument(await newFolder('Another folder'));
  expect(await deliver(forged)).toEqual([
    [401, undefined],
    [401, undefined],
  ]);
  expect(await waiting()).toEqual([]);
  expect((await deliver(webhookId)).toSorted()).toEqual([
    [202, 'accepted'],
    [202, 'ignored'],
  ]);
  expect(await waiting()).toEqual([document]);

  await drainQueue('batch', 'signer', lookAtSigner);
  expect(await waiting()).toEqual([]);
  expect(await jobsOfFolder()).toEqual([[document, 'SignerFolder', 'Queued']]);
  await stage.run();
  expect(await jobsOfFolder()).toEqual([[document, 'SignerFolder', 'Completed']]);

  // DocumentSigned, then every delivery once more.
  expect(await deliver(webhookId)).toEqual([[202, 'accepted']]);
  const { items } = (await ask(listDeliveries, { webhookId })).json() as { items: { id: string }[] };
  for (const { id } of items) await ask(replay, { webhookId, deliveryId: id });
  expect((await deliver(webhookId)).filter((answer) => String(answer) === '202,accepted')).toHaveLength(2);
  await drainQueue('batch', 'signer', lookAtSigner);
  await stage.run();
  expect(await jobsOfFolder()).toEqual([[document, 'SignerFolder', 'Completed']]);
});
