import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { collectUploads } from '../../../../functions/session/domain/uploads/collect.ts';
import { takeUpload } from '../../../../functions/session/domain/uploads/upload.ts';
import { handler } from '../../../../functions/session/endpoints/create-presigned-upload.ts';
import type { Caller } from '../../../../shared/access/caller.ts';
import { files } from '../../../../shared/files/files.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { aSession, headers } from '../a-session.ts';
import { type Form, fetchSigned, refusal, signatureIdIn, signBatch, signJson } from '../calls.ts';
import { aPdf, pdfOf } from '../pdfs.ts';
import { sessionStage } from '../stage.ts';

type Link = { uploadId: string; method: string; url: string; headers: Record<string, string> };

const DAY_MS = 86_400_000;
const stage = await forFile(sessionStage());
const pdf = await aPdf();

const announce = (json: object) => call(handler, { headers, json });
const linkFor = async (sessionId: string, size: number, more: object = {}): Promise<Link> =>
  (await announce({ sessionId, size, fileName: 'contrato.pdf', ...more })).json() as Link;
const put = async ({ url, method, headers: sent }: Link, bytes: Buffer): Promise<number> =>
  (await fetch(url, { method, headers: sent, body: new Uint8Array(bytes) })).status;

/** A document that was put by its link. */
async function uploaded(sessionId: string, bytes: Buffer = pdf, more: object = {}): Promise<string> {
  const link = await linkFor(sessionId, bytes.length, more);
  expect(await put(link, bytes)).toBe(200);
  return link.uploadId;
}

const stored = async (): Promise<number> => (await files('session').list('uploads/')).files.length;
const callerOf = (application: string) => ({ application }) as Caller;

describe('a document by a link', () => {
  test('is signed as one in the request is, once, and its file is gone', async () => {
    const { sessionId } = await aSession();
    const uploadId = await uploaded(sessionId);
    const signatureId = signatureIdIn(await signJson({ sessionId, uploadId }));
    expect((await fetchSigned(signatureId)).status).toBe(200);
    expect(await stored()).toBe(0);
    expect(refusal(await signJson({ sessionId, uploadId }))).toEqual([
      422,
      'UPLOAD_ALREADY_USED',
      `uploadId: ${uploadId}`,
    ]);
  });

  test('may have as many bytes as Signing:MaxDocumentBytes, and reaches the platform by a link too', async () => {
    const { sessionId } = await aSession();
    const large = pdfOf(10_485_760);
    const before = stage.platform.calls.length;
    await signJson({ sessionId, uploadId: await uploaded(sessionId, large) });
    const made = stage.platform.calls.slice(before);
    expect(made).toContain('POST /api/uploads/presigned');
    expect(made).not.toContain('POST /api/uploads');
    expect(refusal(await announce({ sessionId, size: 10_485_761 }))).toEqual([
      413,
      'DOCUMENT_TOO_LARGE',
      'limitBytes: 10485760; actualBytes: 10485761',
    ]);
  });

  test('is signed by one of two calls that name it at once', async () => {
    const { sessionId } = await aSession();
    const uploadId = await uploaded(sessionId);
    const answers = await Promise.all([1, 2].map(() => signJson({ sessionId, uploadId })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 422]);
  });

  test('is there again for a call after one that signed nothing', async () => {
    const { sessionId } = await aSession();
    const uploadId = await uploaded(sessionId);
    stage.platform.interfere = () => ({ status: 500, body: '' });
    expect((await signJson({ sessionId, uploadId })).status).toBe(502);
    stage.platform.interfere = () => undefined;
    expect((await signJson({ sessionId, uploadId })).status).toBe(202);
  });

  test.each<[string, () => Promise<readonly [object, number, string]>]>([
    [
      'that was not put yet',
      async () => {
        const { sessionId } = await aSession();
        const { uploadId } = await linkFor(sessionId, pdf.length);
        return [{ sessionId, uploadId }, 422, 'UPLOAD_INCOMPLETE'];
      },
    ],
    [
      'with another SHA-256 than the announced one',
      async () => {
        const { sessionId } = await aSession();
        const sha256 = createHash('sha256').update('another').digest('hex');
        return [
          { sessionId, uploadId: await uploaded(sessionId, pdf, { sha256 }) },
          422,
          'UPLOAD_INCOMPLETE',
        ];
      },
    ],
    [
      'that is no PDF',
      async () => {
        const { sessionId } = await aSession();
        const uploadId = await uploaded(sessionId, Buffer.from('no PDF'));
        return [{ sessionId, uploadId }, 422, 'UNSUPPORTED_DOCUMENT'];
      },
    ],
    [
      'of another session',
      async () => {
        const { sessionId } = await aSession('47363361886', { email: 'a@sandbox.example' });
        const uploadId = await uploaded((await aSession()).sessionId);
        return [{ sessionId, uploadId }, 404, 'UPLOAD_NOT_FOUND'];
      },
    ],
    [
      'that nobody announced',
      async () => [
        { sessionId: (await aSession()).sessionId, uploadId: randomUUID() },
        404,
        'UPLOAD_NOT_FOUND',
      ],
    ],
    [
      'beside one in the request',
      async () => {
        const { sessionId } = await aSession();
        const document = pdf.toString('base64');
        return [{ sessionId, uploadId: await uploaded(sessionId), document }, 400, 'INVALID_REQUEST'];
      },
    ],
  ])('%s is refused', async (_, prepare) => {
    const [request, status, code] = await prepare();
    expect(refusal(await signJson(request)).slice(0, 2)).toEqual([status, code]);
  });

  test('is of the application that announced it, and gone after a day', async () => {
    const { sessionId } = await aSession();
    const uploadId = await uploaded(sessionId);
    const nowMs = Date.now();
    const take = (application: string, atMs: number) =>
      takeUpload({ caller: callerOf(application), sessionId }, uploadId, atMs);
    await expect(take('another', nowMs)).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' });
    await expect(take('sandbox', nowMs + DAY_MS)).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' });
    await collectUploads(nowMs, () => true);
    expect((await take('sandbox', nowMs)).content).toEqual(pdf);
    await collectUploads(nowMs + DAY_MS, () => true);
    expect(await stored()).toBe(0);
  });

  test('is announced under an active session alone', async () => {
    expect(refusal(await announce({ sessionId: 'none', size: 10 })).slice(0, 2)).toEqual([
      401,
      'SESSION_EXPIRED',
    ]);
  });
});

