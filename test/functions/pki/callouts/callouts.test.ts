import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { WEBHOOKS } from '../../../../functions/pki/callouts/contract.ts';
import { callouts } from '../../../../functions/pki/callouts/domain/engine.ts';
import { announceSession } from '../../../../functions/pki/signature-sessions/domain/announce-session.ts';
import { makeFiles } from '../../../../functions/pki/signature-sessions/domain/make-files.ts';
import { signatureSessions } from '../../../../functions/pki/signature-sessions/domain/session.ts';
import { SANDBOX_CONTEXT } from '../../../../functions/sandbox/sandbox-data.ts';
import { createApplication, issueKey } from '../../../../shared/access/administration.ts';
import { listWebhooks } from '../../../../shared/webhooks/registrations/lookup.ts';
import { admin } from '../../../cli/admin/in-process.ts';
import { killedAt } from '../../../faults/crash.ts';
import { forFile } from '../../../runner/for-file.ts';
import { startServer } from '../../../shared/net/a-server.ts';
import { deliverDue } from '../../../shared/webhooks/deliver-due.ts';
import { expectModeled } from '../../webhook-models.ts';
import { authenticationStage } from '../authentication/stage.ts';
import { ask, bring, inline, type Session, signing } from '../signature-sessions/stage.ts';
import { finishing, inJson, preparing, signatureOver } from '../signatures/stage.ts';

const stage = await forFile(authenticationStage());

type Received = { readonly path: string; readonly headers: Record<string, unknown>; readonly body: unknown };
const received: Received[] = [];
let verdict: { status?: number; text: string } | 'silence' = { text: '{"accept":true}' };
const server = await forFile(
  startServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    received.push({ path: request.url ?? '', headers: request.headers, body });
    if (request.url === '/told') response.end();
    else if (verdict === 'silence') response.destroy();
    else response.writeHead(verdict.status ?? 200).end(verdict.text);
  }),
);

const application = `told-${randomUUID().slice(0, 8)}`;
let key: Record<string, string>;

const callout = async (...words: string[]) => {
  const { code, out, error } = await admin('callouts', ...words);
  return code === 0 ? out : error;
};

beforeAll(async () => {
  await createApplication('pki', { name: application, permissions: ['*'] });
  key = { 'X-API-Key': (await issueKey('pki', application)).text };
});
beforeEach(() => {
  received.length = 0;
  vi.stubEnv('Webhooks__AllowPrivateNetworks', 'true');
  vi.stubEnv('CALLOUT_TOKEN', 'secret token');
});

const create = async (json: object): Promise<Session> =>
  (await ask('create', key, {
    json: { securityContextId: SANDBOX_CONTEXT, ...json },
  })) as unknown as Session;

async function signedSession(): Promise<Session> {
  const session = await create({ documents: [inline('one'), inline('two')] });
  for (const at of [0, 1]) await signing(session, stage.holder(), at);
  return session;
}

async function deliver(): Promise<void> {
  const [webhook] = await listWebhooks(callouts, application);
  await deliverDue(callouts, webhook?.id ?? '');
}

