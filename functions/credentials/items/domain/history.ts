import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { firstItems } from '../../../../shared/store/cursor.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { ROOTS } from './files-of.ts';
import type { Item, ItemId } from './item.ts';
import { KINDS } from './kinds.ts';

/** One change of an item: what happened, and what it became. */
export type HistoryEntry = ItemId & {
  readonly entryId: string;
  readonly atMs: number;
  /** An event of its state table; of an emission also what its registrar did with the request. */
  readonly event: string;
  readonly status: string;
  /** The person or the application. Null for what happened without one, such as the last signature. */
  readonly by: string | null;
  readonly reason: string | null;
  readonly cancellationReason: string | null;
};

const partitionOf = ({ kind, id }: ItemId) => `ITEM#${kind}#${id}`;
const PREFIX = 'HISTORY#';

const entries = collection<HistoryEntry, HistoryEntry>({
  service: 'credentials',
  name: 'history',
  id: (entry) => entry,
  key: (entry) => ({
    pk: partitionOf(entry),
    sk: `${PREFIX}${new Date(entry.atMs).toISOString()}#${entry.entryId}`,
  }),
});

/** The name under which the history of an item shows a caller. */
export const actorOf = ({ person, application }: Pick<Caller, 'person' | 'application'>): string =>
  person?.name ?? application;

type Recorded = {
  readonly event: string;
  readonly by?: string | undefined;
  /** The reason that this change gives; one of an earlier change is not repeated. */
  readonly reasons: Partial<Pick<Item, 'reason' | 'cancellationReason'>>;
};

/**
 * The entry of a change, for its commit. The creation and the last signature have none: the item tells them, and most
 * items have no other change.
 */
export function recordingHistory(after: Item, { event, by, reasons }: Recorded): Write[] {
  if (event === KINDS[after.kind].signedEvent) return [];
  const entry = entries.creating({
    ...{ kind: after.kind, id: after.id, entryId: randomUUID(), atMs: after.updatedAtMs, event },
    ...{ status: after.state, by: by ?? null },
    reason: reasons.reason ?? null,
    cancellationReason: reasons.cancellationReason ?? null,
  });
  return [entry];
}

// A registrar suspends and restores a degree a few times in its life.
const MAX_SHOWN = 200;

type Shown = Omit<HistoryEntry, 'kind' | 'id'>;

/** What happened to an item, the newest first: the last changes, its signature and its creation. */
export async function readHistory(item: Item): Promise<readonly Shown[]> {
  const query = { pk: partitionOf(item), skPrefix: PREFIX, newestFirst: true };
  const recorded = await firstItems(entries, query, MAX_SHOWN);
  const told = [...signatureOf(item), creationOf(item)];
  return [...recorded, ...told].toSorted((one, other) => other.atMs - one.atMs);
}

const NO_REASONS = { reason: null, cancellationReason: null };

function creationOf({ kind, id, createdAtMs: atMs, createdBy }: Item): Shown {
  const [status = ''] = KINDS[kind].states.states;
  return { entryId: id, atMs, event: 'created', status, by: createdBy ?? null, ...NO_REASONS };
}

/** The last signature. A request has the signed file of its emission from the beginning on, and not yet its own. */
function signatureOf({ kind, id, files }: Item): Shown[] {
  const { signedEvent: event, states, handedOverIn } = KINDS[kind];
  const names = Object.keys(ROOTS[kind]);
  const times = files.flatMap(({ name, signed }) => (signed && names.includes(name) ? [signed.atMs] : []));
  if (event === null || times.length < names.length) return [];
  const status = states.next(handedOverIn, event) ?? '';
  return [{ entryId: `${id}-${event}`, atMs: Math.max(...times), event, status, by: null, ...NO_REASONS }];
}

/** An entry as the operations answer it. */
export const renderEntry = ({ atMs, event, status, by, reason, cancellationReason }: Shown) => ({
  date: new Date(atMs).toISOString(),
  ...{ event, status, by, reason, cancellationReason },
});