describe('a batch', () => {
  type Result = { fileName: string; status: string; error: { code: string } | null };

  test('has documents of the form and by links, each by itself, in the order of the form', async () => {
    const { sessionId } = await aSession();
    const unknown = randomUUID();
    const form: Form = [
      ['sessionId', sessionId],
      ['uploadId', await uploaded(sessionId, pdf, { fileName: 'first.pdf' })],
      ['files', { name: 'second.pdf', bytes: pdf }],
      ['uploadId', unknown],
      ['uploadId', await uploaded(sessionId, Buffer.from('no PDF'), { fileName: 'folder/fourth.pdf' })],
    ];
    const { results } = (await signBatch(form)).json() as { results: Result[] };
    expect(results.map(({ fileName, error }) => [fileName, error?.code])).toEqual([
      ['first.pdf', undefined],
      ['second.pdf', undefined],
      [unknown, 'UPLOAD_NOT_FOUND'],
      ['fourth.pdf', 'UNSUPPORTED_DOCUMENT'],
    ]);
    const again = (await signBatch(form)).json() as { results: Result[] };
    expect(again.results[0]?.error?.code).toBe('UPLOAD_ALREADY_USED');
    // What signed nothing may be put again, and tried again.
    expect(again.results[3]?.error?.code).toBe('UNSUPPORTED_DOCUMENT');
  });

  test('of more documents than fit is refused whole, and its uploads stay', async () => {
    const { sessionId } = await aSession();
    const uploadId = await uploaded(sessionId);
    const more = Array.from({ length: 50 }, () => ['uploadId', randomUUID()] as const);
    const answer = await signBatch([['sessionId', sessionId], ['uploadId', uploadId], ...more]);
    expect(refusal(answer).slice(0, 2)).toEqual([400, 'INVALID_REQUEST']);
    expect((await signJson({ sessionId, uploadId })).status).toBe(202);
  });
});
