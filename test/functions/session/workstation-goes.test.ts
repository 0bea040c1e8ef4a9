import { beforeEach, describe, expect, test, vi } from 'vitest';
import { documentItems } from '../../../functions/documents/domain/document/document.ts';
import { workstationCertificates } from '../../../functions/session/domain/workstations/certificates.ts';
import { presences } from '../../../functions/session/domain/workstations/presence.ts';
import { anyCpf } from '../../agent/holders.ts';
import type { Answered } from '../../requests/http-event.ts';
import { forFile } from '../../runner/for-file.ts';
import { type Created, createSession } from './a-session.ts';
import { lastAuditEntry } from './audit-entries.ts';
import { batchOf, fetchSigned, isActive, refusal, signatureIdIn, signPdf } from './calls.ts';
import { captureLog } from './captured-log.ts';
import { restoreSettings, setting } from './own-settings.ts';
import { workstationStage } from './workstation-stage.ts';

// The agent goes away before a sign or during one. In every case three accounts agree: the answer, the audit trail and
// the document at the platform.

const PIN = 'held-40971';
const cpf = anyCpf();
// However long an agent takes to come back on this machine, it is within this.
const LONG_GRACE_SECONDS = '14';

let sessionId: string;

const stage = await forFile(workstationStage({ cpf, pin: PIN }));
const { pdf } = stage;

restoreSettings();

/** An agent that runs with its PIN in use, and a session on it. */
beforeEach(async () => {
  stage.host.onTheWay = () => undefined;
  stage.host.onTheWayBack = () => undefined;
  setting('Signing:WorkstationReconnectGrace', LONG_GRACE_SECONDS);
  if (stage.agent().process.exitCode !== null || stage.agent().process.signalCode !== null)
    await stage.start();
  await stage.page().confirm(PIN);
  const answer = await createSession({ cpf, pin: PIN });
  if (answer.status !== 201) throw new Error(`It was answered ${answer.status}: ${answer.text}`);
  ({ sessionId } = answer.json() as Created);
});

async function stop(): Promise<void> {
  stage.agent().process.kill('SIGTERM');
  await stage.agent().exited;
}
async function restart(): Promise<void> {
  await stage.agent().kill();
  await stage.start();
}
async function forget(): Promise<void> {
  await stage.page().forget();
  await expect.poll(presenceOf).toMatchObject({ pinInUse: false });
}
async function presenceOf() {
  const [held] = await workstationCertificates(cpf, Date.now());
  return presences.get(held?.agentId ?? '');
}

/** Does this when the agent has signed and wants to say so. What it says never arrives. */
function onceSigned(act: () => Promise<void>): void {
  let isDone = false;
  stage.host.onTheWay = async ({ path }) => {
    if (!path.endsWith('/result') || isDone) return;
    isDone = true;
    await act();
    throw new Error('The connection is cut.');
  };
}

/** Does this when the agent is about to be handed the hash. */
function onceHandedOut(act: () => Promise<unknown>): void {
  let isDone = false;
  stage.host.onTheWayBack = async ({ path, body }) => {
    if (!path.endsWith('/poll') || !body.includes('sign-hash') || isDone) return;
    isDone = true;
    await act();
  };
}

const made = () => stage.platform.calls.filter((call) => call === 'POST /api/documents').length;
const codeOf = (answer: Answered) => refusal(answer).slice(0, 2);

/** It was accepted and not signed, and everybody says so. */
async function acceptedAndCanceled(outcome: string): Promise<void> {
  const log = captureLog();
  const answer = await signPdf(sessionId, pdf).finally(log.restore);
  const id = signatureIdIn(answer);
  expect(await lastAuditEntry({ cpf })).toMatchObject({
    operation: 'signature.create',
    outcome,
    correlationId: answer.headers['x-correlation-id'],
    signatureIds: [id],
    notSigned: [{ signatureId: id, outcome, reason: expect.stringMatching(/\w/) }],
  });
  expect((await documentItems.get(id))?.state).toBe('Canceled');
  expect(refusal(await fetchSigned(id))).toEqual([422, 'DOCUMENT_UNAVAILABLE', 'reason: cancelled']);
  const [warned] = log
    .text()
    .split('\n')
    .filter((line) => line.includes('was not signed'));
  expect(JSON.parse(warned ?? '{}')).toMatchObject({
    correlationId: answer.headers['x-correlation-id'],
    documentId: id,
    outcome,
  });
}

/** It was refused, no document was made, and the trail says so. */
async function refusedBeforehand(status: number, code: string): Promise<void> {
  const before = made();
  const answer = await signPdf(sessionId, pdf);
  expect(codeOf(answer)).toEqual([status, code]);
  expect(made()).toBe(before);
  if (status !== 401)
    expect(await lastAuditEntry({ cpf })).toMatchObject({ outcome: code, signatureIds: [] });
}