describe('an application', () => {
  test('is called where its operator says, and for what there is', async () => {
    const url = `${server.url}/told`;
    expect(await callout('list', application)).toBe(`${application} is not called.`);
    const bearer = ['--auth', 'Bearer', '--secret-env', 'CALLOUT_TOKEN'];
    expect(await callout('set', application, 'DocumentSignatureCompleted', '--url', url, ...bearer)).toBe(
      `DocumentSignatureCompleted of ${application} goes to ${url}, with Bearer.`,
    );
    expect(await callout('list', application)).toBe(`DocumentSignatureCompleted  ${url}  Bearer`);
    expect(await callout('set', application, 'Anything', '--url', url)).toContain('is no call-out');
    expect(await callout('set', 'nobody', 'FileValidation', '--url', url)).toContain('nobody');
    expect(await callout('set', application, 'FileValidation', '--url', 'x')).toContain('address');
    expect(await callout('set', application, 'FileValidation', '--url', url, '--auth', 'x')).toContain(
      '--auth',
    );
  });

  test('is told of each document of a session once, as a typed client reads it', async () => {
    const session = await signedSession();
    await makeFiles(session.sessionId, false, Date.now());
    await announceSession(session.sessionId);
    await announceSession(session.sessionId);
    await deliver();
    expect(received.map(({ headers }) => headers.authorization)).toEqual(
      Array(2).fill('Bearer secret token'),
    );
    const events = received.map(
      ({ body }) => body as { type: string; document: { id: string; status: string } },
    );
    expect(events.map(({ type, document }) => [type, document.status])).toEqual(
      Array(2).fill(['DocumentSignatureCompleted', 'Completed']),
    );
    for (const event of events) expectModeled(WEBHOOKS, event);
    expect(new Set(events.map(({ document }) => document.id))).toEqual(
      new Set(session.documents.map(({ documentId }) => documentId)),
    );
  });

  test.each(['before', 'after'] as const)(
    'is told once where the worker is killed just %s any write',
    async (moment) => {
      for (let write = 1, wasKilled = true; wasKilled; write++) {
        received.length = 0;
        const session = await signedSession();
        const work = async () => {
          await makeFiles(session.sessionId, false, Date.now());
          await announceSession(session.sessionId);
        };
        wasKilled = await killedAt(write, moment, work);
        await work();
        expect(await signatureSessions.get(session.sessionId)).toMatchObject({ state: 'Completed' });
        await deliver();
        expect(received).toHaveLength(2);
      }
    },
  );

  test('is told of a document that it signed by API', async () => {
    const signer = stage.holder();
    const started = await preparing(signer, { file: inJson('three') }, key);
    const document = await finishing(started.state, signatureOver(started, signer), key);
    await deliver();
    expect(received).toMatchObject([{ body: { document: { id: document.id, status: 'Completed' } } }]);
  });

  test('is told of nothing once its operator takes the call-out back', async () => {
    await callout('remove', application, 'DocumentSignatureCompleted');
    const session = await signedSession();
    await makeFiles(session.sessionId, false, Date.now());
    await announceSession(session.sessionId);
    await deliver();
    expect(received).toEqual([]);
  });
});

describe('a file that a person brings', () => {
  const brought = async () => bring(await create({}), Buffer.from('hello'), 'a.txt', 'text/plain');

  test('is asked about by its name, type and length, and added where it is taken', async () => {
    expect(await brought()).toMatchObject({ http: 200 });
    const apiKey = ['--auth', 'ApiKey', '--secret-env', 'CALLOUT_TOKEN'];
    await callout('set', application, 'FileValidation', '--url', `${server.url}/files`, ...apiKey);
    verdict = { text: '{"accept":true,"rejectReason":null}' };
    expect(await brought()).toMatchObject({ http: 200, documents: [{ name: 'a.txt' }] });
    expect(received).toMatchObject([
      {
        headers: { 'x-api-key': 'secret token' },
        body: { name: 'a.txt', contentType: 'text/plain', length: 5 },
      },
    ]);
  });

  test.each<[string, typeof verdict, string, object]>([
    [
      'is refused with a reason',
      { text: '{"accept":false,"rejectReason":"No text."}' },
      'FileRejected',
      { reason: 'No text.' },
    ],
    ['is refused without one', { text: '{"accept":false}' }, 'FileRejected', { reason: '' }],
    ['gets no answer', 'silence', 'FileValidationUnavailable', {}],
    ['gets no JSON', { text: 'yes' }, 'FileValidationUnavailable', {}],
    ['gets another shape', { text: '{"accept":"true"}' }, 'FileValidationUnavailable', {}],
    ['gets an error', { status: 500, text: '{"accept":true}' }, 'FileValidationUnavailable', {}],
    ['gets a redirect', { status: 302, text: '{"accept":true}' }, 'FileValidationUnavailable', {}],
    [
      'gets too long an answer',
      { text: `{"accept":true}${' '.repeat(20_000)}` },
      'FileValidationUnavailable',
      {},
    ],
  ])('is not added where it %s', async (_, given, code, details) => {
    verdict = given;
    expect(await brought()).toMatchObject({ http: 422, code, details });
  });

  test('is not added where the address has become a private one', async () => {
    verdict = { text: '{"accept":true}' };
    vi.stubEnv('Webhooks__AllowPrivateNetworks', 'false');
    expect(await brought()).toMatchObject({ code: 'FileValidationUnavailable' });
    expect(received).toEqual([]);
  });
});
