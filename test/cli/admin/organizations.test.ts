import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { organizations } from '../../../functions/documents/domain/places/organization.ts';
import { createApplication } from '../../../shared/access/administration.ts';
import { applications } from '../../../shared/access/applications.ts';
import { admin, adminDone } from './in-process.ts';

const DOCUMENTS = ['--service', 'documents'] as const;

const done = (...words: string[]): Promise<string> => adminDone(...words, ...DOCUMENTS);

const created = async (name: string, ...more: string[]): Promise<string> =>
  (await done('organizations', 'create', name, '--owner', 'maria=Maria da Silva', ...more)).split('\n')[0] ??
  '';

describe('npm run admin -- organizations', () => {
  test('makes one with a CNPJ or a personal one, and prints its id on the first line', async () => {
    const [company, personal] = await Promise.all([
      created('Acme', '--identifier', '12.ABC.345/01DE-35'),
      created('Maria'),
    ]);
    const owner = { id: 'maria', name: 'Maria da Silva' };
    expect(await organizations.get(company)).toMatchObject({
      name: 'Acme',
      identifier: '12ABC34501DE35',
      owner,
    });
    expect(await organizations.get(personal)).toMatchObject({
      name: 'Maria',
      identifier: null,
      state: 'Active',
    });
  });

  test('lists them, and deletes one with all it holds', async () => {
    const id = await created('Short-lived');
    expect(await done('organizations', 'list')).toContain(
      `${id}  Short-lived: personal; owner Maria da Silva`,
    );
    expect(await done('organizations', 'delete', id)).toMatch(new RegExp(`^Deleted ${id}: no key sees it`));
    expect(await organizations.get(id)).toMatchObject({ state: 'Deleting' });
    expect(await done('organizations', 'list')).toContain(`${id}  (Deleting) Short-lived`);
  });

  test('has members added, changed and removed, and keeps the last owner', async () => {
    const id = await created('With members', '--identifier', '12.ABC.345/01DE-35');
    const members = (...words: string[]) => done('organizations', 'members', ...words);
    expect(await members(id)).toBe('It has no members.');
    await members('add', id, 'Maria@Example.com', 'Owner', 'Maria da Silva', '--cpf', '529.982.247-25');
    await members('add', id, 'joao@example.com', 'Reader', 'João');
    await members('role', id, 'joao@example.com', 'Manager');
    expect(await members(id)).toBe(
      'maria@example.com  Owner  Maria da Silva; CPF 52998224725\njoao@example.com  Manager  João',
    );
    const { code, error } = await admin(
      'organizations',
      'members',
      'remove',
      id,
      'maria@example.com',
      ...DOCUMENTS,
    );
    expect([code, error]).toEqual([1, expect.stringContaining('would have no owner')]);
    await members('remove', id, 'joao@example.com');
    expect(await members(id)).not.toContain('joao');
    const wrong = await admin('organizations', 'members', 'add', id, 'ana', 'God', 'Ana', ...DOCUMENTS);
    expect([wrong.code, wrong.error]).toEqual([1, expect.stringContaining('email')]);
  });

  test.each([
    ['an organization that is not there', ['delete', randomUUID()], /^There is no organization "/],
    ['a CNPJ that is none', ['create', 'A', '--owner', 'a=A', '--identifier', '1'], /^"1" is not a CNPJ\.$/],
    ['no owner', ['create', 'A'], /^Say who owns it: --owner ID=NAME/],
    ['no name', ['create', ' ', '--owner', 'a=A'], /^An organization needs a name\.$/],
  ])('says no to %s in one line, with exit code 1', async (_, words, complaint) => {
    const { code, out, error } = await admin('organizations', ...words, ...DOCUMENTS);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toMatch(complaint);
  });

  test('says no to a service that has none', async () => {
    const { code, error } = await admin('organizations', 'list', '--service', 'hub');
    const complaint = 'The hub service has no organizations. Name --service documents or credentials.';
    expect([code, error]).toEqual([1, complaint]);
  });
});

describe('npm run admin -- apps register', () => {
  test('takes an organization that is there, and refuses any other in one line', async () => {
    const name = randomUUID();
    const [id] = await Promise.all([created('Acme'), done('apps', 'create', name)]);
    await done('apps', 'register', name, 'organizations', id);
    const wrong = await admin('apps', 'register', name, 'organizations', randomUUID(), ...DOCUMENTS);
    expect([wrong.code, wrong.error]).toEqual([1, expect.stringMatching(/^There is no organization "/)]);
    expect((await applications('documents').get(name))?.registered).toEqual({ organizations: [id] });
  });
});

describe('npm run admin -- apps permit', () => {
  test('gives a permission to an application that is there, and forbid takes it back', async () => {
    const name = randomUUID();
    const permissionsOf = async () => (await applications('documents').get(name))?.permissions;
    await createApplication('documents', { name, permissions: [] });
    expect(await done('apps', 'permit', name, 'admin')).toBe(
      `${name} has the permission admin in documents.`,
    );
    expect(await permissionsOf()).toEqual(['admin']);
    await done('apps', 'forbid', name, 'admin');
    expect(await permissionsOf()).toEqual([]);
    const again = await admin('apps', 'forbid', name, 'admin', ...DOCUMENTS);
    expect([again.code, again.error]).toEqual([1, expect.stringContaining('has no permission "admin"')]);
  });

  test('refuses one that the document platform never asks for', async () => {
    const { code, error } = await admin('apps', 'permit', 'acme', 'Admin', ...DOCUMENTS);
    expect([code, error]).toEqual([1, 'The documents service has no permission "Admin". It has one: admin.']);
  });
});

describe('npm run admin -- apps create', () => {
  test('gives no permission over every organization unless it is named', async () => {
    const [plain, granted] = [randomUUID(), randomUUID()];
    await Promise.all([
      done('apps', 'create', plain),
      done('apps', 'create', granted, '--permission', 'admin'),
    ]);
    const permissionsOf = async (name: string) => (await applications('documents').get(name))?.permissions;
    expect([await permissionsOf(plain), await permissionsOf(granted)]).toEqual([[], ['admin']]);
  });
});
