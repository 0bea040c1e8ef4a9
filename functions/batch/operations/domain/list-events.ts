import { containsText, entryContainsText } from '../../../../shared/store/lists/contains-text.ts';
import type { Numbered } from '../../../../shared/store/lists/numbered-list.ts';
import { searchList, TooManyEntries } from '../../../../shared/store/lists/search.ts';
import { errors } from '../../errors.ts';
import { type EventType, eventList, events, type OperationalEvent, searchedTexts } from './events.ts';

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
  const { page, pageSize } = request;
  const { ids, total } = await find(request, maxSearched);
  return { items: (await events.getMany(ids)).map(renderEvent), page, pageSize, totalCount: total };
}

async function find({ type, text, ...range }: EventsRequest, maxSearched: number): Promise<Numbered> {
  const list = eventList(type);
  if (text === undefined) return list.page(range);
  const readMatching = async (ids: readonly string[]) =>
    (await events.getMany(ids))
      .filter((event) => containsText(text, searchedTexts(event)))
      .map(({ id }) => id);
  const entryMatches = (entry: Parameters<typeof entryContainsText>[1]) => entryContainsText(text, entry);
  try {
    return await searchList({ list, entryMatches, readMatching }, { ...range, maxEntries: maxSearched });
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
