import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { judgeCertificates } from '../../../cli/admin/session.ts';
import { audit } from '../../../functions/session/domain/audit.ts';
import { vaultOf } from '../../../functions/session/domain/vault/vault.ts';
import { verdicts } from '../../../functions/session/domain/verdicts.ts';
import { writePem } from '../../../shared/pki/pem.ts';
import { writePkcs12 } from '../../../shared/pki/pkcs12/write.ts';
import { anyCpf, anyPerson } from '../../agent/holders.ts';
import { testPki } from '../../certificates/pki.ts';
import { deliverRenewals } from '../../functions/session/domain/run-renewals.ts';
import { command } from '../../infra/child.ts';
import { wholeTable } from '../../stores/whole-table.ts';
import { done, refused } from './in-process.ts';

const PASSWORD = 'a password for nobody 5518';
const WRONG = 'a password that opens nothing 7734';
const folder = mkdtempSync(join(tmpdir(), 'sinete-vault-'));
const pinFile = join(folder, 'pin');
beforeAll(() => {
  vi.stubEnv('HOLDER_PIN', PASSWORD);
  vi.stubEnv('WRONG_PIN', WRONG);
  writeFileSync(pinFile, `${PASSWORD}\n`, { mode: 0o600 });
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const fromVariable = (variable: string) => ({ pin: { file: undefined, variable } });
const imported = (path: string, more = fromVariable('HOLDER_PIN')) => done(['vault', 'import', path], more);
const notImported = (path: string, more = fromVariable('HOLDER_PIN')) =>
  refused(['vault', 'import', path], more);

async function fileOf({ privateKey, certificate }: ReturnType<typeof anyPerson>): Promise<string> {
  const path = join(folder, `${randomUUID()}.p12`);
  writeFileSync(path, await writePkcs12({ privateKey, certificate }, PASSWORD, 1_000));
  return path;
}

describe('npm run admin -- vault', () => {
  test('imports a certificate file, lists it with its verdict, and removes it', async () => {
    const person = anyPerson();
    const { cpf, certificate } = person;
    const id = certificate.sha256.slice(0, 16);
    expect(await imported(await fileOf(person))).toContain(
      `for the CPF ${cpf}, as ${id}. Its password is the PIN.`,
    );
    expect(await vaultOf(cpf)).toMatchObject([{ cpf, sha256: certificate.sha256 }]);

    const until = new Date(certificate.notAfterMs).toISOString();
    expect(await done(['vault', 'list', cpf])).toMatch(
      new RegExp(`^${id}  .*${person.name}.*  until ${until}  not judged yet$`),
    );
    const { sha256, der } = certificate;
    const judged = { sha256, der, judgedAtMs: Date.UTC(2026, 10, 15), activeAtMs: null };
    await verdicts.put({ ...judged, status: 'STALE', reason: 'The list of X is out of reach.' });
    expect(await done(['vault', 'list', cpf])).toMatch(
      / {2}STALE, judged 2026-11-15T00:00:00\.000Z: The list of X is out of reach\.$/,
    );

    expect(await done(['vault', 'remove', cpf, id])).toBe(`Removed ${id} of ${cpf} from the vault.`);
    expect(await vaultOf(cpf)).toEqual([]);
    expect(await done(['vault', 'list', cpf])).toBe(`The vault has no certificate for ${cpf}.`);
  });

  test('has the session server judge what is imported, and judge it anew when asked', async () => {
    const person = anyPerson();
    const { cpf, certificate } = person;
    vi.stubEnv('Certificates__TrustAnchors', writePem('CERTIFICATE', anyPerson().certificate.der));
    await deliverRenewals();
    await imported(await fileOf(person));
    expect(await deliverRenewals()).toEqual([certificate.sha256]);
    expect(await done(['vault', 'list', cpf])).toMatch(/ {2}UNTRUSTED, judged \S+Z: The certificate of /);

    const { judgedAtMs } = (await verdicts.get(certificate.sha256)) ?? {};
    const judging = done(['vault', 'judge', cpf]);
    await expect.poll(deliverRenewals).toEqual([certificate.sha256]);
    expect(await judging).toMatch(/ {2}UNTRUSTED, judged /);
    expect((await verdicts.get(certificate.sha256))?.judgedAtMs).toBeGreaterThan(judgedAtMs ?? 0);
  });

  test('says so when nobody judges', async () => {
    const person = anyPerson();
    await imported(await fileOf(person));
    let nowMs = Date.now();
    const pause = async (ms: number) => {
      nowMs += ms;
    };
    await expect(judgeCertificates(person.cpf, { pause, now: () => nowMs })).rejects.toThrow(
      /were not judged within 40 s: the session server is not running/,
    );
    await deliverRenewals();
  });

  test('takes the password from a variable or a file; it is stored and printed nowhere, nor is one that is wrong', async () => {
    const [person, other] = [anyPerson(), anyPerson()];
    const file = { pin: { file: pinFile, variable: undefined } };
    const path = await fileOf(other);
    const said = [
      await imported(await fileOf(person)),
      await done(['vault', 'import', path], file),
      await done(['vault', 'list', person.cpf]),
      await notImported(path, fromVariable('WRONG_PIN')),
    ].join('\n');
    const table = await wholeTable();
    for (const { cpf } of [person, other]) expect(table).toContain(`CERTIFICATES#${cpf}`);
    for (const password of [PASSWORD, WRONG]) {
      const bytes = Buffer.from(password);
      for (const form of [password, bytes.toString('base64'), bytes.toString('hex')])
        expect([form, table.includes(form), said.includes(form)]).toEqual([form, false, false]);
    }
  });

  test('says no to a wrong password, and keeps nothing', async () => {
    const person = anyPerson();
    const path = await fileOf(person);
    expect(await notImported(path, fromVariable('WRONG_PIN'))).toMatch(
      new RegExp(`^${path}: .*password`, 'i'),
    );
    expect(await vaultOf(person.cpf)).toEqual([]);
  });

  test('says no to a file that is broken, none at all, too large or not there, and names it', async () => {
    const whole = readFileSync(await fileOf(anyPerson()));
    for (const [name, bytes] of [
      ['garbage.p12', Buffer.from('no certificate file')],
      ['empty.p12', Buffer.alloc(0)],
      ['cut-off.p12', whole.subarray(0, whole.length - 40)],
      ['large.p12', Buffer.alloc(300_000, whole)],
    ] as const) {
      const path = join(folder, name);
      writeFileSync(path, bytes);
      expect(await notImported(path)).toMatch(new RegExp(`^${path}: `));
    }
    expect(await notImported('/nowhere.p12')).toMatch(/^\/nowhere\.p12 cannot be read/);
  });

  test('says no to a certificate without a CPF', async () => {
    const nameless = testPki().holder({ commonName: 'NOBODY', fields: { email: 'a@example.com' } });
    expect(await notImported(await fileOf({ ...nameless, cpf: '', name: '' }))).toMatch(/names no CPF/);
  });

  test('says no to a CPF that is none, and to a certificate that is not the one', async () => {
    for (const cpf of ['52998224724', '529.982', ''])
      expect(await refused(['vault', 'list', cpf])).toBe(`"${cpf}" is no CPF: its check digits are wrong.`);
    for (const start of ['abcdef', ''])
      expect(await refused(['vault', 'remove', anyCpf(), start])).toMatch(/^Name one certificate of \d{11}/);
  });

  test('removes nothing where the first characters are those of two', async () => {
    const person = anyPerson();
    await imported(await fileOf(person));
    const [held] = await vaultOf(person.cpf);
    if (!held) throw new Error('It was not imported.');
    const { vault } = await import('../../../functions/session/domain/vault/vault.ts');
    await vault.put({ ...held, sha256: `${held.sha256.slice(0, 10)}${'0'.repeat(54)}` });
    await refused(['vault', 'remove', person.cpf, held.sha256.slice(0, 8)]);
    expect(await vaultOf(person.cpf)).toHaveLength(2);
  });
});

describe('npm run admin -- audit show', () => {
  const today = () => new Date().toISOString().slice(0, 10);
  const by = { caller: { application: 'acme', keyId: 'k1' }, correlationId: 'c-1' };

  test('prints a line for each thing that was done and each document that was not signed, of one holder where a CPF is given', async () => {
    const [cpf, other] = [anyCpf(), anyCpf()];
    // At noon: midnight may pass on the way.
    const day = today();
    let nowMs = Date.parse(`${day}T12:00:00Z`);
    const now = () => nowMs++;
    await audit({ ...by, operation: 'session.create', cpf }, now, async () => undefined);
    await audit({ ...by, operation: 'signature.create', cpf: other }, now, async () => undefined);
    await audit({ ...by, operation: 'signature.batch', cpf }, now, async ({ noteOutcome: note }) => {
      note({ signatureId: 'd1', outcome: 'ok' });
      note({ signatureId: 'd2', outcome: 'WORKSTATION_OFFLINE', reason: 'It went away.' });
      note({ signatureId: null, outcome: 'UNSUPPORTED_DOCUMENT' });
    });
    const lines = (await done(['audit', 'show', day], { cpf })).split('\n');
    expect(lines[0]).toMatch(new RegExp(`^\\S+Z  session\\.create  ${cpf}  ok  acme/k1  c-1$`));
    expect(lines[1]).toMatch(
      /signature\.batch {2}\d{11} {2}WORKSTATION_OFFLINE {2}acme\/k1 {2}c-1 {2}d1 d2$/,
    );
    expect(lines.slice(2)).toEqual([
      '  not signed: d2  WORKSTATION_OFFLINE  It went away.',
      '  not signed: never sent  UNSUPPORTED_DOCUMENT',
    ]);
    expect(await done(['audit', 'show', day])).toContain(other);
  });

  test('says that nothing is on record, and of whom', async () => {
    const cpf = anyCpf();
    expect(await done(['audit', 'show', '2001-01-01'])).toBe('Nothing is on record for 2001-01-01.');
    const day = today();
    expect(await done(['audit', 'show', day], { cpf })).toBe(`Nothing is on record for ${cpf} on ${day}.`);
  });

  test.each(['yesterday', '2026-02-30', '2026-13-01', '26-1-1'])('says that %s is no day', async (day) => {
    expect(await refused(['audit', 'show', day])).toBe(`"${day}" is no day: write it as 2026-11-15.`);
  });

  test('says that a CPF is none, instead of finding nothing of it', async () => {
    expect(await refused(['audit', 'show', today()], { cpf: '52998224724' })).toMatch(/is no CPF/);
  });
});

describe('as a process, with options as an operator writes them', () => {
  const admin = command('cli/admin/admin.ts', { env: { ...process.env, HOLDER_PIN: PASSWORD } });

  test('the vault takes a file, and the audit trail is that of one holder', async () => {
    const person = anyPerson();
    const path = await fileOf(person);
    const today = new Date().toISOString().slice(0, 10);
    const [taken, shown, wrong] = await Promise.all([
      admin('vault', 'import', path, '--pin-env', 'HOLDER_PIN'),
      admin('audit', 'show', today, '--cpf', person.cpf),
      admin('audit', 'show', today, '--cpf', 'nobody'),
    ]);
    expect(taken).toMatchObject({ code: 0, error: '', out: expect.stringContaining(person.cpf) });
    expect(shown).toEqual({
      code: 0,
      error: '',
      out: `Nothing is on record for ${person.cpf} on ${today}.`,
    });
    expect(wrong).toEqual({ code: 1, out: '', error: '"nobody" is no CPF: its check digits are wrong.' });
  });
});
