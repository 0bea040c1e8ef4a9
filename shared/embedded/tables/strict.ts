import { setTimeout as pause } from 'node:timers/promises';
import { canceled, throughputExceeded, transactionConflict, transactionInProgress } from './errors.ts';
import { entryOf } from './items.ts';
import type { Index } from './tables.ts';
import { type Item, itemBytes } from './values.ts';
import type { Change, Write } from './writes.ts';

/** What stands between requests that meet. */
export type Guard = {
  readonly write: <T>(write: Write, work: () => Promise<T>) => Promise<T>;
  readonly transaction: <T>(
    writes: readonly Write[],
    token: string | undefined,
    work: () => Promise<T>,
  ) => Promise<T>;
  readonly transactionRead: <T>(writes: readonly Write[], work: () => T) => Promise<T>;
  /** Takes the write units of a request's changes, or throws when a partition key has too few left. */
  readonly take: (kind: 'writes' | 'transactions', changes: readonly Change[]) => void;
};

/** Every commit is alone in the database, so that nothing meets. */
export const noGuard: Guard = {
  write: (_write, work) => work(),
  transaction: (_writes, _token, work) => work(),
  transactionRead: async (_writes, work) => work(),
  take: () => {},
};

/** Requests of one kind, and those of them that were refused. */
export type Count = {
  tried: number;
  /** Refused because a transaction had one of the items. */
  conflicts: number;
  /** Refused because a partition key had taken its write units of the second. */
  throttled: number;
};

/** What the strict mode saw. */
export type Counts = {
  /** TransactWriteItems. */
  readonly transactions: Count;
  /** PutItem, UpdateItem, DeleteItem and BatchWriteItem. */
  readonly writes: Count;
  /** TransactGetItems. */
  readonly reads: Count;
};

const zero = (): Count => ({ tried: 0, conflicts: 0, throttled: 0 });
export const newCounts = (): Counts => ({ transactions: zero(), writes: zero(), reads: zero() });

// A transaction of DynamoDB takes about so long, and has its items meanwhile.
const MIN_HOLD_MS = 15;
const MAX_HOLD_MS = 25;

/** How long a transaction has its items: resolves when it may commit. */
export type Hold = () => Promise<unknown>;

export const holdAsAws: Hold = () => pause(MIN_HOLD_MS + Math.random() * (MAX_HOLD_MS - MIN_HOLD_MS));

const CONFLICT = { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' };

// As DynamoDB treats those who meet: whoever comes later is refused, and nobody waits.
//
//   TransactWriteItems x, y  |--has x and y for 15 to 25 ms--|--commits--|
//   TransactWriteItems y, z       |--canceled: TransactionConflict, None
//   TransactGetItems x               |--canceled: TransactionConflict
//   PutItem y                           |--TransactionConflictException
//   GetItem y                              |--the value from before--|
export function strictGuard(counts: Counts, hold: Hold, now: () => number): Guard {
  const held = new Set<string>();
  const tokens = new Set<string>();
  const requireFree = (count: Count, writes: readonly Write[]): void => {
    if (!writes.some(({ id }) => held.has(id))) return;
    count.conflicts += 1;
    throw canceled(writes.map(({ id }) => (held.has(id) ? CONFLICT : { Code: 'None' })));
  };

  return {
    take: throughput(counts, now),

    async write({ id }, work) {
      counts.writes.tried += 1;
      if (held.has(id)) {
        counts.writes.conflicts += 1;
        throw transactionConflict();
      }
      return work();
    },

    async transaction(writes, token, work) {
      counts.transactions.tried += 1;
      if (token && tokens.has(token)) throw transactionInProgress();
      requireFree(counts.transactions, writes);
      for (const { id } of writes) held.add(id);
      if (token) tokens.add(token);
      try {
        await hold();
        return await work();
      } finally {
        for (const { id } of writes) held.delete(id);
        if (token) tokens.delete(token);
      }
    },

    // DynamoDB reads the items twice, and cancels when a write came in between.
    async transactionRead(writes, work) {
      counts.reads.tried += 1;
      requireFree(counts.reads, writes);
      await hold();
      requireFree(counts.reads, writes);
      return work();
    },
  };
}

/** What DynamoDB gives one partition key. More for a moment is possible there, and promised nowhere. */
const UNITS_PER_SECOND = 1_000;
const SECOND_MS = 1_000;
const UNIT_BYTES = 1_024;

/** Units of one partition key of a table or an index. */
type Charge = { readonly partition: string; readonly units: number };

const THROTTLED = { Code: 'ThrottlingError', Message: 'Throughput exceeds the limit of a partition key' };

/** Limits the writes of each partition key in each second of the clock. Refused requests take nothing. */
function throughput(counts: Counts, now: () => number): Guard['take'] {
  let second = 0;
  const used = new Map<string, number>();
  return (kind, changes) => {
    // A transaction writes twice, to prepare and to commit. Indexes follow with one write.
    const charges = changes.map((change) => chargesOf(change, kind === 'transactions' ? 2 : 1));
    const current = Math.floor(now() / SECOND_MS);
    if (current !== second) used.clear();
    second = current;
    const sums = new Map<string, number>();
    for (const { partition, units } of charges.flat())
      sums.set(partition, (sums.get(partition) ?? used.get(partition) ?? 0) + units);
    const isOver = ({ partition }: Charge): boolean => (sums.get(partition) ?? 0) > UNITS_PER_SECOND;
    if (!charges.flat().some(isOver)) {
      for (const [partition, sum] of sums) used.set(partition, sum);
      return;
    }
    counts[kind].throttled += 1;
    if (kind === 'writes') throw throughputExceeded();
    throw canceled(charges.map((of) => (of.some(isOver) ? THROTTLED : { Code: 'None' })));
  };
}

function chargesOf({ table, write: { address }, before, after }: Change, perUnit: number): Charge[] {
  return [
    { partition: `${table.id}/${address[0]}`, units: perUnit * Math.max(unitsOf(before), unitsOf(after)) },
    ...table.indexes.flatMap((index) => indexCharges(index, before, after)),
  ];
}

// An entry that keeps its key is one write. One that moves is deleted at its old key and put at its new one.
function indexCharges(index: Index, before: Item | undefined, after: Item | undefined): Charge[] {
  const [old, young] = [before && entryOf(index, before), after && entryOf(index, after)];
  const charge = (hash: unknown, units: number): Charge => ({ partition: `${index.sql}/${hash}`, units });
  if (old && young && String(old) === String(young)) {
    const isSame = JSON.stringify(before) === JSON.stringify(after);
    return isSame ? [] : [charge(young[0], Math.max(unitsOf(before), unitsOf(after)))];
  }
  return [
    ...(old ? [charge(old[0], unitsOf(before))] : []),
    ...(young ? [charge(young[0], unitsOf(after))] : []),
  ];
}

/** One for each kilobyte that is begun, and one for no item. */
const unitsOf = (item: Item | undefined): number =>
  item ? Math.max(1, Math.ceil(itemBytes(item) / UNIT_BYTES)) : 1;
