import { describe, expect, test } from 'vitest';
import { locatorOf, sessions } from '../../../functions/session/domain/session.ts';
import { importPkcs12 } from '../../../functions/session/domain/vault/import.ts';
import {
  sealFile,
  type VaultCertificate,
  vault,
  vaultOf,
} from '../../../functions/session/domain/vault/vault.ts';
import { anyCpf } from '../../agent/holders.ts';
import { forFile } from '../../runner/for-file.ts';
import { wholeTable } from '../../stores/whole-table.ts';
import { aSession, createSession } from './a-session.ts';
import { infoOf, refusal, signatureIdIn, signPdf } from './calls.ts';
import { issueCertificate } from './issue-certificate.ts';
import { restoreSettings, setting } from './own-settings.ts';
import { aPdf } from './pdfs.ts';
import { sessionStage } from './stage.ts';

const stage = await forFile(sessionStage());
const pdf = await aPdf();
restoreSettings();

type HoldOptions = Omit<Parameters<typeof issueCertificate>[1], 'cpf' | 'pin'> & { readonly pin?: string };

/** Puts a certificate of the CPF into the vault. */
async function hold(cpf: string, options: HoldOptions = {}): Promise<string> {
  const { certificate, p12 } = await issueCertificate(stage.sandbox, { pin: '1234', ...options, cpf });
  await importPkcs12(p12, options.pin ?? '1234', Date.now());
  return certificate.sha256;
}

const boundTo = async (cpf: string) => (await sessions.get(locatorOf(cpf)))?.binding.sha256;
const attempt = async (cpf: string, pin = '1234') => createSession({ cpf, pin });

describe('a CPF with several certificates in the vault', () => {
  test('is bound to the valid one, where another of the same PIN has expired', async () => {
    const cpf = anyCpf();
    await hold(cpf, { isExpired: true, key: 'old' });
    const valid = await hold(cpf);
    expect((await attempt(cpf)).status).toBe(201);
    expect(await boundTo(cpf)).toBe(valid);
  });

  test('is bound to the one that the PIN opens', async () => {
    const cpf = anyCpf();
    const one = await hold(cpf, { key: 'one', pin: 'first' });
    const other = await hold(cpf, { key: 'other', pin: 'second' });
    for (const [pin, sha256] of [
      ['first', one],
      ['second', other],
    ]) {
      expect((await attempt(cpf, pin)).status).toBe(201);
      expect(await boundTo(cpf)).toBe(sha256);
    }
    expect(refusal(await attempt(cpf, 'third')).slice(0, 2)).toEqual([401, 'INVALID_PIN']);
  });

  test('is CERT_NOT_ACTIVE only when every one is non-active', async () => {
    const cpf = anyCpf();
    await hold(cpf, { isExpired: true, key: 'old' });
    await hold(cpf, { isExpired: true, key: 'older' });
    expect(refusal(await attempt(cpf))).toEqual([422, 'CERT_NOT_ACTIVE', 'status: EXPIRED']);
    await hold(cpf);
    expect((await attempt(cpf)).status).toBe(201);
  });

  test('is not opened by the PIN of one that cannot sign', async () => {
    const cpf = anyCpf();
    await hold(cpf, { isExpired: true, key: 'old', pin: 'the old one' });
    await hold(cpf);
    expect(refusal(await attempt(cpf, 'the old one'))[1]).toBe('INVALID_PIN');
  });
});

/** Changes what the vault has of a CPF, as a fault or another version would. */
async function spoiled(cpf: string, change: Partial<VaultCertificate>): Promise<void> {
  for (const held of await vaultOf(cpf)) await vault.change(held, change);
}

