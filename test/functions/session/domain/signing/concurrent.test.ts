import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { locatorOf, sessions } from '../../../../../functions/session/domain/session.ts';
import { s3 } from '../../../../../shared/files/client.ts';
import { bucketName } from '../../../../../shared/settings/names.ts';
import type { Answered } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { wholeTable } from '../../../../stores/whole-table.ts';
import { aSession } from '../../a-session.ts';
import { batchOf, isActive, refusal, signPdf } from '../../calls.ts';
import { restoreSettings, setting } from '../../own-settings.ts';
import { aPdf, pdfOf } from '../../pdfs.ts';
import { acceptCall } from '../../platform.ts';
import { sessionStage } from '../../stage.ts';

const CPF = '52998224725';
const CREATE = 'POST /api/documents/started';

const stage = await forFile(sessionStage());
const pdf = await aPdf();
restoreSettings();

const stored = () => sessions.get(locatorOf(CPF));

describe('the Signature Allowance', () => {
  test('of one: of fifty signs at the same moment exactly one is accepted', async () => {
    setting('Sessions:SignatureAllowance', '1');
    const { sessionId } = await aSession();
    const answers = await Promise.all(Array.from({ length: 50 }, () => signPdf(sessionId, pdf)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 202);
    expect(new Set(refused.map((answer) => refusal(answer)[1]))).toEqual(new Set(['SESSION_EXPIRED']));
    expect(await stored()).toBeUndefined();
  });

  test('of five: of twenty at the same moment exactly five are accepted', async () => {
    setting('Sessions:SignatureAllowance', '5');
    const { sessionId } = await aSession();
    const answers = await Promise.all(Array.from({ length: 20 }, () => signPdf(sessionId, pdf)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(5);
    expect(await stored()).toBeUndefined();
  });

  test('is fixed when the session is created', async () => {
    const { sessionId } = await aSession();
    setting('Sessions:SignatureAllowance', '1');
    for (let n = 0; n < 3; n++) expect((await signPdf(sessionId, pdf)).status).toBe(202);
    expect(await isActive(sessionId)).toBe(true);
  });

  test('costs nothing for a call whose documents all failed before the key was used', async () => {
    setting('Sessions:SignatureAllowance', '2');
    const { sessionId } = await aSession();
    stage.platform.interfere = (call) => (call === CREATE ? 'hang-up' : undefined);
    expect((await signPdf(sessionId, pdf)).status).toBe(502);
    expect((await signPdf(sessionId, Buffer.from('no PDF'))).status).toBe(422);
    // Refused as one call, so that the separate calls follow; the last of them before the key is used fails.
    stage.platform.interfere = (call) => {
      if (call === CREATE) return { status: 422 };
      return call.endsWith('/certificate') ? { status: 500 } : undefined;
    };
    expect((await signPdf(sessionId, pdf)).status).toBe(202);
    stage.platform.interfere = () => undefined;
    expect(await stored()).toMatchObject({ allowanceLeft: 2, callsUnderWay: 0 });
  });

  //   one    |--takes, left 1--|                      |--used--|
  //   other      |--takes, left 0--|--unused, left 1--|
  test('is not ended by a call that used it while another may give one back', async () => {
    setting('Sessions:SignatureAllowance', '2');
    const { sessionId } = await aSession();
    const calls: Promise<Answered>[] = [];
    let creations = 0;
    stage.platform.interfere = async (call) => {
      if (call !== CREATE || ++creations === 2) return undefined;
      await Promise.race(calls); // the other call is answered, and its use settled
      return 'hang-up';
    };
    calls.push(signPdf(sessionId, pdf), signPdf(sessionId, pdf));
    const answers = await Promise.all(calls);
    stage.platform.interfere = () => undefined;
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 502]);
    expect(await stored()).toMatchObject({ allowanceLeft: 1, callsUnderWay: 0 });
  });
});

test('twenty signs at the same moment under one session are all accepted', async () => {
  stage.platform.interfere = acceptCall;
  const { sessionId } = await aSession();
  const answers = await Promise.all(Array.from({ length: 20 }, () => signPdf(sessionId, pdf)));
  stage.platform.interfere = () => undefined;
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(202));
});

test('Signing:SignerConcurrency bounds the documents at the platform at once, over all calls', async () => {
  setting('Signing:SignerConcurrency', '3');
  let [inside, most] = [0, 0];
  // The first call is answered when another one is beside it.
  const together = Promise.withResolvers<void>();
  stage.platform.interfere = async (call) => {
    inside++;
    most = Math.max(most, inside);
    if (inside === 2) together.resolve();
    await together.promise;
    await new Promise((done) => setTimeout(done, 30)); // the latency of a platform, not an order of events
    inside--;
    return acceptCall(call);
  };
  const { sessionId } = await aSession();
  const answers = await Promise.all([
    batchOf(
      sessionId,
      Array.from({ length: 8 }, (_, n) => ({ name: `${n}.pdf`, bytes: pdf })),
    ),
    ...Array.from({ length: 4 }, () => signPdf(sessionId, pdf)),
  ]);
  stage.platform.interfere = () => undefined;
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(202));
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(3);
});

test('the server stores no document that a call brings, neither in its table nor in its bucket', async () => {
  const before = await filesInBucket();
  const marked = pdfOf(30_000);
  const mark = 'a mark that stands in the document and nowhere else';
  marked.write(mark, 5_000, 'latin1');
  const { sessionId } = await aSession();
  expect((await signPdf(sessionId, marked)).status).toBe(202);
  expect((await batchOf(sessionId, [{ name: 'a.pdf', bytes: marked }])).status).toBe(202);
  stage.platform.interfere = (call) => (call === CREATE ? 'hang-up' : undefined);
  expect((await signPdf(sessionId, marked)).status).toBe(502);
  stage.platform.interfere = () => undefined;
  const table = await wholeTable();
  expect(table.length).toBeGreaterThan(1_000);
  for (const trace of [mark, '%PDF', Buffer.from('%PDF-1').toString('base64')])
    expect(table.includes(trace)).toBe(false);
  expect(await filesInBucket()).toEqual(before);
});

const filesInBucket = async () =>
  (await s3().send(new ListObjectsV2Command({ Bucket: bucketName('session') }))).Contents?.map(
    ({ Key }) => Key,
  );
