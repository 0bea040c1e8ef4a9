import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { institutes, organizations } from '../../../functions/credentials/tenants/domain/organization.ts';
import { applications } from '../../../shared/access/applications.ts';
import { adminDone as done, adminRefused as refused } from './in-process.ts';

const CREDENTIALS = ['--service', 'credentials'] as const;

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
const created = async (name: string, ...more: string[]): Promise<string> =>
  firstLine(await done('organizations', 'create', name, ...more, ...CREDENTIALS));
const ANA = '1=529.982.247-25,ana@example.com,Ana Souza';
const BRUNO = '2=47363361886,bruno@example.com,Bruno Lima, reitor';

describe('npm run admin -- organizations --service credentials', () => {
  test('makes one of either kind or of both, prints its id on the first line, and lists it', async () => {
    const [issuer, both] = await Promise.all([
      created('Emite', '--kind', 'Emissora'),
      created('Ambas', '--kind', 'Registradora', '--kind', 'Emissora'),
    ]);
    expect(await organizations.get(issuer)).toMatchObject({ name: 'Emite', kinds: ['Emissora'] });
    const list = await done('organizations', 'list', ...CREDENTIALS);
    expect(list).toContain(`${both}  Ambas: Emissora, Registradora`);
  });

  test('has members, and keeps the last Administrador', async () => {
    const id = await created('Com pessoas', '--kind', 'Emissora');
    const members = (...words: string[]) => done('organizations', 'members', ...words, ...CREDENTIALS);
    await members('add', id, 'Maria@Example.com', 'Administrador', 'Maria', '--cpf', '529.982.247-25');
    await members('add', id, 'joao@example.com', 'Reader', 'João');
    await members('role', id, 'joao@example.com', 'Registrar');
    expect(await members(id)).toBe(
      'maria@example.com  Administrador  Maria; CPF 52998224725\njoao@example.com  Registrar  João',
    );
    const remove = ['organizations', 'members', 'remove', id];
    expect(await refused(...remove, 'maria@example.com', ...CREDENTIALS)).toContain('no Administrador');
    await members('remove', id, 'joao@example.com');
    const role = ['organizations', 'members', 'role', id, 'maria@example.com', 'Owner'];
    expect(await refused(...role, ...CREDENTIALS)).toBe(
      '"Owner" is no role: Administrador, Registrar or Reader.',
    );
  });

  test.each([
    ['no kind', ['create', 'A'], /^Say what it does: --kind Emissora, --kind Registradora, or both\.$/],
    ['another kind', ['create', 'A', '--kind', 'emissora'], /^Say what it does/],
    ['no name', ['create', ' ', '--kind', 'Emissora'], /^An organization needs a name, without/],
    ['a deletion', ['delete', randomUUID()], /^An organization of the credentials service is not deleted/],
  ])('says no to %s in one line, with exit code 1', async (_, words, complaint) => {
    expect(await refused('organizations', ...words, ...CREDENTIALS)).toMatch(complaint);
  });
});

describe('npm run admin -- institutes', () => {
  test('makes one of an organization, names who signs for it, and shows no CPF', async () => {
    const organization = await created('Universidade', '--kind', 'Emissora');
    const made = ['institutes', 'create', 'Instituto', '--organization', organization, '--emec', '1234'];
    const said = await done(...made);
    const id = firstLine(said);
    expect(said).toContain(`institutes signers ${id} --signer`);
    expect(await done('institutes', 'list', '--organization', organization)).toBe(
      `${id}  Instituto: e-MEC 1234; organization ${organization}; nobody signs`,
    );
    await done('institutes', 'signers', id, '--signer', ANA, '--signer', BRUNO);
    expect((await institutes.get(id))?.signers).toEqual([
      { name: 'Ana Souza', cpf: '52998224725', email: 'ana@example.com', step: 1 },
      { name: 'Bruno Lima, reitor', cpf: '47363361886', email: 'bruno@example.com', step: 2 },
    ]);
    // Of this one alone: other tests seed the sandbox, whose people have their CPF in their names.
    const list = await done('institutes', 'list', '--organization', organization);
    expect(list).toContain('signed by 1. Ana Souza ***.982.247-**, 2. Bruno Lima, reitor ***.633.618-**');
    expect(list).not.toContain('52998224725');
  });

  test('makes one with its signers at once', async () => {
    const organization = await created('Universidade', '--kind', 'Registradora');
    const options = ['--organization', organization, '--emec', '567', '--signer', ANA];
    const id = firstLine(await done('institutes', 'create', 'Instituto', ...options));
    expect(await institutes.get(id)).toMatchObject({ emecCode: '567', signers: [{ name: 'Ana Souza' }] });
  });

  test.each([
    ['no organization', ['create', 'A', '--emec', '1'], /^Say whose it is: --organization ID\.$/],
    [
      'an organization that is not there',
      ['create', 'A', '--emec', '1', '--organization', randomUUID()],
      /^There is no organization "/,
    ],
    ['no e-MEC code', ['create', 'A', '--organization', randomUUID()], /^Give its code at e-MEC/],
    ['a code of letters', ['create', 'A', '--organization', 'a', '--emec', '12a'], /^Give its code at e-MEC/],
    ['no name', ['create', ' ', '--organization', 'a', '--emec', '1'], /^An institute needs a name, without/],
    [
      'an institute that is not there',
      ['signers', randomUUID(), '--signer', ANA],
      /^There is no institute "/,
    ],
    ['no signer', ['signers', randomUUID()], /^Name who signs: --signer/],
    ['one named twice', ['signers', 'a', '--signer', ANA, '--signer', ANA], /^Ana Souza is named twice/],
    [
      'a CPF that is none',
      ['signers', 'a', '--signer', '1=1,a@b.co,A'],
      /^"1=1,a@b\.co,A" is not a signer\./,
    ],
    ['an address that is none', ['signers', 'a', '--signer', '1=52998224725,a,A'], /is not a signer\./],
    ['a signer without a name', ['signers', 'a', '--signer', '1=52998224725,a@b.co,'], /is not a signer\./],
    ['an invisible name', ['create', 'A\u202E', '--organization', 'a', '--emec', '1'], /^An institute needs/],
    ['a step 0', ['signers', 'a', '--signer', '0=52998224725,a@b.co,A'], /is not a signer\./],
  ])('says no to %s in one line, with exit code 1', async (_, words, complaint) => {
    expect(await refused('institutes', ...words)).toMatch(complaint);
  });
});

describe('an application of the credentials service', () => {
  test('is scoped to organizations that are there, and has its permission only when it is named', async () => {
    const name = randomUUID();
    const [id] = await Promise.all([
      created('Acme', '--kind', 'Emissora'),
      done('apps', 'create', name, ...CREDENTIALS),
    ]);
    await done('apps', 'register', name, 'organizations', id, ...CREDENTIALS);
    expect(await refused('apps', 'register', name, 'organizations', randomUUID(), ...CREDENTIALS)).toMatch(
      /^There is no organization "/,
    );
    expect(await applications('credentials').get(name)).toMatchObject({
      permissions: [],
      registered: { organizations: [id] },
    });
    await done('apps', 'permit', name, 'Administrador', ...CREDENTIALS);
    expect((await applications('credentials').get(name))?.permissions).toEqual(['Administrador']);
    expect(await refused('apps', 'permit', name, 'admin', ...CREDENTIALS)).toBe(
      'The credentials service has no permission "admin". It has one: Administrador.',
    );
  });
});
