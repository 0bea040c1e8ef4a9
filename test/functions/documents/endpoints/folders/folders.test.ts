import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_DEPTH } from '../../../../../functions/documents/domain/places/create-folder.ts';
import { handler as createFolder } from '../../../../../functions/documents/endpoints/folders/create-folder.ts';
import { handler as getDetails } from '../../../../../functions/documents/endpoints/folders/get-folder-details.ts';
import { handler as listFolders } from '../../../../../functions/documents/endpoints/folders/list-folders.ts';
import { GUEST_KEY } from '../../../../../functions/sandbox/sandbox-data.ts';
import { seedSandbox } from '../../../../../infra/local/seed/seed.ts';
import { createApplication, issueKey } from '../../../../../shared/access/administration.ts';
import { call } from '../../../../requests/http-event.ts';
import { ownOrganization } from '../../own-organization.ts';
import { someDocuments } from '../../sample-documents.ts';

type Folder = { readonly id: string; readonly name: string; readonly parentId: string | null };
type Page = {
  readonly items: Folder[];
  readonly totalCount: number;
  readonly nextCursor: string | null;
};

let orgId: string;
let key: string;
beforeAll(seedSandbox);
beforeEach(async () => {
  ({ orgId, key } = await ownOrganization());
});

const post = (json: unknown, by = key) => call(createFolder, { json, headers: { 'X-API-Key': by } });
const made = async (name: string, parentId: string | null = null, by = key): Promise<Folder> =>
  (await post({ name, parentId }, by)).json() as Folder;
const list = async (query: Record<string, string> = {}, by = key): Promise<Page> =>
  (await call(listFolders, { query, headers: { 'X-API-Key': by } })).json() as Page;
const namesOf = ({ items }: Page): string[] => items.map(({ name }) => name);
const detailsOf = (id: string, by = key) =>
  call(getDetails, { params: { id }, headers: { 'X-API-Key': by } });

describe('POST /api/folders', () => {
  test('makes a folder at the root of the organization, and answers it', async () => {
    const { status, json } = await post({ name: ' Contratos ', parentId: null });
    expect(status).toBe(200);
    expect(json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Contratos',
      parentId: null,
      organizationId: orgId,
      creationDate: expect.stringMatching(/Z$/),
    });
  });

  test('makes one in another, and with no parentId at all at the root', async () => {
    const outer = await made('Outer');
    expect(await made('Inner', outer.id)).toMatchObject({ parentId: outer.id });
    expect((await post({ name: 'Alone' })).json()).toMatchObject({ parentId: null });
  });

  test('refuses a parent that is not there, or is of another organization, with FolderNotFound', async () => {
    const other = await ownOrganization();
    const theirs = await made('Theirs', null, other.key);
    for (const parentId of [randomUUID(), theirs.id]) {
      const { status, json } = await post({ name: 'x', parentId });
      expect(status).toBe(404);
      expect(json()).toMatchObject({ code: 'FolderNotFound', resourceName: 'Folder', resourceId: parentId });
    }
  });

  test(`refuses a folder deeper than ${MAX_DEPTH} with FolderTooDeep`, async () => {
    let parentId: string | null = null;
    for (let depth = 1; depth <= MAX_DEPTH; depth++) parentId = (await made(`${depth}`, parentId)).id;
    const { status, json } = await post({ name: 'too deep', parentId });
    expect(status).toBe(422);
    expect(json()).toMatchObject({ code: 'FolderTooDeep', details: { limit: String(MAX_DEPTH) } });
  });

  test.each([
    [{}],
    [{ name: '  ' }],
    [{ name: 'x'.repeat(201) }],
    [{ name: 'a\u0000b' }],
    [{ name: 'a\nb' }],
  ])('answers 400 naming the name to %j', async (body) => {
    const { status, json } = await post(body);
    expect(status).toBe(400);
    expect(json()).toMatchObject({ code: 'InvalidRequest', details: { field: 'name' } });
  });

  test('refuses a key that is scoped to no organization', async () => {
    expect((await post({ name: 'x' }, GUEST_KEY)).json()).toMatchObject({ code: 'OrganizationRequired' });
  });
});

