import { readFileSync } from 'node:fs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { afterEach, expect, test, vi } from 'vitest';
import { handler as receive } from '../../../functions/batch/external-signer/endpoints/receive-notification.ts';
import { handler as lookAtSigner } from '../../../functions/batch/external-signer/workers/look-at-signer.ts';
import { handler as uploadFile } from '../../../functions/batch/jobs/endpoints/upload-file.ts';
import { handler as processJobs } from '../../../functions/batch/pipeline/workers/process-jobs.ts';
import { handler as runBatchTask } from '../../../functions/batch/pipeline/workers/run-task.ts';
import { updateOrganizationMail } from '../../../functions/documents/domain/places/organization-mail.ts';
import { handler as createWebhook } from '../../../functions/documents/endpoints/webhooks/create-webhook.ts';
import { handler as deliverWebhooks } from '../../../functions/documents/workers/deliver-webhooks.ts';
import { handler as runTask } from '../../../functions/documents/workers/run-task.ts';
import { handler as sendMail } from '../../../functions/documents/workers/send-mail.ts';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { countedSeries, takeCounted } from '../../../shared/metrics/count.ts';
import type { MetricName } from '../../../shared/metrics/table.ts';
import { openPkcs12 } from '../../../shared/pki/pkcs12/open.ts';
import { parseActionUrl } from '../../../shared/platform/signatures.ts';
import { send } from '../../../shared/queue/send.ts';
import type { ServiceName } from '../../../shared/settings/names.ts';
import { localKey } from '../../../shared/signing/key.ts';
import { call } from '../../requests/http-event.ts';
import { servePlatform } from '../../servers/platform-server.ts';
import { startSmtpServer } from '../../servers/smtp-server.ts';
import { logOf } from '../../shared/http/log-of.ts';
import { plainPdf } from '../../shared/signing/pades/documents.ts';
import { startReceiver } from '../../shared/webhooks/a-receiver.ts';
import { batchStage } from '../batch/stage.ts';
import { ownOrganization } from '../documents/own-organization.ts';
import { drainQueue } from '../drain-queue.ts';
import { aSession } from '../session/a-session.ts';
import { fetchSigned, signatureIdIn, signPdf } from '../session/calls.ts';
import { sessionStage } from '../session/stage.ts';

// One signature, from its first caller to the last service that hears of it. Every hop takes the id from the one before:
// headers, message attributes and records. Nothing else is handed on.

const SANDBOX_ORGANIZATION = '11111111-1111-4111-8111-111111111111';
const ID = 'x-correlation-id';

const stops: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

type Handler = (event: SQSEvent) => Promise<SQSBatchResponse>;

/** Ids of the messages that were received. */
const messageIds: unknown[] = [];
const drain = (service: ServiceName, queue: string, handler: Handler) =>
  drainQueue(service, queue, (event) => {
    for (const { messageAttributes } of event.Records) messageIds.push(messageAttributes[ID]?.stringValue);
    return handler(event);
  });

async function drainPlatform(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await drain('documents', 'tasks', runTask);
    await drain('documents', 'mail', sendMail);
    await drain('documents', 'webhooks', deliverWebhooks);
  }
}

const register = async (orgId: string, key: string, json: object): Promise<void> => {
  const made = await call(createWebhook, { params: { orgId }, headers: { 'X-API-Key': key }, json });
  expect(made.status).toBe(200);
};

const idsIn = (lines: readonly Record<string, unknown>[]) => lines.map(({ correlationId }) => correlationId);
/** Many of them, and all the same. */
const expectOnly = (ids: readonly unknown[], id: unknown, atLeast: number): void => {
  expect([...new Set(ids)]).toEqual([id]);
  expect(ids.length).toBeGreaterThanOrEqual(atLeast);
};

test('a signature by a session has one id, from the answer to the webhook of the platform', async () => {
  const stage = await sessionStage();
  stops.push(stage.stop);
  vi.stubEnv('Log__Level', 'INFO');
  const receiver = await startReceiver();
  stops.push(receiver.stop);
  vi.stubEnv('Webhooks__AllowPrivateNetworks', 'true');
  await register(SANDBOX_ORGANIZATION, SANDBOX_KEY, { url: receiver.url, authType: 'NoAuth' });
  const { sessionId } = await aSession();
  await drainPlatform();
  messageIds.length = 0;
  takeCounted();
  stage.platform.correlationIds.length = 0;

  const { result, lines } = await logOf(async () => {
    const signed = await signPdf(sessionId, await plainPdf('table'));
    await drainPlatform();
    return signed;
  });
  const id = result.headers[ID];
  expectOnly(idsIn(lines), id, 4);
  expectOnly(stage.platform.correlationIds, id, 2);
  expectOnly(messageIds, id, 2);
  expectOnly(
    receiver.received.map(({ headers }) => headers[ID]),
    id,
    2,
  );
  const services = new Set(lines.map(({ service }) => service));
  expect(services).toEqual(new Set(['session', 'documents']));
  expect((await fetchSigned(signatureIdIn(result))).status).toBe(200);
  expect(valuesOf('Signatures')).toEqual([
    [{ Service: 'documents', Format: 'Pades', Custody: 'caller' }, 1],
    [{ Service: 'session', Format: 'Pades', Custody: 'vault' }, 1],
  ]);
  const delivered = { Service: 'documents', Channel: 'webhook', Outcome: 'delivered' };
  expect(valuesOf('Deliveries')).toEqual([[delivered, receiver.received.length]]);
}, 60_000);

