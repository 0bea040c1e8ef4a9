import { afterEach, describe, expect, test } from 'vitest';
import { changeDocument } from '../../../../functions/documents/domain/document/change-document.ts';
import { documentItems } from '../../../../functions/documents/domain/document/document.ts';
import { expireDocument } from '../../../../functions/documents/domain/ending/end-document.ts';
import { GUEST_KEY, SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { forFile } from '../../../runner/for-file.ts';
import { startServer } from '../../../shared/net/a-server.ts';
import { asApplication } from '../../documents/endpoints/signing/calls.ts';
import { runTasks } from '../../documents/stage/run-tasks.ts';
import { aSession } from '../a-session.ts';
import { fetchSigned, refusal, signatureIdIn, signPdf } from '../calls.ts';
import { restoreSettings, setting } from '../own-settings.ts';
import { aPdf, pdfOf } from '../pdfs.ts';
import { sessionStage } from '../stage.ts';

const stage = await forFile(sessionStage());
const pdf = await aPdf();
restoreSettings();
afterEach(() => {
  stage.platform.interfere = () => undefined;
});

const signed = async (bytes: Buffer = pdf) =>
  signatureIdIn(await signPdf((await aSession()).sessionId, bytes));

/** A document whose signature was made and lost on its way: it waits at the platform. */
async function waiting(): Promise<string> {
  stage.platform.interfere = (call) => (call.endsWith('/signature') ? { status: 503 } : undefined);
  const id = await signed();
  stage.platform.interfere = () => undefined;
  expect((await documentItems.get(id))?.state).toBe('Pending');
  return id;
}

describe('GET /v1/signatures/{signatureId}/document', () => {
  test('200: the signed PDF as the body, to any accepted key', async () => {
    const id = await signed();
    await runTasks();
    for (const key of [SANDBOX_KEY, GUEST_KEY]) {
      const answer = await fetchSigned(id, key);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/pdf']);
      expect(answer.bytes.subarray(0, pdf.length)).toEqual(pdf);
      expect(answer.bytes.includes('/ETSI.CAdES.detached')).toBe(true);
    }
  });

  test('200: of the largest document too', async () => {
    const large = pdfOf(10_485_760);
    const id = await signed(large);
    await runTasks();
    const { status, bytes } = await fetchSigned(id);
    expect(status).toBe(200);
    expect(bytes.subarray(0, large.length).equals(large)).toBe(true);
  });

  test('409 DOCUMENT_NOT_READY while it is still being signed', async () => {
    expect(refusal(await fetchSigned(await waiting())).slice(0, 2)).toEqual([409, 'DOCUMENT_NOT_READY']);
  });

  test.each([
    ['refused', (id: string) => asApplication(SANDBOX_KEY)('refuse', { id }, { reason: 'no' })],
    [
      'cancelled',
      async (id: string) => {
        const document = await documentItems.get(id);
        if (!document) throw new Error('It is not there.');
        await changeDocument(document, {
          event: 'canceled',
          patch: {},
          notifications: [],
          nowMs: Date.now(),
        });
      },
    ],
    [
      'expired',
      async (id: string) => {
        const document = await documentItems.get(id);
        if (!document) throw new Error('It is not there.');
        await documentItems.change(document, { expiresAtMs: 1 });
        await expireDocument(id, 1, Date.now());
      },
    ],
  ])('422 DOCUMENT_UNAVAILABLE, saying which, once it was %s at the platform', async (reason, end) => {
    const id = await waiting();
    await end(id);
    expect(refusal(await fetchSigned(id))).toEqual([422, 'DOCUMENT_UNAVAILABLE', `reason: ${reason}`]);
  });

  test.each(['00000000-0000-4000-8000-000000000000', 'none', '../../agents', '%2F', 'x'.repeat(199)])(
    '404 DOCUMENT_NOT_FOUND for the id %s that names none',
    async (id) => {
      expect(refusal(await fetchSigned(id)).slice(0, 2)).toEqual([404, 'DOCUMENT_NOT_FOUND']);
    },
  );

  test.each([
    ['cannot be reached', 'hang-up'],
    ['fails', { status: 500 }],
    ['does not take our key', { status: 401 }],
    ['is not what answers at its address', { status: 404, body: '<h1>Not found</h1>' }],
    ['answers something else', { status: 200, body: '<h1>Welcome</h1>' }],
  ] as const)('502 SIGNER_ERROR when the platform %s: it says nothing about the document', async (_, how) => {
    const id = await signed();
    stage.platform.interfere = () => how;
    expect(refusal(await fetchSigned(id)).slice(0, 2)).toEqual([502, 'SIGNER_ERROR']);
    stage.platform.interfere = (call) => (call.endsWith('/content') ? how : undefined);
    if (typeof how === 'string' || how.status !== 200)
      expect(refusal(await fetchSigned(id)).slice(0, 2)).toEqual([502, 'SIGNER_ERROR']);
  });

  test('502 SIGNER_ERROR when the document breaks off in the middle', async () => {
    const server = await startServer((request, response) => {
      if (!request.url?.includes('/content'))
        return void response.end(JSON.stringify({ status: 'Concluded' }));
      response.writeHead(200, { 'content-length': '1000' }).write('%PDF-');
      setImmediate(() => request.socket.destroy());
    });
    setting('Signer:BaseAddress', server.url);
    expect(refusal(await fetchSigned('any')).slice(0, 2)).toEqual([502, 'SIGNER_ERROR']);
    await server.stop();
  });
});
