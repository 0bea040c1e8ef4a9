import { beforeAll, describe, expect, test } from 'vitest';
import { openService, type Service } from './support/contract.ts';
import { file, form, pdf } from './support/files.ts';
import { sharedEngine } from './support/shared-engine.ts';

const CPF = '52998224725';
const { url, applications } = sharedEngine();
const [first, second] = applications;

let session: Service;
let sessionId: string;
beforeAll(async () => {
  session = await openService(url, 'session', first?.keys.session ?? '');
});

const isSigned = (bytes: Buffer) => bytes.includes('/ByteRange') && bytes.includes('ETSI.CAdES.detached');

/** The signed PDF, which may still be on its way when the call that signs is answered. */
async function signed(signatureId: string): Promise<Buffer> {
  const fetched = () => session.call('getDocument', { path: { signatureId } });
  await expect.poll(async () => (await fetched()).status).toBe(200);
  return (await fetched()).bytes;
}

describe('the session server', () => {
  test('is healthy', async () => {
    expect((await session.call('getHealth', { key: null })).json).toEqual({ status: 'ok' });
    await session.call('getOpenapi', { key: null });
  });

  test('opens a session by CPF and PIN, and describes it and its certificate', async () => {
    const body = { cpf: CPF, pin: '1234', sessionDuration: 900 };
    const opened = (await session.call('createSession', { body, expect: 201 })).json;
    expect(opened).toMatchObject({ cpf: CPF, expiresIn: 900 });
    ({ sessionId } = opened);
    expect((await session.call('getStatus', { query: { sessionId } })).json).toMatchObject({
      active: true,
    });
    expect((await session.call('getCertificateInfo', { query: { sessionId } })).json).toMatchObject({
      cpf: CPF,
      status: 'ACTIVE',
    });
  });

  test('lets any application use a session by its id', async () => {
    const key = second?.keys.session ?? '';
    const document = pdf('of another').toString('base64');
    const { signatureId } = (await session.call('signDocument', { key, body: { sessionId, document } })).json;
    expect(isSigned(await signed(signatureId))).toBe(true);
  });

  test('signs a document in JSON, in a form, and from an upload', async () => {
    const document = pdf('in JSON').toString('base64');
    const inJson = await session.call('signDocument', { body: { sessionId, document, fileName: 'a.pdf' } });
    expect(isSigned(await signed(inJson.json.signatureId))).toBe(true);

    const inForm = await session.call('signDocument', {
      body: form({ sessionId, document: file(pdf('in a form'), 'b.pdf', 'application/pdf') }),
    });
    expect(isSigned(await signed(inForm.json.signatureId))).toBe(true);

    const bytes = pdf('uploaded');
    const upload = await session.call('createPresignedUpload', {
      body: { sessionId, size: bytes.length, fileName: 'c.pdf' },
    });
    const { uploadId, url: link, method, headers } = upload.json;
    expect((await fetch(link, { method, headers, body: bytes })).status).toBe(200);
    const fromUpload = await session.call('signDocument', { body: { sessionId, uploadId } });
    expect(isSigned(await signed(fromUpload.json.signatureId))).toBe(true);
  });

  test('signs each document of a batch by itself', async () => {
    const files = [
      file(pdf('one'), 'one.pdf', 'application/pdf'),
      file('no PDF', 'two.txt', 'text/plain'),
      file(pdf('three'), 'three.pdf', 'application/pdf'),
    ];
    const { results } = (await session.call('signBatch', { body: form({ sessionId, files }) })).json;
    expect(results.map(({ status }: { status: string }) => status)).toEqual([
      'PROCESSING',
      'ERROR',
      'PROCESSING',
    ]);
    expect(results[1].error.code).toBe('UNSUPPORTED_DOCUMENT');
    expect(isSigned(await signed(results[2].signatureId))).toBe(true);
  });

  test('ends a session', async () => {
    expect((await session.call('deactivateSession', { body: { sessionId } })).json.active).toBe(false);
    expect((await session.call('getStatus', { query: { sessionId } })).json.active).toBe(false);
    const body = { sessionId, document: pdf('too late').toString('base64') };
    expect((await session.call('signDocument', { body, expect: 401 })).json.error.code).toBe(
      'SESSION_EXPIRED',
    );
  });

  test('was asked for every operation of its contract', () => {
    expect(session.unplayed()).toEqual([]);
  });
});
