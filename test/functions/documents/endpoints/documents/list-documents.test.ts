import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createVersion } from '../../../../../functions/documents/domain/creating/create-version.ts';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { cancelDocument } from '../../../../../functions/documents/domain/ending/end-document.ts';
import { createFolder } from '../../../../../functions/documents/domain/places/create-folder.ts';
import { refuseDocument } from '../../../../../functions/documents/domain/signing/approve-or-refuse.ts';
import { handler } from '../../../../../functions/documents/endpoints/documents/list-documents.ts';
import { createApplication, issueKey } from '../../../../../shared/access/administration.ts';
import { call } from '../../../../requests/http-event.ts';
import { requestsOf } from '../../../../shared/store/requests.ts';
import { ownOrganization } from '../../own-organization.ts';
import { APPROVER, anUpload, callerFor, manyLike, SIGNER, someDocuments } from '../../sample-documents.ts';

type Item = { readonly id: string; readonly name: string; readonly status: string };
type Page = {
  readonly items: Item[];
  readonly totalCount: number;
  readonly nextCursor: string | null;
};

let orgId: string;
let key: string;
beforeEach(async () => {
  ({ orgId, key } = await ownOrganization());
});

const ask = (query: Record<string, string> = {}, by = key) =>
  call(handler, { query, headers: { 'X-API-Key': by } });
const list = async (query?: Record<string, string>): Promise<Page> => (await ask(query)).json() as Page;
const namesOf = ({ items }: Page): string[] => items.map(({ name }) => name);
const named = (...names: string[]) => someDocuments(orgId, { names });
const folder = async (name: string): Promise<string> =>
  (await createFolder(callerFor(orgId), { name, parentId: null }, Date.now())).id;

