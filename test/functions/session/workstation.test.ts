import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { documentItems } from '../../../functions/documents/domain/document/document.ts';
import { signerOf } from '../../../functions/sandbox/authority/domain/authority.ts';
import { locatorOf, sessions } from '../../../functions/session/domain/session.ts';
import { importPkcs12 } from '../../../functions/session/domain/vault/import.ts';
import { recentTasks } from '../../../functions/session/domain/workstations/task.ts';
import { anyCpf } from '../../agent/holders.ts';
import { hasTokens } from '../../agent/soft-token.ts';
import { missingTools, openJudges } from '../../shared/signing/pades/judges.ts';
import { runTasks } from '../documents/stage/run-tasks.ts';
import { type Created, createSession } from './a-session.ts';
import {
  batchOf,
  endSession,
  fetchSigned,
  infoOf,
  isActive,
  refusal,
  signatureIdIn,
  signPdf,
} from './calls.ts';
import { issueCertificate } from './issue-certificate.ts';
import { clockAhead, restoreSettings, setting } from './own-settings.ts';
import { type WorkstationStage, workstationStage } from './workstation-stage.ts';

const PIN = 'held-40971';
const VAULT_PIN = 'vault-88213';
const cpf = anyCpf();
const hasJudges = missingTools().length === 0;

let stage: WorkstationStage;

vi.stubEnv('Log__Level', 'ERROR'); // these failures are logged as warnings
stage = await workstationStage({ cpf, pin: PIN, inToken: hasTokens });
const { person, pdf } = stage;

afterAll(() => stage.stop());
restoreSettings();
beforeEach(() => {
  stage.platform.interfere = () => undefined;
});

const attempt = (pin = PIN) => createSession({ cpf, pin });
async function session(pin = PIN): Promise<Created> {
  const answer = await attempt(pin);
  if (answer.status !== 201) throw new Error(`It was answered ${answer.status}: ${answer.text}`);
  return answer.json() as Created;
}
const binding = async () => (await sessions.get(locatorOf(cpf)))?.binding;
const uploads = () => stage.platform.calls.filter((call) => call === 'POST /api/uploads').length;

/** Cuts every connection of the agent until the returned function is called. */
function cut(): () => void {
  const dead = () => {
    throw new Error('The connection is cut.');
  };
  stage.host.onTheWay = dead;
  stage.host.onTheWayBack = dead;
  return () => {
    stage.host.onTheWay = () => undefined;
    stage.host.onTheWayBack = () => undefined;
  };
}

// In order: a workstation's day.
describe('a CPF whose certificate is at a workstation, with its PIN in use there', () => {
  test('opens a session that is bound to the workstation, without a prompt', async () => {
    const { sessionId } = await session();
    expect(await binding()).toEqual({
      custody: 'workstation',
      sha256: person.certificate.sha256,
      agentId: expect.any(String),
    });
    expect((await infoOf(sessionId)).json()).toMatchObject({ cpf, status: 'ACTIVE' });
  });

  test('a PIN that differs from the one in use is 401 INVALID_PIN', async () => {
    expect(refusal(await attempt('another')).slice(0, 2)).toEqual([401, 'INVALID_PIN']);
  });

  test('signs one document and a batch with the key at the workstation', async () => {
    const { sessionId } = await session();
    const id = signatureIdIn(await signPdf(sessionId, pdf));
    const answer = await batchOf(
      sessionId,
      [1, 2, 3].map((n) => ({ name: `${n}.pdf`, bytes: pdf })),
    );
    const { results } = answer.json() as { results: { status: string; signatureId: string }[] };
    expect(results.map(({ status }) => status)).toEqual(Array(3).fill('PROCESSING'));
    for (const each of [id, ...results.map(({ signatureId }) => signatureId)])
      expect((await documentItems.get(each))?.state).toBe('FlowConcluded');
    if (!hasJudges) return;
    await runTasks();
    const judges = openJudges(signerOf(stage.sandbox.authority, 'root').certificate, '-no-ocsp');
    expect(judges.judge((await fetchSigned(id)).bytes).signatures).toEqual(['Signature is Valid.']);
    judges.close();
  });

  test('the session survives a restart of the server, and signs after it', async () => {
    const { sessionId } = await session();
    setting('Sessions:Epoch', 'after a restart');
    expect(await isActive(sessionId)).toBe(true);
    signatureIdIn(await signPdf(sessionId, pdf));
  });

  test('a certificate of the vault is tried first, and the workstation where its PIN is another', async () => {
    const { p12, certificate } = await issueCertificate(stage.sandbox, { cpf, pin: VAULT_PIN, key: 'vault' });
    const held = await importPkcs12(p12, VAULT_PIN, Date.now());
    const before = stage.host.seen.length;
    await session(VAULT_PIN);
    expect(await binding()).toMatchObject({ custody: 'vault', sha256: certificate.sha256 });
    const asked = stage.host.seen.slice(before).filter(({ path }) => path.endsWith('/result'));
    expect(asked).toEqual([]);
    await session(PIN);
    expect(await binding()).toMatchObject({ custody: 'workstation' });
    const { vault } = await import('../../../functions/session/domain/vault/vault.ts');
    for (const each of held) {
      const stored = await vault.get(each);
      if (stored) await vault.delete(stored);
    }
  });

  test('is signed for inside the grace, where the workstation loses its line for a moment', async () => {
    setting('Signing:WorkstationReconnectGrace', '14');
    const { sessionId } = await session();
    const { agentId } = (await binding()) as { agentId: string };
    const reconnect = cut();
    const signing = signPdf(sessionId, pdf);
    await expect.poll(() => recentTasks(agentId, Date.now())).not.toEqual([]);
    reconnect();
    const id = signatureIdIn(await signing);
    expect((await documentItems.get(id))?.state).toBe('FlowConcluded');
  });
});

