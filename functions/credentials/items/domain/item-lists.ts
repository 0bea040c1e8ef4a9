import type { Stored } from '../../../../shared/store/collection.ts';
import { containsText, entryContainsText } from '../../../../shared/store/lists/contains-text.ts';
import type { ListedEntry } from '../../../../shared/store/lists/entries.ts';
import { type Entry, numberedList } from '../../../../shared/store/lists/numbered-list.ts';
import { searchList, TooManyEntries } from '../../../../shared/store/lists/search.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import { type Item, items } from './item.ts';
import { KINDS, type KindName } from './kinds.ts';
import { problemsOf } from './problems.ts';

/** Whose list an item is on: its organization's, or its institute's. */
const ownerOf = ({ kind, organizationId, instituteId }: Item): string =>
  KINDS[kind].owner === 'organization' ? organizationId : instituteId;

/** The items of one kind and owner, newest first; all, or those of one view: a state, or PROBLEM. */
export const itemList = (kind: KindName, ownerId: string, view?: string) =>
  numberedList({ service: 'credentials', name: `${kind}/${ownerId}`, ...(view && { views: [view] }) });

/** The view of items with a problem. It is the name of no state. */
const PROBLEM = 'problem';

const COURSE = 'course:';
const TEXT = 'text:';

// By what is recorded in the item, and not by its present problems: an entry is taken away only where it was added.
const entryOf = ({ id, createdAtMs, state, hasProblem, searchable: { course, text } }: Item): Entry => ({
  id,
  atMs: createdAtMs,
  views: hasProblem ? [state, PROBLEM] : [state],
  facts: [`${COURSE}${course ?? ''}`, `${TEXT}${text}`],
});

/** The changes of its list for an item that is created (no before), changed, or deleted (no after). */
export function changingList(before: Item | undefined, after: Item | undefined): Write[] {
  const item = after ?? before;
  if (!item) return [];
  return itemList(item.kind, ownerOf(item)).changing(before && entryOf(before), after && entryOf(after));
}

/**
 * A changed item and its place in its list, for a commit.
 * @example const { after, writes } = changingListed(item, { files });
 */
export function changingListed<Data extends object>(item: Stored<Item<Data>>, patch: Partial<Item<Data>>) {
  const hasProblem = problemsOf({ ...item, ...patch }).length > 0;
  const change = items.changing(item, { ...patch, hasProblem });
  const after = change.after as Stored<Item<Data>>;
  return { after, writes: [change, ...changingList(item, after)] };
}

export type ListRequest = {
  readonly page: number;
  readonly pageSize: number;
  readonly status?: string | undefined;
  /** Only items that need somebody. */
  readonly problem?: boolean | undefined;
  /** The course by its name. */
  readonly course?: string | undefined;
  /** A part of what the item is searched by. */
  readonly text?: string | undefined;
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
};

// Every entry of the range is read to count the matches: 100,000 are some 50 MB.
const MAX_SEARCHED = 100_000;

/**
 * A page of items, newest first, and how many there are. The cost of a page does not depend on its number. A filter by
 * course or text reads every entry of the range, and is refused where there are too many.
 */
export async function listItems(
  kind: KindName,
  ownerId: string,
  { page, pageSize, status, fromMs, untilMs, problem = false, course, text }: ListRequest,
  maxEntries = MAX_SEARCHED,
): Promise<{ readonly items: readonly Item[]; readonly totalCount: number }> {
  const list = itemList(kind, ownerId, problem ? PROBLEM : status);
  // The view of problems has those of all states.
  const filter: Filter = { course, text, status: problem ? status : undefined };
  const range = { page, pageSize, fromMs, untilMs };
  const { ids, total } = isFiltered(filter)
    ? await searchList(
        {
          list,
          entryMatches: (entry) => entryMatches(filter, entry),
          readMatching: matchingOf(kind, filter),
        },
        { ...range, maxEntries },
      ).catch((error: unknown) => {
        throw error instanceof TooManyEntries ? errors.refuse('SearchTooWide', { maxEntries }) : error;
      })
    : await list.page(range);
  const found = await items.getMany(ids.map((id) => ({ kind, id })));
  // One that has moved on since its entry was read is not of that status any more.
  return {
    items: status === undefined ? found : found.filter(({ state }) => state === status),
    totalCount: total,
  };
}

type Filter = Pick<ListRequest, 'course' | 'text' | 'status'>;

const isFiltered = (filter: Filter): boolean => Object.values(filter).some((value) => value !== undefined);

function entryMatches({ course, text, status }: Filter, entry: ListedEntry): boolean | undefined {
  const told = entry.facts.find((fact) => fact.startsWith(COURSE));
  if (course !== undefined && told === undefined) return undefined;
  if (course !== undefined && told !== `${COURSE}${course}`) return false;
  if (status !== undefined) return undefined;
  if (text === undefined) return true;
  const texts = entry.facts.filter((fact) => fact.startsWith(TEXT)).map((fact) => fact.slice(TEXT.length));
  return entryContainsText(text, { ...entry, facts: texts });
}

const matchingOf =
  (kind: KindName, { course, text, status }: Filter) =>
  async (ids: readonly string[]): Promise<string[]> =>
    (await items.getMany(ids.map((id) => ({ kind, id }))))
      .filter(
        ({ searchable, state }) =>
          (status === undefined || state === status) &&
          (course === undefined || searchable.course === course) &&
          (text === undefined || containsText(text, [searchable.text])),
      )
      .map(({ id }) => id);
