import { afterEach, describe, expect, test, vi } from 'vitest';
import { changeDegree } from '../../../../functions/credentials/degrees/domain/change-degree.ts';
import { handler as list } from '../../../../functions/credentials/degrees/endpoints/list-degrees.ts';
import { itemList, listItems } from '../../../../functions/credentials/items/domain/item-lists.ts';
import { organizations } from '../../../../functions/credentials/tenants/domain/organization.ts';
import { issueKey, registerValue } from '../../../../shared/access/administration.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { countCalls } from '../../../measure/calls.ts';
import { call } from '../../../requests/http-event.ts';
import { aDegree, signed } from './own-items.ts';
import { keyOf, ownTenant } from './own-tenant.ts';

type Page = {
  items: { id: string; studentName: string; status: string }[];
  page: number;
  pageSize: number;
  totalCount: number;
};

const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(2026, 0, 1, 12);

/** One degree a day from the first of January on. */
const NAMES = ['João Ninguém', 'Maria da Silva', 'Zoë Ångström', 'JOAO Batista', 'Ana Conceição'];

const tenant = await ownTenant();
const headers = await keyOf(tenant);
for (const [day, studentName] of NAMES.entries()) {
  const course = day < 2 ? 'Direito' : 'Ciência da Computação';
  const degree = await aDegree(tenant, { studentName, course }, FIRST_DAY_MS + day * DAY_MS);
  if (day % 2 === 0) await signed(degree);
  if (day === 4)
    await changeDegree(
      tenant.caller,
      degree.id,
      { event: 'canceledTemporarily', reason: 'Review' },
      Date.now(),
    );
}
afterEach(() => void vi.restoreAllMocks());

const ask = (query: Record<string, string>) => call(list, { headers, query });
const get = async (query: Record<string, string> = {}) => (await ask(query)).json() as Page;
const namesOf = ({ items }: Page) => items.map(({ studentName }) => studentName);
const NEWEST_FIRST = NAMES.toReversed();

