import type { numberedList } from '../../../../shared/store/lists/numbered-list.ts';
import { errors } from '../../errors.ts';

export type Asked = {
  readonly limit: number;
  /** The page, from 0. */
  readonly offset: number;
  readonly order: 'Asc' | 'Desc';
  readonly cursor?: string | undefined;
};

export type Listed<T> = {
  readonly items: T[];
  readonly totalCount: number | null;
  readonly nextCursor: string | null;
};

type Item = { readonly id: string; readonly createdAtMs: number };
type Source<T> = {
  readonly list: ReturnType<typeof numberedList>;
  /** Those that are there, in the order asked for. */
  readonly read: (ids: readonly string[]) => Promise<T[]>;
  /** Only those that hold. */
  readonly matches?: ((item: T) => boolean) | undefined;
};

// About what a search reads in a second, and a dozen requests to the store.
const LOOKED_AT = 1_000;
const READ_AT_ONCE = 100;

/**
 * A page of a numbered list. By page number it costs the same anywhere; with `matches` the list is walked, at most
 * 1,000 items a call, and `nextCursor` goes on from there.
 */
export function listPage<T extends Item>(source: Source<T>, asked: Asked): Promise<Listed<T>> {
  return source.matches || asked.cursor !== undefined ? walked(source, asked) : numbered(source, asked);
}

async function numbered<T extends Item>({ list, read }: Source<T>, asked: Asked): Promise<Listed<T>> {
  const { limit, offset, order } = asked;
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

  // Lists are counted from the newest: the page stands as far from the other end.
  async function fromOldest() {
    const { total } = await list.slice({ offset: 0, limit: 0 });
    const end = total - passed;
    const start = Math.max(0, end - limit);
    const found = end > 0 ? await list.slice({ offset: start, limit: end - start }) : { ids: [] };
    return { ids: found.ids.toReversed(), total };
  }
}

async function walked<T extends Item>(source: Source<T>, asked: Asked): Promise<Listed<T>> {
  const { list, read, matches = () => true } = source;
  const start = asked.cursor === undefined ? undefined : readCursor(asked.cursor);
  let skip = start?.skip ?? asked.offset * asked.limit;
  let after = start?.place;
  const items: T[] = [];
  let passedBy = 0;
  for (let looked = 0; looked < LOOKED_AT; looked += READ_AT_ONCE) {
    const entries = await list.walk({ after, limit: READ_AT_ONCE, oldestFirst: asked.order === 'Asc' });
    const found = new Map((await read(entries.map(({ id }) => id))).map((item) => [item.id, item]));
    for (const { id, place } of entries) {
      const item = found.get(id);
      const holds = item !== undefined && matches(item);
      // Full, and there is one more: the next page begins with it.
      if (holds && items.length === asked.limit)
        return { items, totalCount: await known(source), nextCursor: cursorOf(0, after ?? '') };
      after = place;
      if (!holds) continue;
      if (skip === 0) items.push(item);
      else skip -= 1;
      passedBy += 1;
    }
    if (entries.length < READ_AT_ONCE) {
      const totalCount = source.matches && start === undefined ? passedBy : await known(source);
      return { items, totalCount, nextCursor: null };
    }
  }
  return { items, totalCount: await known(source), nextCursor: cursorOf(skip, after ?? '') };
}

/** How many there are in all, where no search decides that. */
const known = async <T>({ list, matches }: Source<T>): Promise<number | null> =>
  matches ? null : (await list.slice({ offset: 0, limit: 0 })).total;

// What is still to be passed by before the page asked for begins, and the last place looked at.
const CURSOR = /^(\d{1,9})@(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[\w-]{1,64})$/;

const cursorOf = (skip: number, place: string): string =>
  Buffer.from(`${skip}@${place}`).toString('base64url');

function readCursor(cursor: string): { skip: number; place: string } {
  const [, skip, place] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (skip !== undefined && place !== undefined) return { skip: Number(skip), place };
  const reason = 'is none that this list gave';
  throw errors.refuse('InvalidRequest', { field: 'cursor', reason }, { status: 400 });
}

/** Whether one of the texts holds the other, whatever the case and the accents. @example holds('acao', ['Ação nº 7']) */
export function holds(wanted: string, texts: readonly (string | null)[]): boolean {
  const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const part = plain(wanted);
  return texts.some((text) => text !== null && plain(text).includes(part));
}