describe('an agent that, before a sign,', () => {
  test('is killed: the first sign finds out, and the next is refused before its document is sent', async () => {
    await stage.agent().kill();
    setting('Signing:WorkstationReconnectGrace', '1');
    await acceptedAndCanceled('WORKSTATION_OFFLINE');
    expect(await presenceOf()).toMatchObject({ away: 'lost' });
    await refusedBeforehand(422, 'WORKSTATION_OFFLINE');
    expect(await isActive(sessionId)).toBe(true);
  });

  test('stops cleanly: the sign is WORKSTATION_OFFLINE at once, without the grace', async () => {
    await stop();
    const looked = vi.spyOn(presences, 'get');
    await refusedBeforehand(422, 'WORKSTATION_OFFLINE');
    expect(looked).toHaveBeenCalledTimes(1);
    looked.mockRestore();
    expect(await isActive(sessionId)).toBe(true);
  });

  test('is restarted, and so has no PIN: the sign is PIN_NOT_AVAILABLE and ends the session', async () => {
    await restart();
    await refusedBeforehand(422, 'PIN_NOT_AVAILABLE');
    await refusedBeforehand(401, 'SESSION_EXPIRED');
  });

  test('is asked to forget its PIN: the sign is PIN_NOT_AVAILABLE and ends the session', async () => {
    await forget();
    await refusedBeforehand(422, 'PIN_NOT_AVAILABLE');
    await refusedBeforehand(401, 'SESSION_EXPIRED');
  });

  test('has its PIN typed again signs, whatever its last poll said', async () => {
    await forget();
    await stage.page().confirm(PIN);
    await expect.poll(presenceOf).toMatchObject({ pinInUse: true });
    const current = await presenceOf();
    // As if a poll from before the holder typed had been the last to arrive.
    if (current) await presences.change(current, { pinInUse: false });
    const id = signatureIdIn(await signPdf(sessionId, pdf));
    expect((await documentItems.get(id))?.state).toBe('FlowConcluded');
    expect(await lastAuditEntry({ cpf })).toMatchObject({ outcome: 'ok', signatureIds: [id] });
  });
});

describe('an agent that, in the midst of a sign,', () => {
  test('is killed: the document is canceled, and the next sign is refused before its own is sent', async () => {
    setting('Signing:WorkstationReconnectGrace', '1');
    onceSigned(() => stage.agent().kill());
    await acceptedAndCanceled('WORKSTATION_OFFLINE');
    await refusedBeforehand(422, 'WORKSTATION_OFFLINE');
  });

  test('stops cleanly: the document is canceled without the grace, and the next sign is refused', async () => {
    setting('Signing:HashSignTimeout', '12'); // less than the grace: whoever waited for that would be SIGN_TIMEOUT
    onceSigned(async () => void stage.agent().process.kill('SIGTERM'));
    await acceptedAndCanceled('WORKSTATION_OFFLINE');
    expect(await presenceOf()).toMatchObject({ away: 'stopped' });
    await refusedBeforehand(422, 'WORKSTATION_OFFLINE');
    await stage.agent().exited;
  });

  test('is restarted, and so has no PIN: the document is canceled and the session ends', async () => {
    let back: Promise<void> | undefined;
    onceSigned(async () => {
      await stage.agent().kill();
      back = stage.start();
    });
    await acceptedAndCanceled('PIN_NOT_AVAILABLE');
    await back;
    await refusedBeforehand(401, 'SESSION_EXPIRED');
  });

  test('is asked to forget its PIN: the document is canceled and the session ends', async () => {
    onceHandedOut(() => stage.page().forget());
    await acceptedAndCanceled('PIN_NOT_AVAILABLE');
    await refusedBeforehand(401, 'SESSION_EXPIRED');
  });

  test('of a batch, is asked to forget its PIN: no document is made after the first that found out', async () => {
    setting('Log:Level', 'ERROR');
    setting('Signing:SignerConcurrency', '1');
    onceHandedOut(() => stage.page().forget());
    const before = made();
    const files = [1, 2, 3].map((n) => ({ name: `${n}.pdf`, bytes: pdf }));
    const { results } = (await batchOf(sessionId, files)).json() as {
      results: { signatureId: string | null; error: { code: string } | null }[];
    };
    const told = results.map(({ signatureId, error }) => (signatureId ? 'accepted' : error?.code));
    expect(told.toSorted()).toEqual(['PIN_NOT_AVAILABLE', 'PIN_NOT_AVAILABLE', 'accepted']);
    expect(made()).toBe(before + 1);
    const entry = await lastAuditEntry({ cpf });
    expect(entry).toMatchObject({ operation: 'signature.batch', outcome: 'PIN_NOT_AVAILABLE' });
    expect(entry?.notSigned).toHaveLength(3);
  });
});
