import { type ServiceName, tableName } from '../../settings/names.ts';
import { type Key, keyAttributes, toAttributes } from '../item.ts';
import { AlreadyExists, RaceLost } from '../refusals.ts';
import type { ItemWrite } from '../write.ts';
import { ALL, amountName, tallyName } from './counts.ts';
import { entryKey } from './entries.ts';

export type Entry = {
  readonly id: string;
  readonly atMs: number;
  /** The same for entries that change in one commit: what it counts is then one record. The id, if left out. Never changed. */
  readonly shardBy?: string | undefined;
  /** The views that it is in, beside that of all. */
  readonly views?: readonly string[];
  /** Properties that it is counted by, over the whole list. They cost no item, and no entries can be read by them. */
  readonly tallies?: readonly string[];
  /** Texts to filter by without reading the item, the most useful first. */
  readonly facts?: readonly string[];
  /** The thing itself, if it never changes: the view of all has it then, in the place of facts, and it needs no item of its own. */
  readonly item?: object | undefined;
};

/** The key of a view's entries in one shard. */
export const viewKey = (name: string, view: string, shard: number): string => `LIST#${name}#${view}#${shard}`;

// With its key an entry stays under 1 KB, so that a write costs one unit.
const MAX_FACTS_BYTES = 760;

type Facts = { readonly facts?: readonly string[]; readonly isCut?: true };
type Content = Facts | Required<Pick<Entry, 'item'>>;

/** The facts that an entry has room for. The others must be looked up in the item. */
function factsOf({ facts }: Entry): Facts {
  if (!facts) return {};
  const kept: string[] = [];
  let bytes = 0;
  for (const fact of new Set(facts)) {
    bytes += Buffer.byteLength(fact) + 3;
    if (bytes > MAX_FACTS_BYTES) return { facts: kept, isCut: true };
    kept.push(fact);
  }
  return { facts: kept };
}

/** One entry in one view, as it is stored. */
type Placed = { readonly view: string; readonly iso: string; readonly key: Key; readonly content: Content };

function placesOf({ name, shard }: Shard, entry: Entry | undefined): Map<string, Placed> {
  if (!entry) return new Map();
  const iso = new Date(entry.atMs).toISOString();
  const facts = factsOf(entry);
  const sk = entryKey(iso, entry.id);
  const placed = [ALL, ...(entry.views ?? [])].map((view) => ({
    view,
    iso,
    content: view === ALL && entry.item ? { item: entry.item } : facts,
    key: { pk: viewKey(name, view, shard), sk },
  }));
  return new Map(placed.map((each) => [JSON.stringify(each.key), each]));
}

/** The shard of a list that an entry belongs to. */
type Shard = { readonly service: ServiceName; readonly name: string; readonly shard: number };

type Changes = { readonly writes: ItemWrite[]; readonly amounts: Readonly<Record<string, number>> };

/** The fewest writes that take a list from one state of an entry to another, and what they add to its counts. */
export function changingEntry(shard: Shard, before: Entry | undefined, after: Entry | undefined): Changes {
  const [from, to] = [placesOf(shard, before), placesOf(shard, after)];
  const left = [...from].filter(([id]) => !to.has(id)).map(([, placed]) => placed);
  const joined = [...to].filter(([id]) => !from.has(id)).map(([, placed]) => placed);
  const rewritten = [...to].flatMap(([id, placed]) => {
    const old = from.get(id);
    return old && JSON.stringify(old.content) !== JSON.stringify(placed.content) ? [placed] : [];
  });
  const table = tableName(shard.service);
  const amounts: Record<string, number> = {};
  const add = ({ iso, view }: Placed, amount: number): void => {
    const counted = amountName(iso, view);
    amounts[counted] = (amounts[counted] ?? 0) + amount;
  };
  for (const each of left) add(each, -1);
  for (const each of joined) add(each, 1);
  const tally = (name: string, amount: number): void => {
    const counted = tallyName(name);
    amounts[counted] = (amounts[counted] ?? 0) + amount;
  };
  for (const name of before?.tallies ?? []) tally(name, -1);
  for (const name of after?.tallies ?? []) tally(name, 1);
  return {
    writes: [
      ...left.map(({ key }) => removing(table, key)),
      ...joined.map((placed) => adding(table, placed)),
      ...rewritten.map((placed) => rewriting(table, placed)),
    ],
    amounts: Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== 0)),
  };
}

const describe = ({ pk, sk }: Key): string => `The entry ${sk} of ${pk}`;

const adding = (TableName: string, { key, content }: Placed): ItemWrite => ({
  item: {
    Put: {
      TableName,
      Item: toAttributes({ ...key, ...content }),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  },
  refusal: () => new AlreadyExists(`${describe(key)} exists already.`),
});

const rewriting = (TableName: string, { key, content }: Placed): ItemWrite => ({
  item: {
    Put: {
      TableName,
      Item: toAttributes({ ...key, ...content }),
      ConditionExpression: 'attribute_exists(pk)',
    },
  },
  refusal: () => new RaceLost(`${describe(key)} does not exist, or no longer.`),
});

const removing = (TableName: string, key: Key): ItemWrite => ({
  item: { Delete: { TableName, Key: keyAttributes(key), ConditionExpression: 'attribute_exists(pk)' } },
  refusal: () => new RaceLost(`${describe(key)} does not exist, or no longer.`),
});
