import { beforeEach, describe, expect, test, vi } from 'vitest';
import { auditOf } from '../../../functions/session/domain/audit.ts';
import { importPkcs12 } from '../../../functions/session/domain/vault/import.ts';
import type * as vaultOpen from '../../../functions/session/domain/vault/open.ts';
import { dynamo } from '../../../shared/store/client.ts';
import { anyCpf } from '../../agent/holders.ts';
import { forFile } from '../../runner/for-file.ts';
import { wholeTable } from '../../stores/whole-table.ts';
import { createSession } from './a-session.ts';
import { recentAuditEntries } from './audit-entries.ts';
import { endSession, infoOf, refusal, signPdf, statusOf } from './calls.ts';
import { captureLog } from './captured-log.ts';
import { issueCertificate } from './issue-certificate.ts';
import { restoreSettings, setting } from './own-settings.ts';
import { aPdf } from './pdfs.ts';
import { sessionStage } from './stage.ts';

// What is done with a PIN, in order: `compared` with a certificate, or `spent` as if it were.
const work: string[] = [];
const rounds: number[] = [];

vi.mock('../../../functions/session/domain/vault/open.ts', async (original) => {
  const real = await original<typeof vaultOpen>();
  return {
    openVault: (...args: Parameters<typeof real.openVault>) => {
      work.push('compared');
      return real.openVault(...args);
    },
    simulateOpening: (pin: string) => {
      work.push('spent');
      return real.simulateOpening(pin);
    },
  };
});

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof import('node:crypto')>();
  const pbkdf2 = (...args: Parameters<typeof real.pbkdf2>) => {
    rounds.push(args[2]);
    return real.pbkdf2(...args);
  };
  return { ...real, pbkdf2 };
});

// Told apart from anything else that a table or a line of the log may hold.
const PIN = 'kept-7716203945';
const WRONG = 'wrong-2290817364';

const cpf = anyCpf();
const stage = await forFile(sessionStage());
const { p12 } = await issueCertificate(stage.sandbox, { cpf, pin: PIN, email: 'a@example.com' });
await importPkcs12(p12, PIN, Date.now());
restoreSettings();
beforeEach(() => {
  work.length = 0;
  rounds.length = 0;
});

const attempt = async (options: object = {}) => {
  const answer = await createSession({ cpf, pin: PIN, ...options });
  return answer.status === 201 ? 'created' : refusal(answer)[1];
};