test('deactivation makes the workstation forget the PIN: the next session needs the holder', async () => {
  const { sessionId } = await session();
  expect((await endSession(sessionId)).status).toBe(200);
  setting('Sessions:PinPromptTimeout', '1');
  expect(refusal(await attempt())).toEqual([422, 'PIN_NOT_AVAILABLE', 'reason: timed-out']);
});

describe('with no PIN in use, the holder is prompted while the create request stays open', () => {
  test('accepted: the session opens', async () => {
    const asking = attempt();
    await stage.page().shows(/sandbox asks to sign/);
    await stage.page().confirm(PIN);
    const answer = await asking;
    expect(answer.status).toBe(201);
    expect(await binding()).toMatchObject({ custody: 'workstation' });
    await endSession((answer.json() as Created).sessionId);
  });

  test('declined is 422 PIN_NOT_AVAILABLE', async () => {
    const asking = attempt();
    await stage.page().shows(/sandbox asks to sign/);
    await stage.page().decline();
    expect(refusal(await asking)).toEqual([422, 'PIN_NOT_AVAILABLE', 'reason: declined']);
  });

  test('timed out is 422 PIN_NOT_AVAILABLE, and counts as no failed PIN', async () => {
    setting('Sessions:PinPromptTimeout', '1');
    setting('Sessions:MaxPinFailures', '2');
    for (let n = 0; n < 2; n++)
      expect(refusal(await attempt())).toEqual([422, 'PIN_NOT_AVAILABLE', 'reason: timed-out']);
  });

  test('a PIN that is not the one that the holder types is 401 INVALID_PIN', async () => {
    const asking = attempt('another');
    await stage.page().shows(/sandbox asks to sign/);
    await stage.page().confirm(PIN);
    expect(refusal(await asking).slice(0, 2)).toEqual([401, 'INVALID_PIN']);
    // The PIN that the holder typed is in use from here on.
    expect((await attempt()).status).toBe(201);
  });
});

describe('a workstation that goes', () => {
  const GONE_MS = 5_000; // more than Agents:OnlineFor

  test('is 422 WORKSTATION_OFFLINE on a sign after the grace, with nothing sent to the platform', async () => {
    const before = uploads();
    const { sessionId } = await session();
    await stage.agent().kill();
    setting('Signing:WorkstationReconnectGrace', '1');
    clockAhead(GONE_MS);
    const startedAt = performance.now();
    expect(refusal(await signPdf(sessionId, pdf)).slice(0, 2)).toEqual([422, 'WORKSTATION_OFFLINE']);
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    expect(uploads()).toBe(before);
    expect(await isActive(sessionId)).toBe(true);
  });

  test('is 422 WORKSTATION_OFFLINE on create', async () => {
    clockAhead(GONE_MS);
    expect(refusal(await attempt()).slice(0, 2)).toEqual([422, 'WORKSTATION_OFFLINE']);
  });

  test('comes back without its PIN: what it was bound to can be prompted for again', async () => {
    await stage.start();
    const asking = attempt();
    await stage.page().shows(/sandbox asks to sign/);
    await stage.page().confirm(PIN);
    expect((await asking).status).toBe(201);
  });
});
