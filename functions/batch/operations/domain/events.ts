import { randomUUID } from 'node:crypto';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { type Entry, numberedList } from '../../../../shared/store/lists/numbered-list.ts';
import type { Write } from '../../../../shared/store/write.ts';
import type { EventType } from '../event-types.ts';
import { EVENT_TYPES } from '../event-types.ts';
import { LEDGER } from './ledger-name.ts';

export type { EventType } from '../event-types.ts';

/** Something that happened, for the operational event log. */
export type OperationalEvent = {
  readonly id: string;
  readonly atMs: number;
  readonly type: EventType;
  readonly message: string;
  readonly jobId?: string | undefined;
  readonly profileName?: string | undefined;
  readonly code?: string | undefined;
  /** Who did it, where somebody did. */
  readonly by?: string | undefined;
};

export const events = collection<OperationalEvent, string>({
  service: 'batch',
  name: 'event',
  id: ({ id }) => id,
  key: (id) => ({ pk: `EVENT#${id}`, sk: 'EVENT' }),
});

/** The events, newest first; those of one type where it is given. */
export const eventList = (type?: EventType) =>
  numberedList({
    service: 'batch',
    name: 'events',
    ledger: LEDGER,
    ...(type && { views: [EVENT_TYPES[type]] }),
  });

/** The texts that a search looks at. The message is last: it may be too long for the entry of a list. */
export const searchedTexts = ({ jobId, profileName, code, by, message }: OperationalEvent): string[] =>
  [jobId, profileName, code, by, message].filter((text) => text !== undefined);

const entryOf = ({ id, atMs, type, jobId }: OperationalEvent): Entry => ({
  id,
  atMs,
  shardBy: jobId,
  views: [EVENT_TYPES[type]],
});

/**
 * The writes that record an event, for the commit of the change that it tells of: both happen, or neither.
 * @example await pipelines.change(pipeline, paused, { also: recordingEvent({ type: 'PipelinePaused', message, by }, nowMs) });
 */
export function recordingEvent(
  event: Omit<OperationalEvent, 'id' | 'atMs'>,
  nowMs: number,
  id: string = randomUUID(),
): Write[] {
  const recorded: OperationalEvent = { ...event, id, atMs: nowMs };
  return [events.creating(recorded), ...listingEvent(recorded)];
}

/** The writes that put an event on the list and into its counts. */
export const listingEvent = (event: OperationalEvent): Write[] =>
  eventList().changing(undefined, { ...entryOf(event), facts: searchedTexts(event) });

/** The writes that delete an event and take it off the list and its counts. Refused with RaceLost when it is gone. */
export const deletingEvent = (event: Stored<OperationalEvent>): Write[] => [
  events.deleting(event),
  ...eventList().changing(entryOf(event), undefined),
];