describe('the list of degrees', () => {
  test('has all of the organization, newest first, 50 on a page', async () => {
    const page = await get();
    expect(page).toMatchObject({ page: 1, pageSize: 50, totalCount: 5 });
    expect(namesOf(page)).toEqual(NEWEST_FIRST);
  });

  test('is cut into pages; beyond the last is an empty one', async () => {
    const pages = await Promise.all(['1', '2', '3', '4'].map((page) => get({ page, pageSize: '2' })));
    expect(pages.map(namesOf)).toEqual([
      NEWEST_FIRST.slice(0, 2),
      NEWEST_FIRST.slice(2, 4),
      NEWEST_FIRST.slice(4),
      [],
    ]);
    expect(pages.map(({ page, totalCount }) => [page, totalCount])).toEqual([
      [1, 5],
      [2, 5],
      [3, 5],
      [4, 5],
    ]);
  });

  test('has the degrees of a status', async () => {
    expect(namesOf(await get({ status: 'Created' }))).toEqual([NAMES[3], NAMES[1]]);
    expect(namesOf(await get({ status: 'Concluded' }))).toEqual([NAMES[2], NAMES[0]]);
    expect(await get({ status: 'CanceledTemporarily' })).toMatchObject({
      items: [{ studentName: NAMES[4], status: 'CanceledTemporarily' }],
      totalCount: 1,
    });
    expect(await get({ status: 'Canceled' })).toMatchObject({ items: [], totalCount: 0 });
    // None of them needs somebody.
    expect(await get({ problem: 'true' })).toMatchObject({ items: [], totalCount: 0 });
    expect(await get({ problem: 'false' })).toMatchObject({ totalCount: 5 });
  });

  test('has the degrees of a course, by its whole name', async () => {
    expect(namesOf(await get({ course: 'Direito' }))).toEqual([NAMES[1], NAMES[0]]);
    expect(await get({ course: 'Ciência da Computação', status: 'Concluded' })).toMatchObject({
      totalCount: 1,
    });
    expect(await get({ course: 'Dire' })).toMatchObject({ items: [], totalCount: 0 });
  });

  test('finds a text in names, CPF and codes, whatever its case and accents', async () => {
    for (const text of ['joao', 'JOÃO', 'João'.normalize('NFD')])
      expect([text, namesOf(await get({ text }))]).toEqual([text, [NAMES[3], NAMES[0]]]);
    expect(namesOf(await get({ text: 'conceicao' }))).toEqual([NAMES[4]]);
    expect(namesOf(await get({ text: 'ångström' }))).toEqual([NAMES[2]]);
    expect((await get({ text: '52998224725' })).totalCount).toBe(5);
    const [first] = (await get({ pageSize: '1' })).items as { verificationCode?: string }[];
    expect((await get({ text: String(first?.verificationCode) })).totalCount).toBe(1);
    expect(namesOf(await get({ text: 'joao', course: 'Direito', status: 'Concluded' }))).toEqual([NAMES[0]]);
    expect(namesOf(await get({ text: 'a', page: '2', pageSize: '1' }))).toHaveLength(1);
  });

  test('finds texts and courses that are longer than an entry of the list has room for', async () => {
    const own = await ownTenant();
    const studentName = `${'á'.repeat(480)} no fim`;
    const course = `${'ç'.repeat(490)} A`;
    const { id } = await aDegree(own, { studentName, course });
    await aDegree(own, { studentName: `${'á'.repeat(480)} outro`, course: `${'ç'.repeat(490)} B` });
    const find = async (filter: { text?: string; course?: string }) => {
      const { items, totalCount } = await listItems('degree', own.organizationId, {
        page: 1,
        pageSize: 9,
        ...filter,
      });
      return [items.map((item) => item.id), totalCount];
    };
    expect(await find({ text: 'aaa no FIM' })).toEqual([[id], 1]);
    expect(await find({ course })).toEqual([[id], 1]);
    expect(await find({ course, text: 'outro' })).toEqual([[], 0]);
  });

  test('has the degrees of a time, both ends included; a date is a whole day', async () => {
    expect(namesOf(await get({ from: '2026-01-02', to: '2026-01-03' }))).toEqual([NAMES[2], NAMES[1]]);
    expect(namesOf(await get({ from: '2026-01-05T12:00:00.000Z' }))).toEqual([NAMES[4]]);
    expect(namesOf(await get({ from: '2026-01-05T12:00:00.001Z' }))).toEqual([]);
    expect(namesOf(await get({ to: '2026-01-01T12:00:00.000Z' }))).toEqual([NAMES[0]]);
    expect(namesOf(await get({ to: '2026-01-01T09:00:00-03:00' }))).toEqual([NAMES[0]]);
    expect(await get({ from: '2026-01-02', to: '2026-01-04', course: 'Direito' })).toMatchObject({
      totalCount: 1,
    });
    expect(await get({ from: '2026-01-02', status: 'Concluded' })).toMatchObject({ totalCount: 1 });
  });

  test.each<[string, Record<string, string>]>([
    ['page 0', { page: '0' }],
    ['a page that is no number', { page: 'first' }],
    ['a page of none', { pageSize: '0' }],
    ['a page of more than 200', { pageSize: '201' }],
    ['an unknown status', { status: 'Done' }],
    ['a status of another kind', { status: 'Registered' }],
    ['a time of no clock', { from: '2026-01-01T25:00:00' }],
    ['an end before the beginning', { from: '2026-01-02', to: '2026-01-01' }],
    ['an empty text', { text: ' ' }],
    ['a problem that is neither true nor false', { problem: 'some' }],
  ])('refuses %s', async (_, query) => {
    const answer = await ask(query);
    expect([answer.status, answer.json()]).toMatchObject([422, { code: 'InvalidFields' }]);
  });

  test('takes 200 on a page', async () => {
    expect(await get({ pageSize: '200' })).toMatchObject({ pageSize: 200, totalCount: 5 });
  });

  test('is of an organization of the key; any other does not exist', async () => {
    const other = await ownTenant();
    for (const subscriptionId of [other.organizationId, 'nobody']) {
      const answer = await ask({ subscriptionId });
      expect([answer.status, answer.json()]).toMatchObject([
        404,
        {
          code: 'SubscriptionNotFound',
          details: { resourceName: 'Subscription', resourceId: subscriptionId },
        },
      ]);
    }
    await registerValue('credentials', tenant.organizationId, 'organizations', other.organizationId);
    const wide = { 'X-API-Key': (await issueKey('credentials', tenant.organizationId)).text };
    await aDegree(other, { studentName: 'Of the other' });
    const of = async (query: Record<string, string>) =>
      namesOf((await call(list, { headers: wide, query })).json() as Page);
    expect(await of({ subscriptionId: other.organizationId })).toEqual(['Of the other']);
    expect(await of({})).toEqual(NEWEST_FIRST);
  });

  test('refuses a text filter that would read too much, and no other filter', async () => {
    const { organizationId } = tenant;
    const paging = { page: 1, pageSize: 50 };
    await expect(listItems('degree', organizationId, { ...paging, text: 'joao' }, 4)).rejects.toMatchObject({
      code: 'SearchTooWide',
      details: { maxEntries: 4 },
    });
    const narrowed = { ...paging, text: 'joao', untilMs: FIRST_DAY_MS + 1 };
    expect((await listItems('degree', organizationId, narrowed, 4)).totalCount).toBe(1);
    expect((await listItems('degree', organizationId, paging, 4)).totalCount).toBe(5);
  });
});

// Entries without items: what a page costs does not depend on what the items are.
async function listOf(size: number): Promise<string> {
  const id = `list-of-${size}-${crypto.randomUUID()}`;
  await organizations.create({ id, name: 'Large', kinds: ['Emissora'], createdAtMs: 1 });
  const entries = itemList('degree', id);
  const AT_ONCE = 30;
  for (let from = 0; from < size; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, size - from) }, (_, n) => from + n);
    const atMs = (n: number) => FIRST_DAY_MS + n * 600_000;
    await commit(
      some.flatMap((n) =>
        entries.changing(undefined, { id: `${n}`, atMs: atMs(n), views: ['Created'], facts: [] }),
      ),
    );
  }
  await entries.fold();
  return id;
}

test('every page costs the same, whatever its number and the size of the list', async () => {
  // One commit in 32 folds a ledger. These do not.
  vi.spyOn(Math, 'random').mockReturnValue(0.9);
  const costs: [size: number, page: number, status: string | undefined, calls: number][] = [];
  for (const size of [90, 1_200]) {
    const organizationId = await listOf(size);
    for (const status of [undefined, 'Created'])
      for (const page of [1, 2, Math.ceil(size / 40), size / 10]) {
        const read = () => listItems('degree', organizationId, { page, pageSize: 10, status });
        costs.push([size, page, status, (await countCalls(read)).total]);
        expect((await read()).totalCount).toBe(size);
      }
  }
  expect(costs.filter(([, , , calls]) => calls > 7)).toEqual([]);
});
