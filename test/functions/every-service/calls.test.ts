import { afterAll, expect, test, vi } from 'vitest';
import { WEBHOOKS_QUEUE } from '../../../functions/documents/domain/document/webhook-engine.ts';
import { handler as createDocuments } from '../../../functions/documents/endpoints/documents/create-documents.ts';
import { handler as createStarted } from '../../../functions/documents/endpoints/documents/create-started-document.ts';
import { handler as listDocuments } from '../../../functions/documents/endpoints/documents/list-documents.ts';
import { handler as createUpload } from '../../../functions/documents/endpoints/uploads/create-upload.ts';
import { handler as createWebhook } from '../../../functions/documents/endpoints/webhooks/create-webhook.ts';
import { handler as deliverWebhooks } from '../../../functions/documents/workers/deliver-webhooks.ts';
import { signerOf } from '../../../functions/sandbox/authority/domain/authority.ts';
import { ORGANIZATION_ID, SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { localKey } from '../../../shared/signing/key.ts';
import { call } from '../../requests/http-event.ts';
import { startServer } from '../../shared/net/a-server.ts';
import { asApplication, certificateOf, signatureBy, started } from '../documents/endpoints/signing/calls.ts';
import { fileForm } from '../documents/file-form.ts';
import { runTasks } from '../documents/stage/run-tasks.ts';
import { always, answeredWith, callLimits, nextEvent } from '../limit-calls.ts';
import { aSession } from '../session/a-session.ts';
import { batchOf, fetchSigned, signatureIdIn, signPdf, statusOf } from '../session/calls.ts';
import { pdfOf } from '../session/pdfs.ts';
import { sessionStage } from '../session/stage.ts';

const CPF = '52998224725';
const headers = { 'X-API-Key': SANDBOX_KEY };
const pdf = pdfOf(100 * 1024);
const { requireAtMost, save } = callLimits();

// A process renews the slots of its semaphores in the background, every five seconds. A sign has no such write.
const SLOT_RENEWALS = { UpdateItem: 2 };

const stage = await sessionStage();
vi.stubEnv('Webhooks__AllowPrivateNetworks', 'true');
afterAll(async () => {
  await stage.stop();
  save('session-and-documents');
});

test('a session is created with at most 4 calls', () =>
  requireAtMost(4, 'session: create', always(aSession)));

test('the status of a session takes one call', async () => {
  const { sessionId } = await aSession();
  await requireAtMost(
    1,
    'session: status',
    always(async () => answeredWith(200, await statusOf(sessionId))),
  );
});

test('a PDF is signed under a session, with our document platform, with at most 14 calls and two hops', async () => {
  const { sessionId } = await aSession();
  await requireAtMost(
    14,
    'session: sign a PDF',
    always(async () => {
      const { calls } = stage.platform;
      calls.length = 0;
      const id = signatureIdIn(await signPdf(sessionId, pdf));
      expect(calls).toEqual(['POST /api/documents/started', `POST /api/documents/${id}/signature`]);
    }),
    SLOT_RENEWALS,
  );
});

test('a batch of ten PDFs is signed with at most 170 calls', async () => {
  const { sessionId } = await aSession();
  const files = Array.from({ length: 10 }, (_, n) => ({ name: `${n}.pdf`, bytes: pdf }));
  await requireAtMost(
    170,
    'session sign, batch of 10',
    always(async () => answeredWith(202, await batchOf(sessionId, files))),
  );
});

test('a signed document is fetched with at most 5 calls', async () => {
  const signatureId = signatureIdIn(await signPdf((await aSession()).sessionId, pdf));
  await runTasks();
  await requireAtMost(
    5,
    'session fetch document',
    always(async () => answeredWith(200, await fetchSigned(signatureId))),
  );
});

async function upload(): Promise<string> {
  const form = await fileForm(new File([pdf], 'contrato.pdf', { type: 'application/pdf' }));
  const answer = await call(createUpload, { headers: { ...headers, ...form.headers }, body: form.body });
  return (answeredWith(200, answer).json() as { id: string }).id;
}

async function create(uploadId: string): Promise<string> {
  const files = [
    { id: uploadId, displayName: 'Contrato', name: 'contrato.pdf', contentType: 'application/pdf' },
  ];
  const flowActions = [{ type: 'Signer', user: { name: 'Signer', identifier: CPF } }];
  const answer = await call(createDocuments, { headers, json: { files, flowActions } });
  const [made] = answeredWith(200, answer).json() as { documentId: string }[];
  return made?.documentId ?? '';
}

test('a file is uploaded with at most 2 calls', () => requireAtMost(2, 'documents: upload', always(upload)));

test('a document is created of an upload with at most 2 calls', () =>
  requireAtMost(2, 'documents: create one', async () => {
    const uploadId = await upload();
    return () => create(uploadId);
  }));

const holderKey = () => {
  const { privateKey, certificate } = signerOf(stage.sandbox.authority, CPF);
  return localKey(privateKey, certificate, []);
};

const ask = asApplication(SANDBOX_KEY);

test('a signature is started with at most 3 calls', () =>
  requireAtMost(3, 'documents: start a signature', async () => {
    const id = await create(await upload());
    return () => started(SANDBOX_KEY, { id }, holderKey());
  }));

test('a signature is completed with at most 6 calls', () =>
  requireAtMost(6, 'documents: complete a signature', async () => {
    const id = await create(await upload());
    const key = holderKey();
    const { token, ...start } = await started(SANDBOX_KEY, { id }, key);
    const signature = await signatureBy(key, { token, ...start });
    return async () => answeredWith(200, await ask('complete', { id }, { token, signature }));
  }));

test('a document is created of its bytes and its signature started with at most 4 calls', () => {
  const json = {
    file: { bytes: pdf.toString('base64'), displayName: 'Contrato', name: 'contrato.pdf' },
    flowActions: [{ type: 'Signer', user: { name: 'Signer', identifier: CPF } }],
    signature: { certificate: certificateOf(holderKey()) },
  };
  const run = async () => answeredWith(200, await call(createStarted, { headers, json }));
  return requireAtMost(4, 'documents: create and start at once', always(run));
});

test('a page of documents is listed with at most 6 calls', () =>
  requireAtMost(
    6,
    'documents list, a page',
    always(async () => answeredWith(200, await call(listDocuments, { headers, query: { limit: '50' } }))),
  ));

test('an event is delivered to a webhook with at most 2 calls', async () => {
  let received = 0;
  const receiver = await startServer((_, response) => {
    received += 1;
    response.end();
  });
  const json = { url: `${receiver.url}/hook`, authType: 'NoAuth' };
  answeredWith(200, await call(createWebhook, { headers, params: { orgId: ORGANIZATION_ID }, json }));
  await requireAtMost(2, 'documents: deliver a webhook', async () => {
    await create(await upload());
    const event = await nextEvent('documents', WEBHOOKS_QUEUE);
    const before = received;
    return async () => {
      expect(await deliverWebhooks(event)).toEqual({ batchItemFailures: [] });
      expect(received).toBe(before + 1);
    };
  });
  receiver.stop();
});
