import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type Key, keyAttributes, placeholders } from './item.ts';

/** A write on one item, with the error for a failed condition. */
export type ItemWrite = {
  readonly item: TransactWriteItem;
  readonly refusal?: () => Error;
  /** The version of the item after this write. */
  readonly leaves?: string;
};

/** Numbers to add to fields of one item. It has no condition, and the item need not exist. */
type Addition = {
  readonly table: string;
  readonly key: Key;
  readonly amounts: Readonly<Record<string, number>>;
};

/** One write as a value. `commit` sends it alone, or with others, all or nothing. */
export type Write = ItemWrite | Addition;

const isAddition = (write: Write): write is Addition => 'amounts' in write;
const isItemWrite = (write: Write): write is ItemWrite => 'item' in write;

/**
 * The writes as a transaction takes them, one for each item. Additions to the same item are summed, so that one commit
 * can add two entries to a list.
 */
export function onePerItem(writes: readonly Write[]): ItemWrite[] {
  const sums = new Map<string, Addition>();
  for (const { table, key, amounts } of writes.filter(isAddition)) {
    const id = JSON.stringify([table, key.pk, key.sk]);
    const sum: Record<string, number> = { ...sums.get(id)?.amounts };
    for (const [field, amount] of Object.entries(amounts)) sum[field] = (sum[field] ?? 0) + amount;
    sums.set(id, { table, key, amounts: sum });
  }
  return [...writes.filter(isItemWrite), ...[...sums.values()].map(asUpdate)];
}

function asUpdate({ table, key, amounts }: Addition): ItemWrite {
  const { name, value, bound } = placeholders();
  const additions = Object.entries(amounts).map(([field, amount]) => `${name(field)} ${value(amount)}`);
  return {
    item: {
      Update: {
        TableName: table,
        Key: keyAttributes(key),
        UpdateExpression: `ADD ${additions.join(', ')}`,
        ...bound(),
      },
    },
  };
}