describe('a certificate of the vault', () => {
  test('whose own data is not held is CERT_DATA_UNAVAILABLE, on create, read and sign', async () => {
    for (const der of [undefined, Buffer.from('no certificate')]) {
      const cpf = anyCpf();
      await hold(cpf, { email: 'a@example.com' });
      const { sessionId } = await aSession(cpf);
      await spoiled(cpf, { der } as Partial<VaultCertificate>);
      for (const answer of [await attempt(cpf), await infoOf(sessionId), await signPdf(sessionId, pdf)])
        expect(refusal(answer).slice(0, 2)).toEqual([422, 'CERT_DATA_UNAVAILABLE']);
    }
  });

  test('that no PIN opens is PIN_NOT_AVAILABLE, on create and on sign', async () => {
    const cpf = anyCpf();
    await hold(cpf, { email: 'a@example.com' });
    const { sessionId } = await aSession(cpf);
    const [held] = await vaultOf(cpf);
    if (held) await spoiled(cpf, await sealFile(held, Buffer.from('no certificate file')));
    for (const answer of [await attempt(cpf), await signPdf(sessionId, pdf)])
      expect(refusal(answer).slice(0, 2)).toEqual([422, 'PIN_NOT_AVAILABLE']);
  });

  test('whose password was changed while a session rests on the old one is PIN_NOT_AVAILABLE on sign', async () => {
    const cpf = anyCpf();
    await hold(cpf, { email: 'a@example.com' });
    const { sessionId } = await aSession(cpf);
    await hold(cpf, { email: 'a@example.com', pin: 'another' });
    const { p12 } = await issueCertificate(stage.sandbox, { cpf, pin: 'another', email: 'a@example.com' });
    const [held] = await vaultOf(cpf);
    if (held) await spoiled(cpf, await sealFile(held, p12));
    expect(refusal(await signPdf(sessionId, pdf))[1]).toBe('PIN_NOT_AVAILABLE');
  });

  test('is not tried where the vault is switched off', async () => {
    setting('Vault:Enabled', 'false');
    expect(refusal(await attempt('52998224725'))[1]).toBe('CERT_NOT_FOUND');
  });
});

describe('CERT_INCOMPLETE_IDENTITY', () => {
  const CPF = '47363361886'; // its certificate names no e-mail address

  test('refuses a sign under a certificate without an e-mail address, and names the field', async () => {
    const { sessionId } = await aSession(CPF);
    expect((await infoOf(sessionId)).status).toBe(200);
    expect(refusal(await signPdf(sessionId, pdf))).toEqual([422, 'CERT_INCOMPLETE_IDENTITY', 'field: email']);
  });

  test('not where the session was given one', async () => {
    const { sessionId } = await aSession(CPF, { email: 'maria@example.com' });
    signatureIdIn(await signPdf(sessionId, pdf));
  });

  test('the session’s address is used only where the certificate names none', async () => {
    const { documentItems } = await import('../../../functions/documents/domain/document/document.ts');
    const addressOf = async (cpf: string) => {
      const { sessionId } = await aSession(cpf, { email: 'maria@example.com' });
      const document = await documentItems.get(signatureIdIn(await signPdf(sessionId, pdf)));
      return document?.flow[0]?.people[0]?.emailAddress;
    };
    expect(await addressOf(CPF)).toBe('maria@example.com');
    expect(await addressOf('52998224725')).toBe('holder-52998224725@sandbox.example');
  });
});

describe('import', () => {
  test('keeps the password nowhere', async () => {
    const cpf = anyCpf();
    const pin = 'a password of its own 73';
    await hold(cpf, { pin });
    await aSession(cpf, { pin });
    const table = await wholeTable();
    expect(table).toContain(`CERTIFICATES#${cpf}`);
    for (const trace of [pin, Buffer.from(pin).toString('base64'), Buffer.from(pin).toString('hex')])
      expect(table.includes(trace)).toBe(false);
  });

  test('of the same file twice leaves one entry', async () => {
    const cpf = anyCpf();
    const { p12 } = await issueCertificate(stage.sandbox, { cpf, pin: '1234' });
    await importPkcs12(p12, '1234', Date.now());
    await importPkcs12(p12, '1234', Date.now());
    expect(await vaultOf(cpf)).toHaveLength(1);
  });
});
