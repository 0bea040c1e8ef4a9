import * as z from 'zod';
import type { Deadline } from '../async/deadline.ts';
import { FetchFailed } from '../net/errors.ts';
import { call, type Platform, requireShape } from './call.ts';
import { PlatformUnreachable } from './errors.ts';
import { type PendingDocument, PendingShape, type Tag } from './shapes.ts';

// The platform's list filters by status and by a text; that of a tag it does not look at. So documents are asked for by
// their name or signer, newest first, and compared by tag here. A page may be short and still have a successor.

const Item = z.object({
  id: z.string(),
  tags: z.array(z.object({ label: z.string().nullish(), value: z.string().nullish() })).nullish(),
  creationDate: z.string().nullish(),
});
type Item = z.output<typeof Item>;

/** The document of a tag. */
export type TagSearch = {
  readonly tag: Tag;
  /** Narrows the list, which is searched by names and participants: a part of its name, or the CPF of a signer. */
  readonly text: string;
  /** When it was created at the earliest: the search ends with documents that are older. */
  readonly begunAtMs?: number | undefined;
};

const SEARCH_PAGE = 50;
// A document has up to about a hundred actions.
const FOLDER_PAGE = 25;

// A signer has few pending documents.
const MAX_PENDING_PAGES = 20;
// For the audit trail alone: a document that is not pending waits for nobody.
const MAX_RECENT_PAGES = 5;
// The clocks of the platform and of this server may differ by so much.
const CLOCK_MARGIN_MS = 60_000;

/** The calls that look for documents. */
export const searchCalls = (platform: Platform) => ({
  /** The pending documents with a tag: none, or the one whose id was lost. */
  async findByTag(searched: TagSearch, deadline: Deadline): Promise<readonly string[]> {
    let pages = 0;
    const query = { status: 'Pending', q: searched.text, limit: SEARCH_PAGE };
    for await (const { items } of pagesOf(platform, Item, query, deadline)) {
      const found = idsWithTag(items, searched);
      if (found.length > 0 || items.some(isOlderThan(searched))) return found;
      pages += 1;
      if (pages === MAX_PENDING_PAGES)
        throw new PlatformUnreachable('The signature service lists more documents than can be looked at.');
    }
    return [];
  },

  /** Documents with a tag in any state, among the newest. */
  async findEnded(searched: TagSearch, deadline: Deadline): Promise<readonly string[]> {
    let pages = 0;
    const query = { q: searched.text, limit: SEARCH_PAGE };
    for await (const { items } of pagesOf(platform, Item, query, deadline)) {
      const found = idsWithTag(items, searched);
      pages += 1;
      if (found.length > 0 || items.some(isOlderThan(searched)) || pages === MAX_RECENT_PAGES) return found;
    }
    return [];
  },

  /**
   * Pages of all documents of a folder that wait for a signature, the oldest first; or those from the place of a page
   * of an earlier listing.
   */
  pendingInFolder: (
    folderId: string,
    deadline: Deadline,
    place?: string,
  ): AsyncGenerator<Page<PendingDocument>> => {
    const query = { folderId, filterByPendingSignature: 'true', order: 'Asc', limit: FOLDER_PAGE };
    return pagesOf(platform, PendingShape, query, deadline, place);
  },
});

export type Page<T> = {
  readonly items: readonly T[];
  /** Where it begins, to list from here again. Undefined for the first page. */
  readonly place: string | undefined;
};

type Query = { readonly limit: number; readonly [name: string]: string | number };

async function* pagesOf<S extends z.ZodType>(
  platform: Platform,
  item: S,
  query: Query,
  deadline: Deadline,
  from?: string,
): AsyncGenerator<Page<z.output<S>>> {
  const Answer = z.object({ items: z.array(item), nextCursor: z.string().nullish() });
  // Each divides the one before, so that a page by its number begins where the last one ended.
  const limitOf = (smaller: number): number => [query.limit, query.limit / 5][smaller] ?? 1;
  let smaller = 0;
  let { cursor, position } = parsePlace(from, query.limit);
  for (;;) {
    const limit = limitOf(smaller);
    const texts = Object.entries({ ...query, limit, ...startOf(cursor, position / limit) });
    const search = new URLSearchParams(texts.map(([name, value]): [string, string] => [name, String(value)]));
    let answer: unknown;
    try {
      answer = await call(platform, { method: 'GET', path: `/api/documents?${search}`, deadline });
    } catch (error) {
      if (!isTooLarge(error) || limit === 1) throw error;
      smaller += 1;
      continue;
    }
    const { items, nextCursor } = requireShape(Answer, answer);
    yield { items, place: placeOf(cursor, position) };
    // A platform without cursors: a full page may have a successor, by its number.
    if (!nextCursor && (nextCursor !== undefined || items.length < limit)) return;
    cursor = nextCursor || undefined;
    position += limit;
    // The large documents may be over.
    if (smaller > 0 && position % limitOf(smaller - 1) === 0) smaller -= 1;
  }
}

const startOf = (cursor: string | undefined, offset: number): Readonly<Record<string, string | number>> => {
  if (cursor !== undefined) return { cursor };
  return offset > 0 ? { offset } : {};
};

const placeOf = (cursor: string | undefined, position: number): string | undefined => {
  if (cursor !== undefined) return `cursor ${cursor}`;
  return position > 0 ? `position ${position}` : undefined;
};

function parsePlace(
  place: string | undefined,
  limit: number,
): { cursor: string | undefined; position: number } {
  if (place?.startsWith('cursor ')) return { cursor: place.slice('cursor '.length), position: 0 };
  const position = Number(place?.slice('position '.length) ?? 0);
  return { cursor: undefined, position: Math.floor(position / limit) * limit };
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof PlatformUnreachable &&
  error.cause instanceof FetchFailed &&
  error.cause.reason === 'too-large';

const idsWithTag = (items: readonly Item[], { tag }: TagSearch): readonly string[] =>
  items
    .filter(({ tags }) => tags?.some(({ label, value }) => label === tag.label && value === tag.value))
    .map(({ id }) => id);

const isOlderThan =
  ({ begunAtMs = Number.NEGATIVE_INFINITY }: TagSearch) =>
  ({ creationDate }: Item): boolean =>
    Date.parse(creationDate ?? '') < begunAtMs - CLOCK_MARGIN_MS;
