import { describe, expect, test } from 'vitest';
import { locatorOf, type Session, sessions } from '../../../../functions/session/domain/session.ts';
import { vault } from '../../../../functions/session/domain/vault/vault.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { forFile } from '../../../runner/for-file.ts';
import { aSession } from '../a-session.ts';
import {
  batchOf,
  endSession,
  infoOf,
  isActive,
  refusal,
  signatureIdIn,
  signPdf,
  statusOf,
} from '../calls.ts';
import { clockAhead, restoreSettings, setting } from '../own-settings.ts';
import { aPdf } from '../pdfs.ts';
import { sessionStage } from '../stage.ts';

const CPF = '52998224725';
const HOUR_MS = 3_600_000;

const stage = await forFile(sessionStage());
const pdf = await aPdf();
restoreSettings();

const stored = async (): Promise<Stored<Session> | undefined> => sessions.get(locatorOf(CPF));
const expiresAt = async (sessionId: string) =>
  ((await statusOf(sessionId)).json() as { expiresAt: string }).expiresAt;

const EXPIRED = [401, 'SESSION_EXPIRED'];

/** Everything that needs a session says that there is none; asking for its status says so too, with a 200. */
async function isOver(sessionId: string): Promise<void> {
  const answers = [await infoOf(sessionId), await signPdf(sessionId, pdf), await endSession(sessionId)];
  expect(answers.map((answer) => refusal(answer).slice(0, 2))).toEqual([EXPIRED, EXPIRED, EXPIRED]);
  expect((await statusOf(sessionId)).json()).toMatchObject({ active: false, expiresIn: 0 });
}

describe('a session ends, and is SESSION_EXPIRED from then on, when', () => {
  test('it is deactivated', async () => {
    const { sessionId } = await aSession();
    await endSession(sessionId);
    await isOver(sessionId);
  });

  test('its window lapses without a signature', async () => {
    const { sessionId } = await aSession(CPF, { sessionDuration: 600 });
    clockAhead(599_000);
    expect(await isActive(sessionId)).toBe(true);
    clockAhead(2_000);
    await isOver(sessionId);
  });

  test('another is created for its CPF', async () => {
    const { sessionId } = await aSession();
    await aSession();
    await isOver(sessionId);
  });

  test('its Signature Allowance is spent', async () => {
    setting('Sessions:SignatureAllowance', '1');
    const { sessionId } = await aSession();
    signatureIdIn(await signPdf(sessionId, pdf));
    await isOver(sessionId);
    expect(await stored()).toBeUndefined();
  });

  test('the server restarts, where it is bound to a vault certificate', async () => {
    const { sessionId } = await aSession();
    setting('Sessions:Epoch', 'after a restart');
    await isOver(sessionId);
  });
});

describe('POST /v1/sessions/deactivate', () => {
  test('answers 200 with the CPF read off the session, its id, active false, and the moment', async () => {
    const { sessionId } = await aSession();
    const before = Date.now();
    const answer = await endSession(sessionId);
    expect(answer.status).toBe(200);
    const { endedAt, ...rest } = answer.json() as { endedAt: string };
    expect(rest).toEqual({ cpf: CPF, sessionId, active: false });
    expect(Date.parse(endedAt)).toBeGreaterThanOrEqual(before);
  });

  test('is not idempotent: the second time it is 401 SESSION_EXPIRED', async () => {
    const { sessionId } = await aSession();
    expect((await endSession(sessionId)).status).toBe(200);
    expect(refusal(await endSession(sessionId)).slice(0, 2)).toEqual(EXPIRED);
    expect(refusal(await endSession('none')).slice(0, 2)).toEqual(EXPIRED);
  });

  test('drops the key that the session held', async () => {
    const { sessionId } = await aSession();
    expect((await stored())?.binding).toHaveProperty('sealedKey');
    await endSession(sessionId);
    expect(await stored()).toBeUndefined();
  });

  test('of fifty at the same moment ends it once', async () => {
    const { sessionId } = await aSession();
    const answers = await Promise.all(Array.from({ length: 50 }, () => endSession(sessionId)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]));
  });

  //   sign        |--taken------------------ accepted: extends: refused, it is gone --|
  //   deactivate           |--ends it--|
  test('wins over a sign that is under way: nothing brings the session back', async () => {
    setting('Sessions:SignatureAllowance', '1');
    const { sessionId } = await aSession();
    let isEnded: ReturnType<typeof endSession> | undefined;
    stage.platform.interfere = (call) => {
      if (call === 'POST /api/documents/started') isEnded = endSession(sessionId);
      return { status: 503 };
    };
    await signPdf(sessionId, pdf);
    stage.platform.interfere = () => undefined;
    await isEnded;
    expect(await isActive(sessionId)).toBe(false);
    expect(await stored()).toBeUndefined();
  });

  test('ends a session that a sign extends at the same moment', async () => {
    const { sessionId } = await aSession();
    const [, ...answers] = await Promise.all([
      signPdf(sessionId, pdf),
      ...Array.from({ length: 5 }, () => endSession(sessionId)),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await isActive(sessionId)).toBe(false);
  });
});

