import { describe, expect, test } from 'vitest';
import { documentItems } from '../../../../functions/documents/domain/document/document.ts';
import { locatorOf, sessions } from '../../../../functions/session/domain/session.ts';
import { signBatch as signArriving } from '../../../../functions/session/domain/signing/sign-batch.ts';
import { handler as batch } from '../../../../functions/session/endpoints/sign-batch.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { aSession, headers } from '../a-session.ts';
import { batchOf, type File, isActive, refusal, signBatch, signForm } from '../calls.ts';
import { restoreSettings, setting } from '../own-settings.ts';
import { aPdf, pdfOf } from '../pdfs.ts';
import { acceptCall } from '../platform.ts';
import { sessionStage } from '../stage.ts';

type Result = {
  fileName: string;
  signatureId: string | null;
  status: string;
  error: { code: string; message: string } | null;
};

const stage = await forFile(sessionStage());
const bytes = await aPdf();
restoreSettings();

const good = (name: string): File => ({ name, bytes });
const resultsOf = async (answer: ReturnType<typeof batchOf>): Promise<Result[]> => {
  const { status, json } = await answer;
  expect(status).toBe(202);
  return (json() as { results: Result[] }).results;
};
const made = () => stage.platform.calls.filter((each) => each === 'POST /api/documents').length;

