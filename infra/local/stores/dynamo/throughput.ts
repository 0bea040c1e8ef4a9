import type { Counts } from './counts.ts';
import {
  type Body,
  capacityUnits,
  getIndexActions,
  type IndexDefinition,
  type Item,
  itemAt,
  type KeyElement,
  type Store,
  type TableDefinition,
  tableOf,
} from './dynalite.ts';
import { canceled, throughputExceeded } from './errors.ts';

/** One item as a write leaves it: undefined where there is none then. */
export type Change = {
  table: string;
  key: string;
  /** The attributes of its key, and maybe others. */
  address: Item;
  after: Item | 'unchanged' | undefined;
};

/** Units of one partition key of a table or an index. */
type Charge = { partition: string; units: number };

export type Throughput = {
  /** Takes the write units of a request's changes, or throws as DynamoDB does when a partition key has too few left. */
  take(kind: 'writes' | 'transactions', changes: Change[]): Promise<void>;
};

export const unlimited: Throughput = { take: async () => {} };

/** What DynamoDB gives one partition key. More for a moment is possible there, and promised nowhere. */
const UNITS_PER_SECOND = 1_000;
const SECOND_MS = 1_000;

/** Limits the writes of each partition key in each second of the clock. Refused requests take nothing. */
export function createThroughput(store: Store, counts: Counts, now: () => number): Throughput {
  let second = 0;
  const used = new Map<string, number>();

  const chargesOf = async (change: Change, perKilobyte: number): Promise<Charge[]> => {
    const { table: name, key, address } = change;
    const table = await tableOf(store, name);
    const before = await itemAt(store, name, key);
    const after = change.after === 'unchanged' ? before : change.after;
    const units = perKilobyte * Math.max(unitsOf(before), unitsOf(after));
    const indexes = [
      ...(table.GlobalSecondaryIndexes ?? []).map((index) => [index, `${name}/${index.IndexName}`] as const),
      // A local index shares the partitions of its table.
      ...(table.LocalSecondaryIndexes ?? []).map((index) => [index, name] as const),
    ];
    return [
      { partition: partitionOf(name, table.KeySchema, address), units },
      ...indexes.flatMap(([index, place]) => indexCharges(table, index, place, before, after)),
    ];
  };

  const take: Throughput['take'] = async (kind, changes) => {
    // A transaction writes twice, to prepare and to commit. Indexes follow with one write.
    const perKilobyte = kind === 'transactions' ? 2 : 1;
    const charges = await Promise.all(changes.map((change) => chargesOf(change, perKilobyte)));
    const current = Math.floor(now() / SECOND_MS);
    if (current !== second) used.clear();
    second = current;
    const sums = new Map<string, number>();
    for (const { partition, units } of charges.flat())
      sums.set(partition, (sums.get(partition) ?? used.get(partition) ?? 0) + units);
    const isOver = ({ partition }: Charge) => (sums.get(partition) ?? 0) > UNITS_PER_SECOND;
    if (!charges.flat().some(isOver)) {
      for (const [partition, sum] of sums) used.set(partition, sum);
      return;
    }
    counts[kind].throttled += 1;
    if (kind === 'writes') throw throughputExceeded();
    throw canceled(charges.map((each) => (each.some(isOver) ? THROTTLED : { Code: 'None' })));
  };
  return { take };
}

const THROTTLED = { Code: 'ThrottlingError', Message: 'Throughput exceeds the limit of a partition key' };

// An entry that keeps its key is one write. One that moves is deleted at its old key and put at its new one.
function indexCharges(
  table: TableDefinition,
  index: IndexDefinition,
  place: string,
  before: Item | undefined,
  after: Item | undefined,
): Charge[] {
  const old = entryOf(table, index, before);
  const young = entryOf(table, index, after);
  if (JSON.stringify(old) === JSON.stringify(young)) return [];
  const charge = ({ item }: Entry, units: number): Charge => ({
    partition: partitionOf(place, index.KeySchema, item),
    units,
  });
  if (old && young?.key === old.key) return [charge(young, Math.max(unitsOf(old.item), unitsOf(young.item)))];
  return [old, young].flatMap((entry) => (entry ? [charge(entry, unitsOf(entry.item))] : []));
}

type Entry = { key: string; item: Item };

function entryOf(table: TableDefinition, index: IndexDefinition, item: Item | undefined): Entry | undefined {
  const [entry] = item ? getIndexActions([index], null, item, table).puts : [];
  // Attributes that the item does not have are projected as undefined.
  return entry && { key: entry.key, item: JSON.parse(JSON.stringify(entry.item)) };
}

function partitionOf(place: string, schema: KeyElement[], item: Body): string {
  const hash = schema.find(({ KeyType }) => KeyType === 'HASH');
  return `${place}/${JSON.stringify(item[hash?.AttributeName ?? ''])}`;
}

/** One for each kilobyte that is begun, and one for no item. */
const unitsOf = (item: Item | undefined): number => capacityUnits(item, false);
