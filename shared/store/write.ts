import { randomBytes } from 'node:crypto';
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type Attributes, toAttributes } from './item.ts';

/** A write on one item, with the error for a failed condition. */
export type ItemWrite = {
  readonly item: TransactWriteItem;
  readonly refusal?: (() => Error) | undefined;
  /** The version of the item after this write. */
  readonly leaves?: string | undefined;
  /**
   * Work that may follow the commit and that nothing depends on. It must not throw: the change has happened. It is called
   * once, with all writes of the commit that have the same.
   */
  readonly afterCommit?: ((writes: readonly ItemWrite[]) => Promise<void>) | undefined;
};

/** A count: a field of a node. `name` is that of an amount whose path ends here. */
export type CountPlace = { readonly node: string; readonly field: string; readonly name: string };

/**
 * The counts that an amount is added to, from its name: one, or one in each node on a path down from the top. The node ''
 * is the head of a ledger's shard. The name of a node begins with that of the node above it, and of no other on its level.
 */
export type CountsOf = (name: string) => readonly CountPlace[];

/** Amounts for a ledger's counts, by name. They become a new item, so they meet no other writer. */
export type LedgerWrite = {
  readonly table: string;
  /** The key of the ledger's shard. */
  readonly pk: string;
  readonly amounts: Readonly<Record<string, number>>;
  readonly countsOf: CountsOf;
  /** The keys of all its shards, any of which may take the amounts: that of another record of the commit, if there is one. */
  readonly anyOf?: readonly string[];
  readonly afterCommit?: () => Promise<void>;
};

/**
 * One write as a value. `commit` sends it alone, or with others, all or nothing. There are two kinds:
 *
 *   ItemWrite     creates, changes, deletes or checks one item. A commit has at most one for each item.
 *   LedgerWrite   counts something. A commit may have several for one shard; they are summed into one new record.
 */
export type Write = ItemWrite | LedgerWrite;

const isItemWrite = (write: Write): write is ItemWrite => 'item' in write;
const isLedgerWrite = (write: Write): write is LedgerWrite => 'amounts' in write;

export const RECORD_PREFIX = 'RECORD#';

// A fold adds a whole record to its nodes in one transaction, which takes 100 items. The head is one of them.
const MAX_NODES_PER_RECORD = 99;

/** The writes as a transaction takes them, one for each item. */
export function onePerItem(writes: readonly Write[]): ItemWrite[] {
  const sums = new Map<string, LedgerWrite>();
  const idOf = ({ table }: LedgerWrite, pk: string): string => JSON.stringify([table, pk]);
  const byFreedom = writes.filter(isLedgerWrite).toSorted((a, b) => Number(!!a.anyOf) - Number(!!b.anyOf));
  for (const write of byFreedom) {
    const pk = write.anyOf?.find((each) => sums.has(idOf(write, each))) ?? write.pk;
    const id = idOf(write, pk);
    const sum: Record<string, number> = { ...sums.get(id)?.amounts };
    for (const [name, amount] of Object.entries(write.amounts)) sum[name] = (sum[name] ?? 0) + amount;
    sums.set(id, { ...write, ...sums.get(id), amounts: sum });
  }
  return [...writes.filter(isItemWrite), ...[...sums.values()].flatMap(recording)];
}

/** The records of one shard: one, unless the commit counts an unusual number of things. */
function recording({ table, pk, amounts, countsOf, afterCommit }: LedgerWrite): ItemWrite[] {
  const parts: { readonly amounts: Record<string, number>; nodes: ReadonlySet<string> }[] = [];
  for (const [name, amount] of Object.entries(amounts)) {
    if (amount === 0) continue;
    const added = new Set(countsOf(name).map(({ node }) => node));
    let part = parts.at(-1);
    if (!part || part.nodes.union(added).size > MAX_NODES_PER_RECORD) {
      part = { amounts: {}, nodes: new Set() };
      parts.push(part);
    }
    part.amounts[name] = amount;
    part.nodes = part.nodes.union(added);
  }
  return parts.map((part, n) => ({
    item: { Put: { TableName: table, Item: newRecord(pk, part.amounts) } },
    ...(n === 0 && { afterCommit }),
  }));
}

// The random part is a key that no other write has, so the record needs no condition.
const newRecord = (pk: string, amounts: LedgerWrite['amounts']): Attributes =>
  toAttributes({ pk, sk: `${RECORD_PREFIX}${randomBytes(9).toString('base64url')}`, amounts });
