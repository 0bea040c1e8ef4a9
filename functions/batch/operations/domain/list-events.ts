import { containsText, entryContainsText } from '../../../../shared/store/lists/contains-text.ts';
import type { ListedEntry } from '../../../../shared/store/lists/entries.ts';
import type { NumberedEntries } from '../../../../shared/store/lists/numbered-list.ts';
import { searchEntries, TooManyEntries } from '../../../../shared/store/lists/search.ts';
import { errors } from '../../errors.ts';
import { type EventType, eventList, type OperationalEvent, readEvents, searchedTexts } from './events.ts';

export type EventsRequest = {
  readonly type?: EventType | undefined;
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly text?: string | undefined;
  readonly page: number;
  readonly pageSize: number;
};

// Every entry of the range is read to count the matches: 100,000 are some 100 MB.
const MAX_SEARCHED = 100_000;

/** A page of the event log, newest first. `maxSearched` is a parameter for tests. */
export async function listEvents(request: EventsRequest, maxSearched = MAX_SEARCHED) {
  const { items, ...rest } = await readEventPage(request, maxSearched);
  return { items: items.map(renderEvent), ...rest };
}

/** The same for pages, which say what happened in the language of the reader. */
export async function showEvents(request: EventsRequest) {
  const { items, ...rest } = await readEventPage(request, MAX_SEARCHED);
  return { items: items.map((event) => ({ ...renderEvent(event), said: event.said })), ...rest };
}

async function readEventPage(request: EventsRequest, maxSearched: number) {
  const { page, pageSize, type, text, fromMs, untilMs } = request;
  const slice = { offset: (page - 1) * pageSize, limit: pageSize, fromMs, untilMs };
  const { events, total } = await (text === undefined
    ? readEvents(slice, type)
    : search({ ...request, text }, maxSearched));
  return { items: events, page, pageSize, totalCount: total };
}

async function search({ type, ...request }: EventsRequest & { readonly text: string }, maxSearched: number) {
  const list = eventList(type);
  const { entries, total } = await findMatching(list, request, maxSearched);
  return { events: await list.itemsOf<OperationalEvent>(entries), total };
}

async function findMatching(
  list: ReturnType<typeof eventList>,
  { text, ...range }: Omit<EventsRequest, 'type'> & { readonly text: string },
  maxSearched: number,
): Promise<NumberedEntries> {
  const isMatch = (event: OperationalEvent): boolean => containsText(text, searchedTexts(event));
  const entryMatches = (entry: ListedEntry) =>
    entry.item ? isMatch(entry.item as OperationalEvent) : entryContainsText(text, entry);
  const readMatching = async (_: readonly string[], entries: readonly ListedEntry[]) =>
    (await list.itemsOf<OperationalEvent>(entries)).filter(isMatch).map(({ id }) => id);
  try {
    return await searchEntries({ list, entryMatches, readMatching }, { ...range, maxEntries: maxSearched });
  } catch (error) {
    if (!(error instanceof TooManyEntries)) throw error;
    const message = `searches at most ${maxSearched} events: narrow the range with from, to or type`;
    const field = 'text';
    throw errors.refuse(
      'validation.filter-invalid',
      { field, reason: message },
      { fields: [{ field, message }] },
    );
  }
}

const renderEvent = ({ id, atMs, type, message, jobId, profileName, code, by }: OperationalEvent) => ({
  id,
  timestamp: new Date(atMs).toISOString(),
  type,
  message,
  jobId: jobId ?? null,
  profileName: profileName ?? null,
  code: code ?? null,
  by: by ?? null,
});
