import { randomUUID } from 'node:crypto';
import type { Attributes } from '../../../../shared/store/item.ts';
import { ALL } from '../../../../shared/store/lists/counts.ts';
import { readEntry } from '../../../../shared/store/lists/entries.ts';
import { type Entry, numberedList, type Slice } from '../../../../shared/store/lists/numbered-list.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { recordedAs, type Said, type Sentence } from '../../sentences/sentences.ts';
import type { EventType } from '../event-types.ts';
import { EVENT_TYPES } from '../event-types.ts';

export type { EventType } from '../event-types.ts';

/** Something that happened, for the operational event log. */
export type OperationalEvent = {
  readonly id: string;
  readonly atMs: number;
  readonly type: EventType;
  readonly message: string;
  /** The same as code and values. None for a text that came from elsewhere, as a line of the log. */
  readonly said?: Said;
  readonly jobId?: string | undefined;
  readonly profileName?: string | undefined;
  readonly code?: string | undefined;
  /** Who did it, where somebody did. */
  readonly by?: string | undefined;
};

/** The ledger with the counts of jobs, events and metrics: a commit that changes all of them counts in one record. */
export const LEDGER = { name: 'jobs', shards: 3 };

const LIST = 'events';

/** The events, newest first; those of one type where it is given. The list of all has the events themselves. */
export const eventList = (type?: EventType) =>
  numberedList({
    service: 'batch',
    name: LIST,
    ledger: LEDGER,
    // A signed job has four events: at 250 jobs a second that is a thousand.
    shards: 4,
    ...(type && { views: [EVENT_TYPES[type]] }),
  });

/** The texts that a search looks at. The message is last: it may be too long for the entry of a list. */
export const searchedTexts = ({ jobId, profileName, code, by, message }: OperationalEvent): string[] =>
  [jobId, profileName, code, by, message].filter((text) => text !== undefined);

/** The events of a part of the list, of one type where it is given, and the number of all of them. */
export async function readEvents(
  slice: Slice,
  type?: EventType,
): Promise<{ readonly events: readonly OperationalEvent[]; readonly total: number }> {
  const list = eventList(type);
  const { entries, total } = await list.sliceEntries(slice);
  return { events: await list.itemsOf<OperationalEvent>(entries), total };
}

const ROW = new RegExp(`^LIST#${LIST}#${ALL}#\\d+$`);

/** The event of a row of the table; undefined for any other row. */
export const eventOfRow = (row: Attributes): OperationalEvent | undefined =>
  ROW.test(row.pk?.S ?? '') ? (readEntry(row).item as OperationalEvent) : undefined;

const entryOf = (event: OperationalEvent): Entry => ({
  id: event.id,
  atMs: event.atMs,
  shardBy: event.jobId,
  views: [EVENT_TYPES[event.type]],
  facts: searchedTexts(event),
  item: event,
});

type NewEvent = Omit<OperationalEvent, 'id' | 'atMs' | 'message' | 'said'> & { readonly message: Sentence };

/**
 * The writes that record an event, for the commit of the change that it tells of: both happen, or neither.
 * @example await pipelines.change(pipeline, paused, { also: recordingEvent({ type: 'PipelinePaused', message, by }, nowMs) });
 */
export function recordingEvent(
  { message, ...event }: NewEvent,
  nowMs: number,
  id: string = randomUUID(),
): Write[] {
  return listingEvent({ ...event, ...recordedAs(message), id, atMs: nowMs });
}

/** The writes that put an event on the list and into its counts. */
export const listingEvent = (event: OperationalEvent): Write[] =>
  eventList().changing(undefined, entryOf(event));

/** The writes that take an event off the list and its counts. Refused with RaceLost when it is gone. */
export const deletingEvent = (event: OperationalEvent): Write[] =>
  eventList().changing(entryOf(event), undefined);
