import type { numberedList } from '../../../../shared/store/lists/numbered-list.ts';
import { errors } from '../../errors.ts';

export type PageRequest = {
  readonly limit: number;
  /** The page, from 0. */
  readonly offset: number;
  readonly order: 'Asc' | 'Desc';
  readonly cursor?: string | undefined;
};

export type ListPage<T> = {
  readonly items: T[];
  readonly totalCount: number | null;
  readonly nextCursor: string | null;
};

type Item = { readonly id: string; readonly createdAtMs: number };
type Source<T> = {
  readonly list: ReturnType<typeof numberedList>;
  /** Reads those that exist, in the order of the ids. */
  readonly read: (ids: readonly string[]) => Promise<T[]>;
  /** Keeps only the items that match. */
  readonly matches?: ((item: T) => boolean) | undefined;
};

// About one second of reading, and a dozen requests to the store.
const MAX_WALKED = 1_000;
const READ_AT_ONCE = 100;

/**
 * A page of a numbered list. A page by number costs the same anywhere in the list. With `matches` the list is walked,
 * at most 1,000 items a call, and `nextCursor` continues from there.
 */
export function listPage<T extends Item>(source: Source<T>, request: PageRequest): Promise<ListPage<T>> {
  return source.matches || request.cursor !== undefined
    ? walkPage(source, request)
    : readNumberedPage(source, request);
}

async function readNumberedPage<T extends Item>(
  { list, read }: Source<T>,
  request: PageRequest,
): Promise<ListPage<T>> {
  const { limit, offset, order } = request;
  const passed = offset * limit;
  const { ids, total } = order === 'Desc' ? await list.slice({ offset: passed, limit }) : await fromOldest();
  const items = await read(ids);
  const last = items.at(-1);
  const more = last !== undefined && passed + limit < total;
  return {
    items,
    totalCount: total,
    nextCursor: more ? cursorOf(0, list.placeOf(last.id, last.createdAtMs)) : null,
  };

  // Lists are numbered from the newest: the page is the same distance from the other end.
  async function fromOldest() {
    const { total } = await list.slice({ offset: 0, limit: 0 });
    const end = total - passed;
    const start = Math.max(0, end - limit);
    const found = end > 0 ? await list.slice({ offset: start, limit: end - start }) : { ids: [] };
    return { ids: found.ids.toReversed(), total };
  }
}

async function walkPage<T extends Item>(source: Source<T>, request: PageRequest): Promise<ListPage<T>> {
  const { list, read, matches = () => true } = source;
  const start = request.cursor === undefined ? undefined : readCursor(request.cursor);
  let skip = start?.skip ?? request.offset * request.limit;
  let after = start?.place;
  const items: T[] = [];
  let matchCount = 0;
  for (let looked = 0; looked < MAX_WALKED; looked += READ_AT_ONCE) {
    const entries = await list.walk({ after, limit: READ_AT_ONCE, oldestFirst: request.order === 'Asc' });
    const found = new Map((await read(entries.map(({ id }) => id))).map((item) => [item.id, item]));
    for (const { id, place } of entries) {
      const item = found.get(id);
      const isMatch = item !== undefined && matches(item);
      // The page is full and there is one more: the next page begins with it.
      if (isMatch && items.length === request.limit)
        return { items, totalCount: await totalOf(source), nextCursor: cursorOf(0, after ?? '') };
      after = place;
      if (!isMatch) continue;
      if (skip === 0) items.push(item);
      else skip -= 1;
      matchCount += 1;
    }
    if (entries.length < READ_AT_ONCE) {
      const totalCount = source.matches && start === undefined ? matchCount : await totalOf(source);
      return { items, totalCount, nextCursor: null };
    }
  }
  return { items, totalCount: await totalOf(source), nextCursor: cursorOf(skip, after ?? '') };
}

/** The number of all items; null for a search, which does not count them. */
const totalOf = async <T>({ list, matches }: Source<T>): Promise<number | null> =>
  matches ? null : (await list.slice({ offset: 0, limit: 0 })).total;

// The matches still to skip before the requested page begins, and the last place read.
const CURSOR = /^(\d{1,9})@(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[\w-]{1,64})$/;

const cursorOf = (skip: number, place: string): string =>
  Buffer.from(`${skip}@${place}`).toString('base64url');

function readCursor(cursor: string): { skip: number; place: string } {
  const [, skip, place] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (skip !== undefined && place !== undefined) return { skip: Number(skip), place };
  const reason = 'is not a cursor of this list';
  throw errors.refuse('InvalidRequest', { field: 'cursor', reason }, { status: 400 });
}

/** Whether one of the texts contains this one, ignoring case and accents. @example containsText('acao', ['Ação nº 7']) */
export function containsText(searched: string, texts: readonly (string | null)[]): boolean {
  const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const part = plain(searched);
  return texts.some((text) => text !== null && plain(text).includes(part));
}