describe('GET /api/folders', () => {
  test('answers all folders of the organization, newest first, with how many there are', async () => {
    const outer = await made('Outer');
    await made('Inner', outer.id);
    const page = await list();
    expect(namesOf(page)).toEqual(['Inner', 'Outer']);
    expect([page.totalCount, page.nextCursor]).toEqual([2, null]);
  });

  test('answers those at the root for filterByParent with no parentId, and those in a folder for its id', async () => {
    const outer = await made('Outer');
    await made('Inner', outer.id);
    expect(namesOf(await list({ filterByParent: 'true' }))).toEqual(['Outer']);
    expect(namesOf(await list({ filterByParent: 'true', parentId: outer.id }))).toEqual(['Inner']);
    expect(namesOf(await list({ parentId: outer.id }))).toEqual(['Inner']);
    expect(namesOf(await list({ filterByParent: 'false', parentId: outer.id }))).toEqual(['Inner', 'Outer']);
  });

  test('pages by number from 0, in both orders, and takes names in any case', async () => {
    for (const name of ['1', '2', '3', '4', '5']) await made(name);
    expect(namesOf(await list({ Limit: '2', Offset: '1' }))).toEqual(['3', '2']);
    expect(namesOf(await list({ LIMIT: '2', offset: '1', Order: 'Asc' }))).toEqual(['3', '4']);
    expect(namesOf(await list({ limit: '2', offset: '2', order: 'Asc' }))).toEqual(['5']);
    expect(await list({ limit: '2', offset: '9' })).toEqual({ items: [], totalCount: 5, nextCursor: null });
  });

  test('goes on from nextCursor, which keeps its place while others come', async () => {
    for (const name of ['1', '2', '3']) await made(name);
    const first = await list({ limit: '2' });
    await made('4');
    const second = await list({ limit: '2', cursor: first.nextCursor ?? '' });
    expect([namesOf(first), namesOf(second)]).toEqual([['3', '2'], ['1']]);
    expect([second.totalCount, second.nextCursor]).toEqual([4, null]);
  });

  test('finds by a part of the name, whatever its case and accents', async () => {
    for (const name of ['Procurações', 'Contratos', 'PROCURACOES 2027']) await made(name);
    expect(namesOf(await list({ q: 'procuraçõ' }))).toEqual(['PROCURACOES 2027', 'Procurações']);
    expect((await list({ q: 'nothing' })).totalCount).toBe(0);
  });

  test('answers another organization of the key by its id, and none outside its scope', async () => {
    const [one, two] = [await ownOrganization(), await ownOrganization()];
    const name = randomUUID();
    const registered = { organizations: [one.orgId, two.orgId] };
    await createApplication('documents', { name, permissions: [], registered });
    const { text: both } = await issueKey('documents', name);
    const theirs = await made('Two', null, two.key);
    expect(namesOf(await list({}, both))).toEqual([]);
    expect(namesOf(await list({ organizationId: two.orgId }, both))).toEqual(['Two']);
    expect(await list({ organizationId: orgId }, both)).toMatchObject({ code: 'OrganizationNotFound' });
    expect(await list({ organizationId: one.orgId, parentId: theirs.id }, both)).toMatchObject({
      code: 'FolderNotFound',
    });
  });

  test.each([
    ['limit', '0'],
    ['limit', '101'],
    ['offset', '-1'],
    ['order', 'Up'],
    ['filterByParent', 'perhaps'],
    ['cursor', 'none-of-ours'],
  ])('answers 400 naming %s to %s', async (field, value) => {
    const { status, json } = await call(listFolders, {
      query: { [field]: value },
      headers: { 'X-API-Key': key },
    });
    expect(status).toBe(400);
    expect(json()).toMatchObject({ code: 'InvalidRequest', details: { field } });
  });

  test('says which values there are to one that is none of them', async () => {
    const query = { order: 'desc' };
    const { status, json } = await call(listFolders, { query, headers: { 'X-API-Key': key } });
    expect([status, json()]).toMatchObject([
      400,
      { details: { reason: expect.stringContaining('"Asc"|"Desc"') } },
    ]);
  });

  test('takes a parameter left empty as one not given', async () => {
    await made('One');
    expect(namesOf(await list({ Q: '', ParentId: '', Limit: '', FilterByParent: '' }))).toEqual(['One']);
  });
});

describe('GET /api/folders/{id}/details', () => {
  test('answers the folder, the way to it and how many documents are right in it', async () => {
    const outer = await made('Outer');
    const middle = await made('Middle', outer.id);
    const inner = await made('Inner', middle.id);
    await someDocuments(orgId, { folderId: inner.id, names: ['a.bin', 'b.bin'] });
    const { status, json } = await detailsOf(inner.id);
    expect(status).toBe(200);
    expect(json()).toEqual({
      ...inner,
      parents: [
        { id: outer.id, name: 'Outer' },
        { id: middle.id, name: 'Middle' },
      ],
      documentCount: 2,
    });
    expect((await detailsOf(outer.id)).json()).toMatchObject({ parents: [], documentCount: 0 });
  });

  test('answers 404 naming the folder to a key of another organization', async () => {
    const { id } = await made('Ours');
    const other = await ownOrganization();
    const { status, json } = await detailsOf(id, other.key);
    expect(status).toBe(404);
    expect(json()).toMatchObject({ code: 'FolderNotFound', resourceName: 'Folder', resourceId: id });
  });
});
