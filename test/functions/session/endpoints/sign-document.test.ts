import { describe, expect, test } from 'vitest';
import { documentItems } from '../../../../functions/documents/domain/document/document.ts';
import { signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { handler as sign } from '../../../../functions/session/endpoints/sign-document.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { missingTools, openJudges } from '../../../shared/signing/pades/judges.ts';
import { runTasks } from '../../documents/stage/run-tasks.ts';
import { aSession, headers } from '../a-session.ts';
import { endSession, fetchSigned, refusal, signatureIdIn, signForm, signJson, signPdf } from '../calls.ts';
import { restoreSettings, setting } from '../own-settings.ts';
import { aPdf, pdfOf } from '../pdfs.ts';
import { sessionStage } from '../stage.ts';

const LIMIT = 10_485_760;
const hasJudges = missingTools().length === 0;

const stage = await forFile(sessionStage());
const pdf = await aPdf();
restoreSettings();

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

describe('POST /v1/signatures', () => {
  test.each([
    ['JSON', (sessionId: string) => signPdf(sessionId, pdf)],
    [
      'multipart/form-data',
      (sessionId: string) =>
        signForm([
          ['sessionId', sessionId],
          ['document', { name: 'contrato.pdf', bytes: pdf }],
        ]),
    ],
    [
      'multipart/form-data, the session last',
      (sessionId: string) =>
        signForm([
          ['document', { name: 'contrato.pdf', bytes: pdf }],
          ['sessionId', sessionId],
        ]),
    ],
  ])(
    'takes a PDF as %s and answers 202 with the platform’s id, PROCESSING and the moment',
    async (_, sign) => {
      const before = Date.now();
      const answer = await sign((await aSession()).sessionId);
      expect(answer.status).toBe(202);
      const made = answer.json() as { signatureId: string; acceptedAt: string };
      expect(made).toEqual({
        signatureId: expect.any(String),
        status: 'PROCESSING',
        acceptedAt: expect.any(String),
      });
      expect(Date.parse(made.acceptedAt)).toBeGreaterThanOrEqual(before);
      const document = await documentItems.get(made.signatureId);
      expect(document).toMatchObject({ name: 'contrato.pdf', original: { name: 'contrato.pdf' } });
      expect(document?.flow[0]?.people).toMatchObject([
        { identifier: '52998224725', emailAddress: 'holder-52998224725@sandbox.example' },
      ]);
    },
  );

  test('signs a file whose name holds a character that is not seen, under the name without it', async () => {
    const id = signatureIdIn(await signPdf((await aSession()).sessionId, pdf, 'a\u202Efdp.exe'));
    expect(await documentItems.get(id)).toMatchObject({ name: 'afdp.exe' });
  });

  test.skipIf(!hasJudges)(
    'signs so that pdfsig finds the signature valid and the whole document signed',
    async () => {
      const id = signatureIdIn(await signPdf((await aSession()).sessionId, pdf));
      await runTasks();
      const judges = openJudges(signerOf(stage.sandbox.authority, 'root').certificate, '-no-ocsp');
      const { bytes } = await fetchSigned(id);
      expect(judges.judge(bytes)).toEqual({
        signatures: ['Signature is Valid.'],
        certificates: ['Certificate is Trusted.'],
        coverage: ['Total document signed'],
        complaints: '',
      });
      judges.close();
    },
  );

  test('takes base64 with line breaks, and a file name without its folders', async () => {
    const document = base64(pdf).replace(/(.{76})/g, '$1\r\n');
    const { sessionId } = await aSession();
    const id = signatureIdIn(await signJson({ sessionId, document, fileName: '../C:\\docs\\a.pdf' }));
    expect((await documentItems.get(id))?.name).toBe('a.pdf');
  });

  test('a missing sessionId is 400 INVALID_REQUEST naming the field, and not 401', async () => {
    const document = base64(pdf);
    const answers = [
      await signJson({ document, fileName: 'a.pdf' }),
      await signJson({ sessionId: '', document, fileName: 'a.pdf' }),
      await signJson({ sessionId: null, document, fileName: 'a.pdf' }),
      await signForm([['document', { name: 'a.pdf', bytes: pdf }]]),
      await signForm([
        ['sessionId', ''],
        ['document', { name: 'a.pdf', bytes: pdf }],
      ]),
    ];
    for (const answer of answers)
      expect(refusal(answer)).toEqual([400, 'INVALID_REQUEST', expect.stringContaining('sessionId')]);
  });

  test('no document, or an empty one, is 400 INVALID_DOCUMENT in both shapes', async () => {
    const { sessionId } = await aSession();
    const answers = [
      await signJson({ sessionId, fileName: 'a.pdf' }),
      await signJson({ sessionId, document: '', fileName: 'a.pdf' }),
      await signJson({ sessionId, document: null }),
      await signForm([['sessionId', sessionId]]),
      await signForm([
        ['sessionId', sessionId],
        ['document', { name: 'a.pdf', bytes: Buffer.alloc(0) }],
      ]),
    ];
    for (const answer of answers) expect(refusal(answer).slice(0, 2)).toEqual([400, 'INVALID_DOCUMENT']);
  });

  test('what is no PDF is 422 UNSUPPORTED_DOCUMENT in both shapes', async () => {
    const { sessionId } = await aSession();
    const bytes = Buffer.from('PK\x03\x04 a workbook');
    const answers = [
      await signPdf(sessionId, bytes),
      await signForm([
        ['sessionId', sessionId],
        ['document', { name: 'a.pdf', bytes }],
      ]),
    ];
    for (const answer of answers) expect(refusal(answer).slice(0, 2)).toEqual([422, 'UNSUPPORTED_DOCUMENT']);
  });

  test('what is no base64 is 400 INVALID_REQUEST naming the field', async () => {
    const { sessionId } = await aSession();
    for (const document of ['not base64!', 'AAAAA', '%PDF-1.7'])
      expect(refusal(await signJson({ sessionId, document }))).toEqual([
        400,
        'INVALID_REQUEST',
        expect.stringContaining('document'),
      ]);
  });

  test('another media type is 415 INVALID_REQUEST', async () => {
    const typed = { ...headers, 'Content-Type': 'application/pdf' };
    const answer = await call(sign, { headers: typed, body: pdf });
    expect(refusal(answer).slice(0, 2)).toEqual([415, 'INVALID_REQUEST']);
  });

  test('a session that is not active is 401 SESSION_EXPIRED, whatever the document', async () => {
    const { sessionId } = await aSession();
    await endSession(sessionId);
    for (const bytes of [pdf, Buffer.alloc(0), Buffer.from('no PDF')])
      expect(refusal(await signPdf(sessionId, bytes)).slice(0, 2)).toEqual([401, 'SESSION_EXPIRED']);
  });
});

describe('Signing:MaxDocumentBytes, 10 MB of decoded bytes', () => {
  test('a body that is far too large is 413 with both sizes too', async () => {
    const { sessionId } = await aSession();
    const [status, code, details] = refusal(await signPdf(sessionId, pdfOf(2 * LIMIT)));
    expect([status, code]).toEqual([413, 'DOCUMENT_TOO_LARGE']);
    expect(details).toMatch(/^limitBytes: \d{8}; actualBytes: \d{8}$/);
  });

  test('is a setting', async () => {
    setting('Signing:MaxDocumentBytes', '2000');
    const { sessionId } = await aSession();
    signatureIdIn(await signPdf(sessionId, pdfOf(2_000)));
    expect(refusal(await signPdf(sessionId, pdfOf(2_001)))[0]).toBe(413);
  });
});