describe('the window of a session', () => {
  test.each([
    ['one document', (sessionId: string) => signPdf(sessionId, pdf)],
    ['a batch', (sessionId: string) => batchOf(sessionId, [{ name: 'a.pdf', bytes: pdf }])],
  ])('is granted anew by signing %s', async (_, sign) => {
    const { sessionId } = await aSession();
    const first = await expiresAt(sessionId);
    clockAhead(HOUR_MS / 2);
    expect((await sign(sessionId)).status).toBe(202);
    const second = await expiresAt(sessionId);
    expect(Date.parse(second) - Date.parse(first)).toBeGreaterThanOrEqual(HOUR_MS / 2);
    expect(Date.parse(second) - Date.now()).toBeLessThanOrEqual(HOUR_MS);
  });

  test('is not extended by a signing call that was not accepted', async () => {
    const { sessionId } = await aSession();
    const before = await stored();
    clockAhead(60_000);
    expect((await signPdf(sessionId, Buffer.from('no PDF'))).status).toBe(422);
    stage.platform.interfere = () => 'hang-up';
    expect((await signPdf(sessionId, pdf)).status).toBe(502);
    stage.platform.interfere = () => undefined;
    expect(await stored()).toEqual(before);
  });

  test('is never extended by asking for the status or the certificate', async () => {
    const { sessionId } = await aSession();
    const before = await stored();
    clockAhead(60_000);
    await statusOf(sessionId);
    await infoOf(sessionId);
    expect(await stored()).toEqual(before);
  });

  test('is granted anew as it was asked for, not as the default', async () => {
    const { sessionId } = await aSession(CPF, { sessionDuration: 300 });
    clockAhead(100_000);
    signatureIdIn(await signPdf(sessionId, pdf));
    const left = Date.parse(await expiresAt(sessionId)) - Date.now();
    expect(left).toBeGreaterThan(290_000);
    expect(left).toBeLessThanOrEqual(300_000);
  });
});

describe('GET /v1/certificates/info', () => {
  test('answers the seven fields of the bound certificate', async () => {
    const answer = await infoOf((await aSession()).sessionId);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      cpf: CPF,
      subjectName: expect.stringContaining(`SANDBOX HOLDER ${CPF}`),
      issuer: expect.stringContaining('Sinete'),
      serialNumber: expect.stringMatching(/^[0-9a-f]+$/i),
      notBefore: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      notAfter: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      status: 'ACTIVE',
    });
  });

  test('a missing id is 400 INVALID_REQUEST', async () => {
    expect(refusal(await infoOf('')).slice(0, 2)).toEqual([400, 'INVALID_REQUEST']);
  });

  test('CERT_NOT_FOUND on read and on sign once the bound certificate is held no more', async () => {
    const { sessionId } = await aSession('47363361886', { email: 'a@example.com' });
    const binding = (await sessions.get(locatorOf('47363361886')))?.binding;
    const held = await vault.get({ cpf: '47363361886', sha256: binding?.sha256 ?? '' });
    if (!held) throw new Error('The vault has lost it.');
    await vault.delete(held);
    const answers = [await infoOf(sessionId), await signPdf(sessionId, pdf)];
    await vault.put(held);
    for (const answer of answers) expect(refusal(answer).slice(0, 2)).toEqual([404, 'CERT_NOT_FOUND']);
  });
});
