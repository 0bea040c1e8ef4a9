import { describe, expect, test } from 'vitest';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { listing } from '../../../../../functions/documents/domain/document/document-lists.ts';
import { createFolder } from '../../../../../functions/documents/domain/places/create-folder.ts';
import { handler } from '../../../../../functions/documents/endpoints/documents/list-documents.ts';
import { handler as move } from '../../../../../functions/documents/endpoints/documents/move-document.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { call } from '../../../../requests/http-event.ts';
import { requestsOf } from '../../../../shared/store/requests.ts';
import { ownOrganization } from '../../own-organization.ts';
import { APPROVER, callerFor, manyLike, SIGNER, someDocuments } from '../../sample-documents.ts';

type Page = {
  readonly items: { readonly id: string; readonly name: string }[];
  readonly totalCount: number;
  readonly nextCursor: string | null;
};

const { orgId, key } = await ownOrganization();
const headers = { 'X-API-Key': key };
const askFor =
  (by: string) =>
  async (query: Record<string, string>): Promise<Page> => {
    const answer = await call(handler, { query, headers: { 'X-API-Key': by } });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.json() as Page;
  };
const list = askFor(key);
const namesOf = ({ items }: Page): string[] => items.map(({ name }) => name).toSorted();

const { id: folderId } = await createFolder(callerFor(orgId), { name: 'Pasta', parentId: null }, Date.now());
const rui = {
  name: 'Rui Ação',
  identifier: '47363361886',
  email: 'rui@example.com',
  phone: '+55 11 5555-0100',
};
const [ana = ''] = await someDocuments(orgId, {
  names: ['ana.bin'],
  tags: [{ value: 'Urgente' }, { label: 'ano', value: '2026' }],
});
const [ofRui = ''] = await someDocuments(orgId, {
  names: ['rui.bin'],
  flowActions: [{ ...SIGNER, user: rui }],
  tags: ['urgente', { label: 'ano', value: '2025' }],
  folderId,
});
await someDocuments(orgId, { names: ['bia.bin'], flowActions: [APPROVER] });
const code = (await documentItems.get(ana))?.code ?? '';

const ALL = ['ana.bin', 'bia.bin', 'rui.bin'];

describe('the filters that clients send find', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['documents without a folder', { FolderType: 'WithoutFolder' }, ['ana.bin', 'bia.bin']],
    ['documents in a folder or none', { FolderType: 'Normal' }, ALL],
    [
      'a participant by a part of the name',
      { ParticipantQ: 'acao', ParticipantQueryType: 'Name' },
      ['rui.bin'],
    ],
    [
      'a participant by CPF',
      { ParticipantQ: '473.633.618-86', ParticipantQueryType: 'Identifier' },
      ['rui.bin'],
    ],
    ['a participant by address', { ParticipantQ: 'BIA@', ParticipantQueryType: 'Email' }, ['bia.bin']],
    [
      'a participant by telephone',
      { ParticipantQ: '1155550100', ParticipantQueryType: 'Phone' },
      ['rui.bin'],
    ],
    ['a participant by anything', { ParticipantQ: 'rui@' }, ['rui.bin']],
    ['no participant by what is a name of the file', { ParticipantQ: '.bin' }, []],
    ['a name, and no participant', { Q: 'rui', QueryType: 'Name' }, ['rui.bin']],
    ['no name by what is a participant', { Q: 'ação', QueryType: 'Name' }, []],
    ['what names its application', { Q: 'test', QueryType: 'CreatorName' }, ALL],
    ['a part of a tag', { Q: '202', QueryType: 'Tag' }, ['ana.bin', 'rui.bin']],
    ['a document by its id', { Q: ofRui, QueryType: 'Id' }, ['rui.bin']],
    ['a document by its code', { Q: code.toLowerCase(), QueryType: 'Key' }, ['ana.bin']],
    ['no document by an id in another status', { Q: ana, QueryType: 'Id', Status: 'Concluded' }, []],
    ['no document by an id in another folder', { Q: ana, QueryType: 'Id', FolderId: folderId }, []],
    ['nothing by what is no code', { Q: 'x', QueryType: 'Key' }, []],
    ['a tag by its value or label', { Tags: 'urgente' }, ['ana.bin', 'rui.bin']],
    ['a tag by label and value', { Tags: 'ano|2026' }, ['ana.bin']],
    ['all tags that are named', { Tags: 'urgente,ano|2025' }, ['rui.bin']],
    ['no tag by a part of it', { Tags: 'urgent' }, []],
    ['filters together', { Tags: 'urgente', FolderType: 'WithoutFolder', Q: 'ana' }, ['ana.bin']],
    ['what waits for a signature', { FilterByPendingSignature: 'true' }, ['ana.bin', 'rui.bin']],
    ['nothing of a type', { FilterByDocumentType: 'true', DocumentType: 'Deed' }, []],
    ['everything where no type is asked for', { FilterByDocumentType: 'false', DocumentType: 'Deed' }, ALL],
    ['everything without a type', { FilterByDocumentType: 'true' }, ALL],
    ['nothing that is deleted', { IsDeleted: 'true' }, []],
    ['nothing that is shared', { OrganizationType: 'SharedWithMe' }, []],
    ['nothing personal of a company', { OrganizationType: 'Personal' }, []],
  ])('%s', async (_, query, names) => {
    const page = await list(query);
    expect([namesOf(page), page.totalCount]).toEqual([names, names.length]);
  });

  test('a document at the root after it was moved there', async () => {
    const query = { FolderType: 'WithoutFolder', Q: 'rui' };
    await call(move, { headers, params: { id: ofRui }, json: { folderId: null } });
    expect(namesOf(await list(query))).toEqual(['rui.bin']);
    await call(move, { headers, params: { id: ofRui }, json: { folderId } });
    expect(namesOf(await list(query))).toEqual([]);
  });

  test.each([
    ['QueryType', 'Colour'],
    ['FolderType', 'Deep'],
    ['ParticipantQueryType', 'Age'],
  ])('nothing for an unknown %s, which is refused', async (name, value) => {
    expect((await call(handler, { headers, query: { [name]: value } })).status).toBe(400);
  });
});

