import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { audited } from '../../functions/session/domain/audit.ts';
import { vaultOf } from '../../functions/session/domain/vault/vault.ts';
import { verdicts } from '../../functions/session/domain/verdicts.ts';
import { writePkcs12 } from '../../shared/pki/pkcs12/write.ts';
import { anyCpf, anyPerson } from '../agent/holders.ts';
import { wholeTable } from '../agent/table.ts';
import { testPki } from '../pki.ts';
import { command } from './child.ts';

const PASSWORD = 'a password for nobody 5518';
const folder = mkdtempSync(join(tmpdir(), 'sinete-vault-'));
afterAll(() => rmSync(folder, { recursive: true }));

const admin = command('infra/admin/admin.ts', {
  env: { ...process.env, HOLDER_PIN: PASSWORD, WRONG_PIN: 'x' },
});

async function done(...words: string[]): Promise<string> {
  const { code, out, error } = await admin(...words);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return out;
}

async function refused(...words: string[]): Promise<string> {
  const { code, out, error } = await admin(...words);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(error.split('\n')).toHaveLength(1);
  return error;
}

async function fileOf({ privateKey, certificate }: ReturnType<typeof anyPerson>): Promise<string> {
  const path = join(folder, `${randomUUID()}.p12`);
  writeFileSync(path, await writePkcs12({ privateKey, certificate }, PASSWORD, 1_000));
  return path;
}

describe('npm run admin -- vault', () => {
  it('imports a certificate file, lists it with its verdict, and removes it', async () => {
    const person = anyPerson();
    const { cpf, certificate } = person;
    const id = certificate.sha256.slice(0, 16);
    const imported = await done('vault', 'import', await fileOf(person), '--pin-env', 'HOLDER_PIN');
    expect(imported).toContain(`for the CPF ${cpf}, as ${id}. Its password is the PIN.`);
    expect(await vaultOf(cpf)).toMatchObject([{ cpf, sha256: certificate.sha256 }]);

    const until = new Date(certificate.notAfterMs).toISOString().slice(0, 10);
    expect(await done('vault', 'list', cpf)).toMatch(
      new RegExp(`^${id}  .*${person.name}.*  until ${until}  not judged yet$`),
    );
    const { sha256, der } = certificate;
    await verdicts.put({ sha256, der, status: 'UNTRUSTED', judgedAtMs: Date.now(), activeAtMs: null });
    expect(await done('vault', 'list', cpf)).toMatch(/UNTRUSTED$/);

    expect(await done('vault', 'remove', cpf, id)).toBe(`The vault has ${id} of ${cpf} no more.`);
    expect(await vaultOf(cpf)).toEqual([]);
    expect(await done('vault', 'list', cpf)).toBe(`The vault has no certificate for ${cpf}.`);
  });

  it('takes the password from a file, and keeps it nowhere in the store', async () => {
    const person = anyPerson();
    const pinFile = join(folder, 'pin');
    writeFileSync(pinFile, `${PASSWORD}\n`, { mode: 0o600 });
    await done('vault', 'import', await fileOf(person), '--pin-file', pinFile);
    const table = await wholeTable();
    expect(table).toContain(`VAULT#${person.cpf}`);
    for (const form of [
      PASSWORD,
      Buffer.from(PASSWORD).toString('base64'),
      Buffer.from(PASSWORD).toString('hex'),
    ])
      expect(table.includes(form)).toBe(false);
  });

  it('says no in one line to a wrong password, what is no certificate file, and a certificate without a CPF', async () => {
    const person = anyPerson();
    const path = await fileOf(person);
    expect(await refused('vault', 'import', path, '--pin-env', 'WRONG_PIN')).toMatch(/password/i);
    expect(await vaultOf(person.cpf)).toEqual([]);

    const garbage = join(folder, 'garbage.p12');
    writeFileSync(garbage, 'no certificate file');
    expect(await refused('vault', 'import', garbage, '--pin-env', 'HOLDER_PIN')).toContain(garbage);
    expect(await refused('vault', 'import', '/nowhere.p12', '--pin-env', 'HOLDER_PIN')).toMatch(
      /^\/nowhere\.p12 cannot be read/,
    );

    const nameless = testPki().holder({ commonName: 'NOBODY', fields: { email: 'a@example.com' } });
    const file = await fileOf({ ...nameless, cpf: '', name: '' });
    expect(await refused('vault', 'import', file, '--pin-env', 'HOLDER_PIN')).toMatch(/names no CPF/);
  });

  it('says no to a CPF that is none, and to a certificate that is not the one', async () => {
    expect(await refused('vault', 'list', '52998224724')).toBe(
      '"52998224724" is no CPF: its check digits do not hold.',
    );
    expect(await refused('vault', 'remove', anyCpf(), 'abcdef')).toMatch(/^Name one certificate of \d{11}/);
    expect(await refused('vault', 'remove', anyCpf(), '')).toMatch(/^Name one certificate of/);
  });
});

describe('npm run admin -- audit show', () => {
  const today = () => new Date().toISOString().slice(0, 10);
  const actor = { application: 'acme', keyId: 'k1', correlationId: 'c-1' };

  it('prints a line for each thing that was done, of one holder where a CPF is given', async () => {
    const [cpf, other] = [anyCpf(), anyCpf()];
    await audited({ actor, operation: 'session.create', cpf }, async () => undefined);
    await audited({ actor, operation: 'signature.create', cpf: other }, async () => undefined);
    await audited(
      { actor, operation: 'signature.batch', cpf },
      async () => ['d1', 'd2'],
      (ids) => ids,
    );
    const lines = (await done('audit', 'show', today(), '--cpf', cpf)).split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(new RegExp(`^\\S+Z  session\\.create  ${cpf}  ok  acme/k1  c-1$`));
    expect(lines[1]).toMatch(/signature\.batch {2}\d{11} {2}ok {2}acme\/k1 {2}c-1 {2}d1 d2$/);
    expect(await done('audit', 'show', today())).toContain(other);
  });

  it('says that nothing is on record, and that a day is none', async () => {
    expect(await done('audit', 'show', '2001-01-01')).toBe('Nothing is on record for 2001-01-01.');
    expect(await refused('audit', 'show', 'yesterday')).toBe(
      '"yesterday" is no day: write it as 2026-11-15.',
    );
  });
});
