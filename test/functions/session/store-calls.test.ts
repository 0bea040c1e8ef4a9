import { expect, test, vi } from 'vitest';
import { type Calls, countCalls } from '../../measure/calls.ts';
import { forFile } from '../../runner/for-file.ts';
import { aSession } from './a-session.ts';
import { batchOf, fetchSigned, signatureIdIn, signPdf, statusOf } from './calls.ts';
import { aPdf } from './pdfs.ts';
import { acceptCall } from './platform.ts';
import { sessionStage } from './stage.ts';

// The calls of the session server itself, one caller at a time: a platform that only accepts makes none.

const stage = await forFile(sessionStage());
// What is read once stays read, however busy the machine is.
vi.stubEnv('Access__CacheSeconds', '300');
stage.platform.interfere = acceptCall;
const pdf = await aPdf();

/** The calls of one warm run. A renewal in the background may fall into one of three, and not into all. */
async function warmCalls(run: () => Promise<unknown>): Promise<Calls> {
  await run();
  const counted: Calls[] = [];
  for (let n = 0; n < 3; n++) counted.push(await countCalls(run));
  return counted.toSorted((a, b) => a.total - b.total)[0] as Calls;
}

test('creating a session costs four calls: the attempt, the certificates of either custody, verdicts, and one transaction', async () => {
  expect((await warmCalls(() => aSession())).byCommand).toEqual({
    UpdateItem: 1,
    Query: 1,
    BatchGetItem: 1,
    TransactWriteItems: 1,
  });
});

test('the status of a session costs one read', async () => {
  const { sessionId } = await aSession();
  expect((await warmCalls(() => statusOf(sessionId))).byCommand).toEqual({ GetItem: 1 });
});

// Session; certificate and verdict at once; dispatch; then one transaction of window, dispatch and audit entry.
test('signing a document costs four calls', async () => {
  const { sessionId } = await aSession();
  expect((await warmCalls(() => signPdf(sessionId, pdf))).byCommand).toEqual({
    GetItem: 1,
    BatchGetItem: 1,
    PutItem: 1,
    TransactWriteItems: 1,
  });
});

test('signing a batch costs five calls, however many documents it has', async () => {
  const { sessionId } = await aSession();
  const files = Array.from({ length: 10 }, (_, n) => ({ name: `${n}.pdf`, bytes: pdf }));
  expect((await warmCalls(() => batchOf(sessionId, files))).byCommand).toEqual({
    GetItem: 2,
    BatchGetItem: 1,
    TransactWriteItems: 2,
  });
});

test('fetching a document costs none', async () => {
  stage.platform.interfere = () => undefined;
  const { sessionId } = await aSession();
  const id = signatureIdIn(await signPdf(sessionId, pdf));
  stage.platform.interfere = (call) =>
    call.endsWith('/content')
      ? { status: 200, body: '%PDF-' }
      : { status: 200, body: JSON.stringify({ status: 'Concluded' }) };
  expect((await warmCalls(() => fetchSigned(id))).byCommand).toEqual({});
  stage.platform.interfere = acceptCall;
});