describe('in a long list', async () => {
  const COUNT = 1_500;
  const long = await ownOrganization();
  const [first = ''] = await someDocuments(long.orgId, { names: ['many.bin'], tags: ['a'] });
  await manyLike(first, COUNT - 1, (n) =>
    n % 3 === 0 ? { tags: [{ label: 'b', value: 'x', color: null }] } : {},
  );
  const listLong = askFor(long.key);
  const readsOnce = async (query: Record<string, string>): Promise<number> =>
    Object.values(await requestsOf(() => listLong(query))).reduce((sum, count) => sum + count, 0);
  // Twice: what is cached for some seconds may be read again in between.
  const readsOf = async (query: Record<string, string>): Promise<number> =>
    Math.min(await readsOnce(query), await readsOnce(query));

  test.each<[string, Record<string, string>]>([
    ['all', {}],
    ['a status', { Status: 'Pending' }],
  ])('a page of %s costs the same wherever it is, by its number', async (_, query) => {
    const [near, far] = [
      await readsOf({ ...query, limit: '5', offset: '0' }),
      await readsOf({ ...query, limit: '5', offset: '200' }),
    ];
    // Far from both ends the counts of the way are read: two requests.
    expect(far - near).toBeLessThanOrEqual(2);
  });

  test.each<[string, Record<string, string>]>([
    ['tags', { Tags: 'b|x' }],
    ['participants', { ParticipantQ: 'Ana', ParticipantQueryType: 'Name', Tags: 'b|x' }],
    ['a folder type', { FolderType: 'WithoutFolder', Q: 'many', Tags: 'x' }],
  ])(
    'a page by %s costs the same wherever it is, and reads no document but those of its page',
    async (_, query) => {
      const reads: number[] = [];
      const found: string[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < 3; page++) {
        const asked: Record<string, string> = { ...query, limit: '50', ...(cursor && { cursor }) };
        reads.push(await readsOf(asked));
        const { items, nextCursor } = await listLong(asked);
        found.push(...items.map(({ id }) => id));
        cursor = nextCursor;
      }
      expect([found.length, new Set(found).size]).toEqual([150, 150]);
      expect(Math.max(...reads) / Math.min(...reads)).toBeLessThanOrEqual(1.3);
      expect(Math.max(...reads)).toBeLessThanOrEqual(10);
    },
  );

  test('a search that is paged by number alone is full to its last page, and costs the same at each', async () => {
    const found: string[] = [];
    const reads: number[] = [];
    for (let page = 0; page < 10; page++) {
      const asked = { Tags: 'b|x', limit: '50', offset: String(page) };
      reads.push(await readsOf(asked));
      const { items, totalCount } = await listLong(asked);
      found.push(...items.map(({ id }) => id));
      expect(items).toHaveLength(50);
      expect(totalCount).toBeGreaterThanOrEqual(found.length);
    }
    expect(new Set(found).size).toBe(500);
    // The last pages have less left to count.
    expect(Math.max(...reads) / Math.min(...reads.slice(0, 3))).toBeLessThanOrEqual(1.3);
    expect((await listLong({ Tags: 'b|x', limit: '50', offset: '10' })).items).toEqual([]);
  });

  test('a search that is paged by number sees what is new once its first page is read again', async () => {
    const asked = (offset: number) => listLong({ Q: 'many', limit: '2', offset: String(offset) });
    const [one, two] = [await asked(0), await asked(1)];
    const [added = ''] = await manyLike(first, 1, () => ({ createdAtMs: Date.now() + 60_000 }));
    const [again, next] = [await asked(0), await asked(1)];
    const idsOf = ({ items }: Page) => items.map(({ id }) => id);
    expect([...idsOf(again), ...idsOf(next)]).toEqual([added, ...idsOf(one), ...idsOf(two)].slice(0, 4));
  });
});

test('entries that are older than the kinds of facts are judged by their documents', async () => {
  const old = await ownOrganization();
  const [id = ''] = await someDocuments(old.orgId, { names: ['velho.bin'], tags: ['b'] });
  const document = await documentItems.get(id);
  if (!document) throw new Error('The document does not exist.');
  const entries = listing(undefined, document).flatMap((write) =>
    'item' in write && write.item.Put ? [write] : [],
  );
  for (const { item, refusal } of entries) {
    const { ConditionExpression: _, ...put } = item.Put ?? { TableName: '', Item: {} };
    const untyped = { ...put, Item: { ...put.Item, facts: { L: [{ S: 'velho.bin' }] } } };
    await commit([{ item: { Put: untyped }, refusal }]);
  }
  const listOld = askFor(old.key);
  expect(namesOf(await listOld({ Tags: 'b', Q: 'velho' }))).toEqual(['velho.bin']);
  expect(namesOf(await listOld({ Tags: 'c' }))).toEqual([]);
});
