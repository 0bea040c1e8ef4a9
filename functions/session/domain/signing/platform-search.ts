import * as z from 'zod';
import type { Deadline } from '../deadline.ts';
import { DISPATCH_TAG, requireShape } from './platform.ts';
import { callPlatform, PlatformUnreachable } from './platform-call.ts';

// The platform's list filters by status and by a text; that of a tag it does not look at. So documents are asked for by
// their signer, newest first, and compared by tag here. A page may be short and still have a successor.

const Tag = z.object({ label: z.string(), value: z.string().nullish() });
const Item = z.object({
  id: z.string(),
  tags: z.array(Tag).nullish(),
  creationDate: z.string().nullish(),
});
type Item = z.output<typeof Item>;
const Page = z.object({ items: z.array(Item), nextCursor: z.string().nullish() });

type Searched = { readonly id: string; readonly cpf: string };

async function* pagesOf(
  { cpf }: Searched,
  filter: { readonly status?: string },
  deadline: Deadline,
): AsyncGenerator<readonly Item[]> {
  let cursor: string | null | undefined;
  do {
    const query = new URLSearchParams({ ...filter, q: cpf, limit: '50', ...(cursor && { cursor }) });
    const answer = await callPlatform({ method: 'GET', path: `/api/documents?${query}`, deadline });
    const page = requireShape(Page, answer);
    yield page.items;
    cursor = page.nextCursor;
  } while (cursor);
}

const idsWithTag = (items: readonly Item[], { id }: Searched): readonly string[] =>
  items
    .filter(({ tags }) => tags?.some(({ label, value }) => label === DISPATCH_TAG && value === id))
    .map((item) => item.id);

// A holder has few pending documents.
const MAX_PENDING_PAGES = 20;

/** The pending documents with this dispatch's tag: none, or the one whose id was lost. */
export async function findDispatched(dispatch: Searched, deadline: Deadline): Promise<readonly string[]> {
  let pages = 0;
  for await (const items of pagesOf(dispatch, { status: 'Pending' }, deadline)) {
    const found = idsWithTag(items, dispatch);
    if (found.length > 0) return found;
    pages += 1;
    if (pages === MAX_PENDING_PAGES)
      throw new PlatformUnreachable(
        'The signature service lists more documents of the holder than can be looked at.',
      );
  }
  return [];
}

// For the audit trail alone: a document that is not pending waits for nobody.
const MAX_RECENT_PAGES = 5;
// The clocks of the platform and of this server may differ by so much.
const CLOCK_MARGIN_MS = 60_000;

/** Documents with this dispatch's tag in any state, among the newest. The search ends with those that are older. */
export async function findEnded(
  dispatch: Searched & { readonly begunAtMs: number },
  deadline: Deadline,
): Promise<readonly string[]> {
  const isOlder = ({ creationDate }: Item): boolean =>
    Date.parse(creationDate ?? '') < dispatch.begunAtMs - CLOCK_MARGIN_MS;
  let pages = 0;
  for await (const items of pagesOf(dispatch, {}, deadline)) {
    const found = idsWithTag(items, dispatch);
    pages += 1;
    if (found.length > 0 || items.some(isOlder) || pages === MAX_RECENT_PAGES) return found;
  }
  return [];
}
