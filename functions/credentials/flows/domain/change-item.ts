import type { Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import { recordingHistory } from '../../items/domain/history.ts';
import { type Item, items } from '../../items/domain/item.ts';
import { changingList, changingListed } from '../../items/domain/item-lists.ts';
import { KINDS } from '../../items/domain/kinds.ts';
import { problemsOf } from '../../items/domain/problems.ts';
import { announcing } from '../../webhooks/domain/announce.ts';
import { typeOf } from '../../webhooks/domain/event-types.ts';
import { cancelingTask, taskMessage } from './tasks.ts';

/** A change as writes, to be committed with whatever else it causes. */
export type Change<Data extends object> = {
  readonly after: Stored<Item<Data>>;
  readonly writes: readonly Write[];
};

/** A part of a commit. */
export type CommitPart = Pick<Change<object>, 'writes'>;

/** The part of an item that its creator gives. */
export type NewItem<Data extends object> = Pick<
  Item<Data>,
  'kind' | 'id' | 'organizationId' | 'instituteId' | 'searchable' | 'files' | 'data' | 'createdBy'
>;

/** A new item as writes, with its event. Refused with AlreadyExists where the id is taken. */
export async function creatingItem<Data extends object>(
  fields: NewItem<Data>,
  nowMs: number,
): Promise<Change<Data>> {
  const { states, family } = KINDS[fields.kind];
  const [state = ''] = states.states;
  const item: Item<Data> = {
    ...fields,
    ...{ state, lastEvents: { [family]: 'created' }, createdAtMs: nowMs, updatedAtMs: nowMs },
    ...{ reason: null, cancellationReason: null },
  };
  const created = items.creating({ ...item, hasProblem: problemsOf(item).length > 0 });
  const announced = await announcing(item, family, 'created');
  return {
    after: created.after as Stored<Item<Data>>,
    writes: [created, ...changingList(undefined, created.after), ...announced.writes],
  };
}

type Patch<Data extends object> = Partial<
  Pick<Item<Data>, 'reason' | 'cancellationReason' | 'files' | 'data' | 'searchable'>
>;

/** An event of an item in another family than its own, such as the registrar's action on an emission's request. */
export type OtherEvent = { readonly family: string; readonly event: string };

type Step<Data extends object> = {
  readonly event: string;
  readonly patch?: Patch<Data>;
  readonly other?: OtherEvent;
  /** Who causes it, for its history. */
  readonly by?: string | undefined;
};

/** The state that a step leads to. Refused with InvalidStatus, which names the present state, where the table has none. */
export function requireStep({ kind, state }: Item, event: string): string {
  const next = KINDS[kind].states.next(state, event);
  if (next === undefined) throw errors.refuse('InvalidStatus', { status: state, event });
  return next;
}

// A change, its place in the list and its event are one commit:
//
//   client 1  |--reads Created----- canceled: committed with its event --|
//   platform    |--reads Created------- concluded: refused, RaceLost, reads Canceled: not allowed --|

/**
 * One step of an item as writes. Refused with InvalidStatus, which names the present state, where the table has no such
 * step; with RaceLost when the item has changed since it was read.
 */
export async function changingItem<Data extends object>(
  item: Stored<Item<Data>>,
  { event, patch = {}, other, by }: Step<Data>,
  nowMs: number,
): Promise<Change<Data>> {
  const state = requireStep(item, event);
  const { family } = KINDS[item.kind];
  const events = [{ family, event }, ...(other ? [other] : [])];
  return changing(item, { ...patch, state }, { events, happened: { event, by } }, nowMs);
}

/** A change that leaves the item in its state, with an event of another family, or with none. */
export const updatingItem = <Data extends object>(
  item: Stored<Item<Data>>,
  { patch, other, ...happened }: Partial<Step<Data>> & { readonly patch: Patch<Data> },
  nowMs: number,
): Promise<Change<Data>> => {
  const event = happened.event ?? (other && typeOf(other.family, other.event));
  const entry = event === undefined ? undefined : { event, by: happened.by };
  return changing(item, patch, { events: other ? [other] : [], happened: entry }, nowMs);
};

type Cause = {
  /** Webhooks send it. */
  readonly events: readonly OtherEvent[];
  /** Recorded in the history of the item. */
  readonly happened: { readonly event: string; readonly by: string | undefined } | undefined;
};

async function changing<Data extends object>(
  item: Stored<Item<Data>>,
  patch: Patch<Data> & { readonly state?: string },
  { events, happened }: Cause,
  nowMs: number,
): Promise<Change<Data>> {
  // An event without a type is never sent, so the one before it stays the latest of its family.
  const told = Object.fromEntries(
    events.filter(({ family, event }) => typeOf(family, event)).map(({ family, event }) => [family, event]),
  );
  const lastEvents = { ...item.lastEvents, ...told };
  const { after, writes } = changingListed(item, {
    ...patch,
    ...{ lastEvents, updatedAtMs: Math.max(nowMs, item.updatedAtMs) },
  });
  const announced = await Promise.all(events.map(({ family, event }) => announcing(after, family, event)));
  const tasks = isWithdrawn(item, after, events) ? [taskMessage('withdraw', after)] : [];
  const stopped = tasks.length > 0 ? [cancelingTask('look', after), cancelingTask('handOver', after)] : [];
  return {
    after,
    writes: [
      ...writes,
      ...(happened ? recordingHistory(after, { ...happened, reasons: patch }) : []),
      ...announced.flatMap((announcement) => announcement.writes),
      ...[...tasks, ...stopped],
    ],
  };
}

/** Whether an item leaves the state in which its files are signed, and they are not: nobody shall sign them any more. */
function isWithdrawn(before: Item, after: Item, events: readonly OtherEvent[]): boolean {
  const { handedOverIn, signedEvent, family } = KINDS[before.kind];
  if (before.state !== handedOverIn || after.state === handedOverIn) return false;
  const isBySignature = events.some((told) => told.family === family && told.event === signedEvent);
  return !isBySignature && before.files.some(({ signed }) => !signed);
}

/** Commits changes that belong together. */
export const commitChanges = (changes: readonly CommitPart[], also: readonly Write[] = []): Promise<void> =>
  commit([...changes.flatMap(({ writes }) => writes), ...also]);
