import type { Database } from '../database.ts';
import { conditionFailed, invalid } from './errors.ts';
import { meets } from './expression/condition.ts';
import { bindingsOf, conditionOf, project, updateOf } from './expression/expressions.ts';
import { checkOperands } from './expression/operands.ts';
import type { Path } from './expression/path.ts';
import { applyUpdate, changedPaths } from './expression/update.ts';
import { type Address, addressOf, checkIndexKeys, readItem, writeItem } from './items.ts';
import { onlyKnown, type Request } from './request.ts';
import { checkKey, checkKeyAttributes, type Table, type Tables } from './tables.ts';
import { checkedItem, type Item, itemBytes, MAX_ITEM_BYTES, mayExceed, withBytes } from './values.ts';

export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** A write whose request is valid, and the address of its item. */
export type Write = {
  readonly table: Table;
  readonly address: Address;
  /** The address as one text, for locks and duplicates. */
  readonly id: string;
  readonly key: Item;
  /** The item after it, when the item is this one now. Throws where its condition fails, or it does not fit. */
  readonly evaluate: (before: Item | undefined) => Item | undefined;
  readonly isCheck: boolean;
  readonly answer: (before: Item | undefined, after: Item | undefined) => object;
};

const CONDITION = ['ConditionExpression', 'ExpressionAttributeNames', 'ExpressionAttributeValues'];
const COMMON = ['TableName', 'ReturnValues', 'ReturnValuesOnConditionCheckFailure', ...CONDITION];
const KNOWN: Record<WriteKind, readonly string[]> = {
  Put: [...COMMON, 'Item'],
  Update: [...COMMON, 'Key', 'UpdateExpression'],
  Delete: [...COMMON, 'Key'],
  ConditionCheck: [...COMMON, 'Key'],
};

/** The request of one write, with its expressions read. Called, it finds the place of its item, or refuses the key. */
export type Draft = () => Write;

/** Reads the request of one write. Nothing is read of the item yet. */
export function draftWrite(tables: Tables, kind: WriteKind, request: Request): Draft {
  onlyKnown(request, KNOWN[kind]);
  const table = tables.find(String(request.TableName));
  const { ConditionExpression, UpdateExpression } = request as Record<string, string | undefined>;
  const bindings = bindingsOf(request, [ConditionExpression, UpdateExpression]);
  const condition = ConditionExpression === undefined ? undefined : conditionOf(ConditionExpression);
  if (condition) checkOperands(condition, bindings, 'ConditionExpression');
  const update = UpdateExpression === undefined ? [] : updateOf(UpdateExpression);
  const paths = changedPaths(update, bindings, table.keyNames);
  return () => {
    const key = kind === 'Put' ? putKeyIn(table, request) : keyIn(table, request);
    const put = kind === 'Put' ? checkedItem(request.Item as Item) : undefined;
    if (put) {
      checkIndexKeys(table, put);
      checkSize(itemBytes(put));
    }
    const address = addressOf(table, key);
    const tellsOld = request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';

    const evaluate = (before: Item | undefined): Item | undefined => {
      if (condition && !meets(condition, before ?? {}, bindings))
        throw conditionFailed(tellsOld ? before : undefined);
      if (kind === 'ConditionCheck') return before;
      if (kind === 'Delete') return undefined;
      if (put) return put;
      const after = applyUpdate(update, paths, before ?? key, bindings);
      checkIndexKeys(table, after, before);
      return after;
    };
    return {
      table,
      address,
      id: `${table.id}/${JSON.stringify(address.map(String))}`,
      key,
      evaluate,
      isCheck: kind === 'ConditionCheck',
      answer: (before, after) => attributesOf(String(request.ReturnValues ?? 'NONE'), before, after, paths),
    };
  };
}

function putKeyIn(table: Table, { Item: item }: Request): Item {
  checkKeyAttributes(table, item as Item);
  return item as Item;
}

function keyIn(table: Table, { Key: key }: Request): Item {
  checkKey(table, key as Item);
  return key as Item;
}

function checkSize(bytes: number): void {
  if (bytes > MAX_ITEM_BYTES) throw invalid('Item size has exceeded the maximum allowed size');
}

function attributesOf(
  returnValues: string,
  before: Item | undefined,
  after: Item | undefined,
  paths: readonly Path[],
): object {
  const found = returnValues.endsWith('_OLD') ? before : returnValues.endsWith('_NEW') ? after : undefined;
  if (!found) return {};
  const attributes = returnValues.startsWith('UPDATED')
    ? project(found, paths, { names: {}, values: {} })
    : found;
  return Object.keys(attributes).length > 0 ? { Attributes: withBytes(attributes) } : {};
}

/** What a write makes of its item. */
export type Change = {
  readonly write: Write;
  /** With the indexes that it has at the commit: one may have been added since the request was read. */
  readonly table: Table;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  /** The item as it is stored. */
  readonly text: string | undefined;
};

/** Reads the item and evaluates the write. Inside a commit nothing comes in between. */
export function changeBy(database: Database, tables: Tables, write: Write): Change {
  const table = tables.find(write.table.name);
  const before = readItem(database, table, write.address);
  const after = write.evaluate(before);
  const text = after && JSON.stringify(after);
  if (text && mayExceed(text.length, MAX_ITEM_BYTES)) checkSize(itemBytes(after));
  return { write, table, before, after, text };
}

/** Writes a change, and gives the answer. */
export function makeChange(database: Database, { write, table, before, after, text }: Change): object {
  if (!write.isCheck) writeItem(database, table, write.address, before, after, text);
  return write.answer(before, after);
}