describe('GET /api/documents', () => {
  test('refuses a filter that is given twice in different cases, and takes the same one twice', async () => {
    const twice = (Status: string, status: string) => ask({ Status, status });
    expect((await twice('Pending', 'Concluded')).status).toBe(400);
    expect((await ask({ limit: '1', Limit: '2' })).status).toBe(400);
    expect((await twice('Pending', 'Pending')).status).toBe(200);
    expect((await twice('Pending', '')).status).toBe(200);
  });

  test('answers the documents of the organization as lists show them, newest first', async () => {
    const folderId = await folder('Contratos');
    const [id] = await someDocuments(orgId, { names: ['a.bin'], folderId, description: 'Um', tags: ['x'] });
    await someDocuments(orgId, { names: ['b.bin'], nowMs: Date.now() + 5 });
    const { status, json } = await ask();
    const page = json() as Page;
    expect(status).toBe(200);
    expect([page.totalCount, page.nextCursor]).toEqual([2, null]);
    expect(namesOf(page)).toEqual(['b.bin', 'a.bin']);
    expect(page.items[1]).toMatchObject({
      id,
      filename: 'a.bin',
      fileSize: 100,
      mimeType: 'application/octet-stream',
      status: 'Pending',
      isConcluded: false,
      hasSignature: false,
      folder: { id: folderId, name: 'Contratos', parentId: null, organizationName: 'Own' },
      description: 'Um',
      tags: [{ label: 'x', value: null, color: null }],
      flowActions: [{ type: 'Signer', status: 'Pending', user: { name: 'Ana Prado' } }],
    });
    expect(page.items[0]).toMatchObject({ folder: null });
  });

  test('answers those of one folder, and none of another organization', async () => {
    const folderId = await folder('Contratos');
    await someDocuments(orgId, { names: ['in.bin'], folderId });
    await named('out.bin');
    expect(namesOf(await list({ FolderId: folderId }))).toEqual(['in.bin']);
    const other = await ownOrganization();
    expect((await ask({ folderId }, other.key)).json()).toMatchObject({ code: 'FolderNotFound' });
    expect((await ask({ organizationId: orgId }, other.key)).json()).toMatchObject({
      code: 'OrganizationNotFound',
    });
    expect((await ask({}, other.key)).json()).toEqual({ items: [], totalCount: 0, nextCursor: null });
  });

  test('answers those of one status, of a folder too, and every filter of the contract', async () => {
    const folderId = await folder('Contratos');
    const [, canceled = '', refused = ''] = await someDocuments(orgId, {
      names: ['pending.bin', 'canceled.bin', 'refused.bin'],
      folderId,
    });
    await cancelDocument(callerFor(orgId), canceled, 'x', Date.now());
    await refuseDocument(
      callerFor(orgId),
      refused,
      { reason: 'x', flowActionId: null, identifier: null, emailAddress: null },
      Date.now(),
    );
    const found = async (status: string, more = {}) => namesOf(await list({ status, ...more })).sort();
    expect(await found('Pending')).toEqual(['pending.bin']);
    expect(await found('Refused')).toEqual(['refused.bin']);
    expect(await found('PendingOrRefused')).toEqual(['pending.bin', 'refused.bin']);
    expect(await found('Canceled', { folderId })).toEqual(['canceled.bin']);
    expect(await found('CanceledOrExpired')).toEqual(['canceled.bin']);
    expect(await found('Expired')).toEqual([]);
    expect(await found('Concluded')).toEqual([]);
  });

  test('pages by number from 0, in both orders, with 20 a page by default', async () => {
    const [sample = ''] = await named('0');
    await manyLike(sample, 24, (n) => ({ name: `${n + 1}` }));
    const first = await list();
    expect(namesOf(first)).toEqual(Array.from({ length: 20 }, (_, n) => `${24 - n}`));
    expect(first.totalCount).toBe(25);
    expect(namesOf(await list({ Offset: '1' }))).toEqual(['4', '3', '2', '1', '0']);
    expect(namesOf(await list({ Offset: '2', Limit: '3', Order: 'Asc' }))).toEqual(['6', '7', '8']);
    expect(namesOf(await list({ Offset: '8', Limit: '3', Order: 'Asc' }))).toEqual(['24']);
    expect(await list({ offset: '9999999', limit: '100' })).toMatchObject({ items: [], totalCount: 25 });
  });

  test.each(['Asc', 'Desc'])('is read through by nextCursor whole and once, %s', async (order) => {
    const [sample = ''] = await named('0');
    await manyLike(sample, 11, (n) => ({ name: `${n + 1}` }));
    const searches: Record<string, string>[] = [{}, { q: '1' }];
    for (const search of searches) {
      const expected = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11'].filter(
        (name) => !('q' in search) || name.includes('1'),
      );
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Page = await list({ limit: '2', order, ...search, ...(cursor && { cursor }) });
        seen.push(...namesOf(page));
        cursor = page.nextCursor;
      } while (cursor);
      expect(seen).toEqual(order === 'Asc' ? expected : expected.toReversed());
    }
  });

  test('costs the same at any page: as many requests to the store at the last as at the first', async () => {
    const [sample = ''] = await named('0');
    await manyLike(sample, 40);
    await list({ limit: '5' }); // the process knows the key and the organization
    const first = await requestsOf(() => list({ limit: '5' }));
    const last = await requestsOf(() => list({ limit: '5', offset: '7' }));
    expect(last).toEqual(first);
  });
});