describe('the PIN of a session', () => {
  /** No audit entry can be written meanwhile. */
  async function withoutAudit(run: () => Promise<unknown>): Promise<void> {
    dynamo().middlewareStack.add(
      (next) => async (args) => {
        if (JSON.stringify(args.input).includes('AUDIT#')) throw new Error(`No room for ${cpf}.`);
        return next(args);
      },
      { step: 'initialize', name: 'no audit' },
    );
    await run().finally(() => dynamo().middlewareStack.remove('no audit'));
  }

  test('is in no line of the log and nowhere in the table, whatever becomes of it; nor is the CPF in a line', async () => {
    setting('Log:Level', 'DEBUG');
    const captured = captureLog();
    const pdf = await aPdf();
    const made = await createSession({ cpf, pin: PIN });
    const { sessionId } = made.json() as { sessionId: string };
    await statusOf(sessionId);
    await infoOf(sessionId);
    await signPdf(sessionId, pdf);
    stage.platform.interfere = () => 'hang-up';
    await signPdf(sessionId, pdf);
    stage.platform.interfere = () => undefined;
    await withoutAudit(() => createSession({ cpf, pin: WRONG }));
    await createSession({ cpf, pin: PIN, sessionDuration: PIN });
    await createSession({ cpf: WRONG, pin: PIN });
    const table = await wholeTable();
    await endSession(sessionId);
    captured.restore();

    const log = captured.text();
    expect(log).toContain('An audit entry was not kept.');
    expect(log).not.toContain(cpf);
    expect(log).toContain('POST /v1/sessions');
    expect(log).toContain('POST /v1/signatures');
    for (const secret of [PIN, WRONG, sessionId.slice(22)]) {
      const forms = [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')];
      for (const form of forms)
        expect([form, log.includes(form), table.includes(form)]).toEqual([form, false, false]);
    }
    expect(table.includes('sealedKey')).toBe(true);
  });
});

describe('nothing tells a PIN', () => {
  test('a locked CPF compares none, not even the right one, and does the work of a comparison', async () => {
    setting('Sessions:MaxPinFailures', '2');
    setting('Sessions:PinFailureWindow', '3600');
    const codes = [await attempt({ pin: WRONG }), await attempt({ pin: WRONG })];
    work.length = 0;
    codes.push(await attempt(), await attempt({ pin: WRONG }));
    expect(codes.slice(-2)).toEqual(['TOO_MANY_PIN_ATTEMPTS', 'TOO_MANY_PIN_ATTEMPTS']);
    expect(work).toEqual(['spent', 'spent']);
  });

  test.each([
    ['an unknown CPF', '20406080100', 'CERT_NOT_FOUND'],
    ['a CPF whose certificates cannot sign', '12345678909', 'CERT_NOT_ACTIVE'],
  ])('%s costs an opening, as a PIN that is wrong does', async (_, unknown, code) => {
    expect(await attempt({ cpf: unknown })).toBe(code);
    expect(work).toEqual(['spent']);
    expect(rounds.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(20_000);
  });

  test('a failed PIN counts for the CPF whatever key it came with, and not for another CPF', async () => {
    setting('Sessions:MaxPinFailures', '1');
    const other = anyCpf();
    const { p12 } = await issueCertificate(stage.sandbox, { cpf: other, pin: PIN });
    await importPkcs12(p12, PIN, Date.now());
    expect(await attempt({ cpf: other, pin: WRONG })).toBe('INVALID_PIN');
    expect(await attempt({ cpf: other })).toBe('TOO_MANY_PIN_ATTEMPTS');
    expect(await attempt({ cpf: '52998224725', pin: '1234' })).toBe('created');
  });

  test('what is refused for another reason than its PIN counts for nothing', async () => {
    setting('Sessions:MaxPinFailures', '1');
    for (let n = 0; n < 3; n++) expect(await attempt({ cpf: '12345678909' })).toBe('CERT_NOT_ACTIVE');
    for (let n = 0; n < 3; n++) expect(await attempt({ cpf: '20406080100' })).toBe('CERT_NOT_FOUND');
  });
});

describe('the audit trail', () => {
  const today = () => new Date().toISOString().slice(0, 10);
  const entries = async (day: string, nowMs: number) => {
    const found = [];
    for await (const entry of auditOf(day, nowMs)) if (entry.cpf === '52998224725') found.push(entry);
    return found;
  };

  test('tells who did what to whom, with which key, how it ended and by which correlation id', async () => {
    const recent = async () =>
      (await Array.fromAsync(recentAuditEntries())).filter(({ cpf }) => cpf === '52998224725');
    const before = (await recent()).length;
    const made = await createSession({ cpf: '52998224725', pin: '1234' });
    const { sessionId } = made.json() as { sessionId: string };
    const signed = await signPdf(sessionId, await aPdf());
    const refused = await signPdf(sessionId, Buffer.from('no PDF'));
    await endSession(sessionId);
    const wrong = await createSession({ cpf: '52998224725', pin: WRONG });
    const who = { application: 'sandbox', keyId: 'sandbox-key', cpf: '52998224725' };
    const { signatureId } = signed.json() as { signatureId: string };
    expect((await recent()).slice(before)).toMatchObject([
      { ...who, operation: 'session.create', outcome: 'ok', signatureIds: [] },
      { ...who, operation: 'signature.create', outcome: 'ok', signatureIds: [signatureId] },
      { ...who, operation: 'signature.create', outcome: 'UNSUPPORTED_DOCUMENT', signatureIds: [] },
      { ...who, operation: 'session.deactivate', outcome: 'ok' },
      { ...who, operation: 'session.create', outcome: 'INVALID_PIN' },
    ]);
    const ids = (await recent()).map(({ correlationId }) => correlationId);
    for (const answer of [made, signed, refused, wrong])
      expect(ids).toContain(answer.headers['x-correlation-id']);
  });

  test('is told for as long as Audit:RetentionDays says, whatever the store has cleared away', async () => {
    setting('Audit:RetentionDays', '30');
    const dayMs = 86_400_000;
    expect((await entries(today(), Date.now() + 29 * dayMs)).length).toBeGreaterThan(0);
    expect(await entries(today(), Date.now() + 31 * dayMs)).toEqual([]);
  });
});
