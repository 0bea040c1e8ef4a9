import * as z from 'zod';
import type { Deadline } from '../async/deadline.ts';
import { call, type Platform, requireShape } from './call.ts';
import { PlatformUnreachable } from './errors.ts';
import { type PendingDocument, PendingShape, type Tag } from './shapes.ts';

// The platform's list filters by status and by a text; that of a tag it does not look at. So documents are asked for by
// their name or signer, newest first, and compared by tag here. A page may be short and still have a successor.

const Item = z.object({
  id: z.string(),
  tags: z.array(z.object({ label: z.string(), value: z.string().nullish() })).nullish(),
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
const FOLDER_PAGE = 100;

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
    for await (const items of pagesOf(platform, Item, query, deadline)) {
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
    for await (const items of pagesOf(platform, Item, query, deadline)) {
      const found = idsWithTag(items, searched);
      pages += 1;
      if (found.length > 0 || items.some(isOlderThan(searched)) || pages === MAX_RECENT_PAGES) return found;
    }
    return [];
  },

  /** Pages of all documents of a folder that wait for a signature, the oldest first. */
  pendingInFolder: (folderId: string, deadline: Deadline): AsyncGenerator<readonly PendingDocument[]> => {
    const query = { folderId, filterByPendingSignature: 'true', order: 'Asc', limit: FOLDER_PAGE };
    return pagesOf(platform, PendingShape, query, deadline);
  },
});

type Query = { readonly limit: number; readonly [name: string]: string | number };

async function* pagesOf<S extends z.ZodType>(
  platform: Platform,
  item: S,
  query: Query,
  deadline: Deadline,
): AsyncGenerator<readonly z.output<S>[]> {
  const Page = z.object({ items: z.array(item), nextCursor: z.string().nullish() });
  let next: Readonly<Record<string, string>> | undefined = {};
  for (let page = 0; next; page++) {
    const texts = Object.entries(query).map(([name, value]) => [name, String(value)]);
    const search = new URLSearchParams({ ...Object.fromEntries(texts), ...next });
    const answer = await call(platform, { method: 'GET', path: `/api/documents?${search}`, deadline });
    const { items, nextCursor } = requireShape(Page, answer);
    yield items;
    if (nextCursor) next = { cursor: nextCursor };
    // A platform without cursors: a full page may have a successor, by its number.
    else if (nextCursor === undefined && items.length >= query.limit) next = { offset: String(page + 1) };
    else next = undefined;
  }
}

const idsWithTag = (items: readonly Item[], { tag }: TagSearch): readonly string[] =>
  items
    .filter(({ tags }) => tags?.some(({ label, value }) => label === tag.label && value === tag.value))
    .map(({ id }) => id);

const isOlderThan =
  ({ begunAtMs = Number.NEGATIVE_INFINITY }: TagSearch) =>
  ({ creationDate }: Item): boolean =>
    Date.parse(creationDate ?? '') < begunAtMs - CLOCK_MARGIN_MS;