describe('a search in GET /api/documents', () => {
  test('finds by the name, the file name and those who take part, whatever the case and accents', async () => {
    await named('Procuração.bin');
    await someDocuments(orgId, { names: ['b.bin'], flowActions: [APPROVER] });
    expect(namesOf(await list({ Q: 'PROCURACAO' }))).toEqual(['Procuração.bin']);
    expect(namesOf(await list({ q: 'bia@EXAMPLE' }))).toEqual(['b.bin']);
    expect(namesOf(await list({ q: 'ana prado' }))).toEqual(['Procuração.bin']);
    expect(namesOf(await list({ q: '52998224725' }))).toEqual(['Procuração.bin']);
    expect(await list({ q: 'nobody' })).toEqual({ items: [], totalCount: 0, nextCursor: null });
  });

  test('finds the last of more people than an entry has room for, and a new name', async () => {
    const people = Array.from({ length: 40 }, (_, n) => ({
      name: `Person ${n} ${'x'.repeat(30)}`,
      email: `p${n}@example.com`,
    }));
    const flowActions = people.map((user) => ({ type: 'Approver', user }));
    const [id = ''] = await someDocuments(orgId, { names: ['many.bin'], flowActions });
    await named('other.bin');
    expect(namesOf(await list({ q: 'p39@example.com' }))).toEqual(['many.bin']);
    expect((await list({ q: 'p40@example.com' })).totalCount).toBe(0);
    const file = {
      id: await anUpload(orgId, 'v2.bin'),
      displayName: 'Aditivo',
      name: null,
      contentType: null,
    };
    await createVersion(callerFor(orgId), id, { file, additionalInfo: null }, Date.now());
    expect(namesOf(await list({ q: 'aditivo' }))).toEqual(['Aditivo']);
    expect(namesOf(await list({ q: 'many' }))).toEqual([]);
  });

  test('reads entries, and of the documents those of its page', async () => {
    const [sample = ''] = await named('first.bin');
    await manyLike(sample, 30, (n) => ({ name: `copy ${n}` }));
    await list({ limit: '1' }); // the process knows the key and the organization
    const plain = await requestsOf(() => list({ limit: '1' }));
    const search = await requestsOf(async () => {
      expect(namesOf(await list({ q: 'copy 7' }))).toEqual(['copy 7']);
    });
    // The counts are not read: a search that came to its end counted itself.
    expect(search).toEqual({ ...plain, Query: 2 });
  });

  test('answers those that wait for a signature now', async () => {
    const second = { ...SIGNER, step: 2 };
    await someDocuments(orgId, { names: ['approve-first.bin'], flowActions: [APPROVER, second] });
    await someDocuments(orgId, { names: ['sign.bin'], flowActions: [SIGNER, { ...APPROVER, step: 2 }] });
    const [canceled = ''] = await named('canceled.bin');
    await cancelDocument(callerFor(orgId), canceled, 'x', Date.now());
    expect(namesOf(await list({ FilterByPendingSignature: 'True' }))).toEqual(['sign.bin']);
    expect(namesOf(await list({ filterByPendingSignature: 'true', status: 'Canceled' }))).toEqual([]);
    expect((await list({ filterByPendingSignature: 'false' })).totalCount).toBe(3);
  });

  test('answers by IsConcluded, which narrows a status that is asked for beside it', async () => {
    const [pending = ''] = await named('pending.bin');
    await manyLike(pending, 1, () => ({ name: 'concluded.bin', state: 'Concluded' }));
    await manyLike(pending, 1, () => ({ name: 'refused.bin', state: 'Refused' }));
    expect(namesOf(await list({ IsConcluded: 'true' }))).toEqual(['concluded.bin']);
    expect(namesOf(await list({ IsConcluded: 'false' }))).toEqual(['pending.bin']);
    expect(namesOf(await list({ IsConcluded: 'true', Status: 'Refused' }))).toEqual([]);
  });

  test('says how many there are, on every page', async () => {
    await named('a.bin', 'b.bin', 'c.bin');
    expect((await list({ q: 'bin', limit: '3' })).totalCount).toBe(3);
    expect((await list({ q: 'bin', limit: '2' })).totalCount).toBe(3);
    expect((await list({ q: 'bin', limit: '2', offset: '1' })).totalCount).toBe(3);
    expect(namesOf(await list({ q: 'bin', limit: '2', offset: '1' }))).toHaveLength(1);
  });
});

describe('GET /api/documents refuses', () => {
  test.each([
    ['status', 'Lost'],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '1.5'],
    ['offset', '-1'],
    ['order', 'asc'],
    ['cursor', 'bm9uZQ'],
    ['filterByPendingSignature', 'perhaps'],
  ])('%s=%s with 400, naming it', async (field, value) => {
    const { status, json } = await ask({ [field]: value });
    expect([status, json()]).toMatchObject([400, { code: 'InvalidRequest', details: { field } }]);
  });

  test('a cursor that was made up, and lets it lead nowhere outside the list', async () => {
    const { id } = (await documentItems.get((await named('a.bin'))[0] ?? '')) ?? { id: '' };
    const forged = Buffer.from(`0@9999-01-01T00:00:00.000Z#${id}`).toString('base64url');
    expect(namesOf(await list({ cursor: forged }))).toEqual(['a.bin']);
    const broken = Buffer.from('0@2026-01-01#x').toString('base64url');
    expect((await ask({ cursor: broken })).status).toBe(400);
  });

  test('a key that is scoped to no organization, and one that is none', async () => {
    const name = randomUUID();
    await createApplication('documents', { name, permissions: [] });
    const { text: unscoped } = await issueKey('documents', name);
    expect((await ask({}, unscoped)).json()).toMatchObject({ code: 'OrganizationRequired' });
    expect((await ask({}, 'no|key')).status).toBe(401);
  });
});