const valuesOf = (name: MetricName) =>
  countedSeries()
    .filter((series) => series.name === name)
    .map(({ dimensions, value }) => [dimensions, value]);

const PEOPLE = ['52998224725', '47363361886'];

test('a file that others sign for the batch service has the id of its upload, from mail to mail and poll to poll', async () => {
  const stage = await batchStage();
  stops.push(stage.stop);
  vi.stubEnv('Log__Level', 'INFO');
  const platform = await servePlatform();
  const smtp = await startSmtpServer();
  stops.push(platform.stop, smtp.stop);
  const { orgId, key } = await ownOrganization();
  const owner = { registered: { organizations: [orgId] } };
  await updateOrganizationMail(owner, orgId, { enabled: true, requiresCode: false });
  const notified: unknown[] = [];
  const receiver = await startReceiver(async ({ headers, body }, response) => {
    notified.push(headers[ID]);
    const answered = await call(receive, { headers: headers as Record<string, string>, body });
    response.writeHead(answered.status).end(answered.bytes);
  });
  stops.push(receiver.stop);
  vi.stubEnv('Signer__BaseAddress', platform.url);
  vi.stubEnv('Signer__ApiKey', key);
  vi.stubEnv('Signer__WebhookSecret', 'a-secret-of-the-webhook');
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
  vi.stubEnv('Webhooks__AllowPrivateNetworks', 'true');
  await register(orgId, key, { url: receiver.url, authType: 'Bearer', token: 'a-secret-of-the-webhook' });
  const signers = PEOPLE.map((cpf, n) => ({
    ...{ name: `Signer ${n}`, cpf, email: `signer-${n}@sandbox.example`, step: n + 1 },
  }));
  await stage.profile({ name: 'signer', method: 'ExternalSigner', externalSigner: { signers } });
  messageIds.length = 0;

  const headers = { 'X-API-Key': key, 'X-Correlation-Id': 'order-42' };
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const answer = await fetch(`${platform.url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Record<string, string>;
  };
  /** Signs at the link of a person, as a page does for a caller that goes on with the same id. */
  async function signAs(cpf: string, documentId: string): Promise<void> {
    const { entries } = await openPkcs12(readFileSync(stage.sandbox.pki('holders', `${cpf}.p12`)), '1234');
    const [entry] = entries;
    const { url = '' } = await post(`/api/documents/${documentId}/action-url`, { identifier: cpf });
    const target = parseActionUrl(url);
    if (!entry || !target) throw new Error('The sandbox has such a holder, and the URL both parts.');
    const path = `/api/documents/keys/${target.documentKey}/signature`;
    const certificate = entry.certificate.der.toString('base64');
    const started = await post(`${path}/certificate`, { ticket: target.ticket, certificate });
    const signature = await localKey(entry.privateKey, entry.certificate, []).signHash(
      'sha256',
      Buffer.from(started.toSignHash ?? '', 'base64'),
    );
    const completed = await post(path, {
      token: started.token,
      signature: Buffer.from(signature).toString('base64'),
    });
    expect(completed).toMatchObject({ success: true });
  }
  const poll = async (): Promise<void> => {
    await send('batch', 'signer', { look: 'poll' });
    await drainQueue('batch', 'signer', lookAtSigner);
  };

  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await plainPdf('table'))]), 'contract.pdf');
  const encoded = new Response(form);
  const { result: job, lines } = await logOf(async () => {
    const uploaded = await call(uploadFile, {
      headers: {
        'X-API-Key': SANDBOX_KEY,
        'X-Correlation-Id': 'order-42',
        'Content-Type': encoded.headers.get('content-type') ?? '',
      },
      query: { profile: 'signer' },
      body: Buffer.from(await encoded.arrayBuffer()),
    });
    const { jobId } = uploaded.json() as { jobId: string };
    await drain('batch', 'jobs', processJobs);
    await drainPlatform();
    await poll();
    const { dispatch } = await stage.job(jobId);
    for (const cpf of PEOPLE) await signAs(cpf, dispatch?.documentId ?? '');
    await drainPlatform();
    await poll();
    await drain('batch', 'tasks', runBatchTask);
    return stage.job(jobId);
  });
  expect(job).toMatchObject({ state: 'Completed', trace: expect.stringMatching(/^order-42 00-/) });
  expectOnly(idsIn(lines), 'order-42', 10);
  expectOnly(platform.correlationIds, 'order-42', 8);
  expectOnly(messageIds, 'order-42', 4);
  expectOnly(notified, 'order-42', 2);
  const mailed = smtp.arrived.map(({ mail }) => mail.headers.find((header) => header.key === ID)?.value);
  expectOnly(mailed, 'order-42', 2);
  expect(new Set(lines.map(({ service }) => service))).toEqual(new Set(['batch', 'documents']));
}, 60_000);