describe('POST /v1/signatures/batch', () => {
  test('answers one result a document, in the order the parts arrived, and the moment', async () => {
    const names = ['c.pdf', 'a.pdf', 'b.pdf', 'a.pdf'];
    const answer = await batchOf((await aSession()).sessionId, names.map(good));
    const { results, acceptedAt } = answer.json() as { results: Result[]; acceptedAt: string };
    expect(Date.parse(acceptedAt)).toBeGreaterThan(Date.now() - 60_000);
    expect(results).toEqual(
      names.map((fileName) => ({
        fileName,
        signatureId: expect.any(String),
        status: 'PROCESSING',
        error: null,
      })),
    );
    const ids = results.map(({ signatureId }) => signatureId ?? '');
    expect((await documentItems.getMany(ids)).map(({ name }) => name)).toEqual(names);
  });

  test('a failed document carries ERROR and its code, and its siblings carry ids', async () => {
    const files = [
      good('1.pdf'),
      { name: 'empty.pdf', bytes: Buffer.alloc(0) },
      { name: 'no.pdf', bytes: Buffer.from('no PDF') },
      { name: 'large.pdf', bytes: pdfOf(10_485_761) },
      good('5.pdf'),
    ];
    const results = await resultsOf(batchOf((await aSession()).sessionId, files));
    expect(results.map(({ status, error }) => [status, error?.code])).toEqual([
      ['PROCESSING', undefined],
      ['ERROR', 'INVALID_DOCUMENT'],
      ['ERROR', 'UNSUPPORTED_DOCUMENT'],
      ['ERROR', 'DOCUMENT_TOO_LARGE'],
      ['PROCESSING', undefined],
    ]);
    for (const { status, signatureId, error } of results) {
      expect(signatureId === null).toBe(status === 'ERROR');
      if (error) expect(error).toEqual({ code: expect.any(String), message: expect.any(String) });
    }
  });

  test('takes the session after the files too', async () => {
    const { sessionId } = await aSession();
    const answer = signBatch([
      ['files', good('a.pdf')],
      ['sessionId', sessionId],
    ]);
    expect((await resultsOf(answer)).map(({ status }) => status)).toEqual(['PROCESSING']);
  });

  test('none is 400 INVALID_DOCUMENT for the whole call', async () => {
    const { sessionId } = await aSession();
    const other = [
      ['sessionId', sessionId],
      ['document', good('another name.pdf')],
    ] as const;
    for (const answer of [await batchOf(sessionId, []), await signBatch(other)])
      expect(refusal(answer).slice(0, 2)).toEqual([400, 'INVALID_DOCUMENT']);
  });

  test('fifty pass, and 51 or more are 400 INVALID_REQUEST for the whole call, with nothing made of them', async () => {
    stage.platform.interfere = acceptCall;
    const { sessionId } = await aSession();
    const files = (count: number) => Array.from({ length: count }, (_, n) => good(`${n}.pdf`));
    const results = await resultsOf(batchOf(sessionId, files(50)));
    expect(results.map(({ fileName, status }) => [fileName, status])).toEqual(
      files(50).map(({ name }) => [name, 'PROCESSING']),
    );
    const before = made();
    for (const count of [51, 60])
      expect(refusal(await batchOf(sessionId, files(count)))).toEqual([
        400,
        'INVALID_REQUEST',
        'field: files; reason: are more than 50',
      ]);
    expect(made()).toBe(before);
    stage.platform.interfere = () => undefined;
  });

  test('no live session is 401 SESSION_EXPIRED for the whole call, with nothing made of it', async () => {
    const before = made();
    const files = [good('a.pdf')].map((file) => ['files', file] as const);
    for (const form of [
      [['sessionId', 'none'], ...files],
      [...files, ['sessionId', 'none']],
    ] as const)
      expect(refusal(await signBatch(form)).slice(0, 2)).toEqual([401, 'SESSION_EXPIRED']);
    expect(made()).toBe(before);
  });

  // A caller with a key and no session could fill the platform's store otherwise.
  test('nothing is uploaded before the session is known to be live, in whatever order the parts come', async () => {
    const uploads = () => stage.platform.calls.filter((call) => call === 'POST /api/uploads').length;
    const files = ['a.pdf', 'b.pdf', 'c.pdf'].map((name) => ['files', good(name)] as const);
    const before = uploads();
    expect((await signBatch([...files, ['sessionId', 'none']])).status).toBe(401);
    expect((await signBatch(files)).status).toBe(400);
    expect(uploads()).toBe(before);
    const { sessionId } = await aSession();
    const results = await resultsOf(signBatch([...files, ['sessionId', sessionId]]));
    expect(results.map(({ status }) => status)).toEqual(Array(3).fill('PROCESSING'));
    expect(uploads()).toBe(before + 3);
  });

  test('files of more than 20 MB that come before their session are refused, and not held', async () => {
    const { sessionId } = await aSession();
    const large = ['a', 'b', 'c'].map((name) => ({ ...good(name), bytes: Buffer.alloc(8_000_000, '%PDF-') }));
    const files = large.map((file) => ['files', file] as const);
    expect(refusal(await signBatch([...files, ['sessionId', sessionId]]))).toEqual([
      400,
      'INVALID_REQUEST',
      'field: sessionId; reason: must come before the files where these are more than 20971520 bytes',
    ]);
  });

  test('a missing sessionId is 400 INVALID_REQUEST', async () => {
    expect(refusal(await signBatch([['files', good('a.pdf')]]))).toEqual([
      400,
      'INVALID_REQUEST',
      'field: sessionId; reason: is required',
    ]);
  });

  test('a sessionId that is given twice is 400 INVALID_REQUEST, here and with one document', async () => {
    const { sessionId } = await aSession();
    const before = made();
    for (const answer of [
      await signBatch([
        ['sessionId', sessionId],
        ['files', good('a.pdf')],
        ['sessionId', sessionId],
      ]),
      await signForm([
        ['sessionId', 'none'],
        ['sessionId', sessionId],
        ['document', good('a.pdf')],
      ]),
    ])
      expect(refusal(answer)).toEqual([
        400,
        'INVALID_REQUEST',
        'field: sessionId; reason: is given more than once',
      ]);
    expect(made()).toBe(before);
  });

  test('a certificate that does not name its holder is refused for the whole call', async () => {
    const { sessionId } = await aSession('47363361886');
    expect(refusal(await batchOf(sessionId, [good('a.pdf')]))).toEqual([
      422,
      'CERT_INCOMPLETE_IDENTITY',
      'field: email',
    ]);
  });

  test('is multipart/form-data only: JSON is 415 INVALID_REQUEST', async () => {
    const answer = await call(batch, { headers, json: { sessionId: 'none', files: [] } });
    expect(refusal(answer).slice(0, 2)).toEqual([415, 'INVALID_REQUEST']);
  });

  test('counts as one call for the throttle', async () => {
    stage.platform.interfere = acceptCall;
    const { sessionId } = await aSession();
    setting('Throttle:ConcurrencyLimit', '1');
    setting('Throttle:QueueLimit', '0');
    const results = await resultsOf(batchOf(sessionId, ['a', 'b', 'c', 'd'].map(good)));
    stage.platform.interfere = () => undefined;
    expect(results.map(({ status }) => status)).toEqual(Array(4).fill('PROCESSING'));
  });

  test('counts as one call for the Signature Allowance', async () => {
    setting('Sessions:SignatureAllowance', '2');
    const { sessionId } = await aSession();
    await resultsOf(batchOf(sessionId, ['a', 'b', 'c'].map(good)));
    expect((await sessions.get(locatorOf('52998224725')))?.allowanceLeft).toBe(1);
    await resultsOf(batchOf(sessionId, ['d', 'e'].map(good)));
    expect(await isActive(sessionId)).toBe(false);
  });

  test('that fails for every document before the key is used costs nothing of it', async () => {
    setting('Sessions:SignatureAllowance', '1');
    const { sessionId } = await aSession();
    const [result] = await resultsOf(batchOf(sessionId, [{ name: 'no.pdf', bytes: Buffer.from('no') }]));
    expect(result?.error?.code).toBe('UNSUPPORTED_DOCUMENT');
    expect(await isActive(sessionId)).toBe(true);
  });
});

describe('the budget of a batch', () => {
  const caller = { application: 'sandbox', keyId: 'sandbox-key', permissions: [], registered: {} };
  const startedBefore = (ms: number) => ({
    correlationId: 'c-1',
    startedAtMs: Date.now() - ms,
    hostDeadlineAtMs: Date.now() + 60_000,
  });

  test('counts from the beginning of the call, whatever its form takes to arrive', async () => {
    const { sessionId } = await aSession();
    const before = made();
    async function* form() {
      yield { sessionId };
      yield { document: { fileName: 'a.pdf', content: bytes } };
    }
    const request = { parts: form(), ...startedBefore(61_000) };
    const { results } = await signArriving(caller, request, Date.now);
    expect(results).toMatchObject([{ signatureId: null, error: { code: 'SIGN_TIMEOUT' } }]);
    expect(made()).toBe(before);
  });

  test('ends a call whose form does not end', async () => {
    async function* never() {
      yield await new Promise<never>(() => undefined);
    }
    const request = { parts: never(), ...startedBefore(59_950) };
    await expect(signArriving(caller, request, Date.now)).rejects.toMatchObject({ code: 'SIGN_TIMEOUT' });
  });
});
