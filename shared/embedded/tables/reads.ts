import type { SQLInputValue } from 'node:sqlite';
import type { Database, Row } from '../database.ts';
import { invalid } from './errors.ts';
import { bindingsOf, keyConditionOf, project, projectionOf } from './expression/expressions.ts';
import { checkOperands } from './expression/operands.ts';
import type { Bindings, Path } from './expression/path.ts';
import { checkQueryFilter, keptOf, matcherOf, only } from './filter.ts';
import { type Address, addressOf, readText } from './items.ts';
import { keyRangeOf } from './key-range.ts';
import { onlyKnown, type Request } from './request.ts';
import {
  checkKey,
  checkKeyAttributes,
  type Index,
  itemsSql,
  keyOf,
  type Table,
  type Tables,
} from './tables.ts';
import { type Item, itemBytes, mayHaveBytes, withBytes } from './values.ts';

const MAX_PAGE_BYTES = 1_024 * 1_024;
const MAX_BATCH_BYTES = 16 * 1_024 * 1_024;
const MAX_BATCH_KEYS = 100;

const PLACEHOLDERS = ['ExpressionAttributeNames', 'ExpressionAttributeValues'];
const GET = ['TableName', 'Key', 'ConsistentRead', 'ProjectionExpression', 'ExpressionAttributeNames'];
const WALK = [
  ...['TableName', 'IndexName', 'ConsistentRead', 'ExclusiveStartKey', 'FilterExpression', 'Limit'],
  ...['ProjectionExpression', 'Select', ...PLACEHOLDERS],
];
const QUERY = [...WALK, 'KeyConditionExpression', 'ScanIndexForward'];
const SCAN = [...WALK, 'Segment', 'TotalSegments'];

export type Reads = ReturnType<typeof createReads>;

/** GetItem, BatchGetItem, Query and Scan. */
export function createReads(database: Database, tables: Tables) {
  const read = (table: Table, address: Address, shape: (item: Item) => Item): Item | undefined => {
    const text = readText(database, table, address);
    if (text === undefined) return undefined;
    const item = shape(JSON.parse(text));
    return mayHaveBytes(text) ? withBytes(item) : item;
  };

  const get = (request: Request): Item | undefined => {
    onlyKnown(request, GET);
    const table = tables.find(String(request.TableName));
    const key = request.Key as Item;
    checkKey(table, key);
    return read(table, addressOf(table, key), projectionIn(request, []));
  };

  return {
    get,

    getItem: (request: Request) => {
      const found = get(request);
      return found ? { Item: found } : {};
    },

    batchGet(request: Request) {
      onlyKnown(request, ['RequestItems']);
      const wanted = Object.entries(request.RequestItems as Record<string, Request & { Keys: Item[] }>);
      if (wanted.reduce((count, [, { Keys }]) => count + Keys.length, 0) > MAX_BATCH_KEYS)
        throw invalid('Too many items requested for the BatchGetItem call');
      const Responses: Record<string, Item[]> = {};
      const UnprocessedKeys: Record<string, object> = {};
      let bytes = 0;
      for (const [TableName, { Keys, ...rest }] of wanted) {
        onlyKnown(rest, GET);
        const table = tables.find(TableName);
        const addresses = distinctAddresses(table, Keys);
        const shape = projectionIn(rest, []);
        const found: Item[] = [];
        const left = Keys.filter((_, index) => {
          if (bytes > MAX_BATCH_BYTES) return true;
          const item = read(table, addresses[index] as Address, shape);
          if (item) {
            found.push(item);
            bytes += itemBytes(item);
          }
          return false;
        });
        Responses[TableName] = found;
        if (left.length > 0) UnprocessedKeys[TableName] = { Keys: left, ...rest };
      }
      return { Responses, UnprocessedKeys };
    },

    query(request: Request) {
      onlyKnown(request, QUERY);
      const place = placeIn(tables, request);
      const expression = String(request.KeyConditionExpression ?? '');
      const bindings = bindingsIn(request, [expression]);
      const condition = keyConditionOf(expression);
      checkOperands(condition, bindings, 'KeyConditionExpression');
      const range = keyRangeOf(condition, place.schema, bindings);
      checkQueryFilter(place, request, bindings);
      const isForward = request.ScanIndexForward !== false;
      const after = startIn(place, request);
      const clauses = [
        { sql: 'p.hash = ?', values: [range.hash] },
        ...range.bounds.map(({ sql, value }) => ({ sql: `p.${sql}`, values: [value] })),
        ...(after ? [{ sql: `${place.order} ${isForward ? '>' : '<'} ${place.marks}`, values: after }] : []),
      ];
      return page(database, place, request, bindings, clauses, isForward, () => true);
    },

    scan(request: Request) {
      onlyKnown(request, SCAN);
      const place = placeIn(tables, request);
      const bindings = bindingsIn(request, []);
      const after = startIn(place, request);
      const clauses = after ? [{ sql: `${place.order} > ${place.marks}`, values: after }] : [];
      return page(database, place, request, bindings, clauses, true, segmentIn(request));
    },
  };
}

/** Where a query or scan walks: a table, or one of its indexes joined with its items. */
type Place = {
  readonly table: Table;
  readonly index?: Index;
  readonly schema: Table | Index;
  readonly from: string;
  /** The columns that give the order, and as many question marks. */
  readonly order: string;
  readonly marks: string;
};

function placeIn(tables: Tables, request: Request): Place {
  const table = tables.find(String(request.TableName));
  if (request.IndexName === undefined)
    return {
      table,
      schema: table,
      from: `${itemsSql(table.id)} p`,
      order: '(p.hash, p.range)',
      marks: '(?, ?)',
    };
  const index = table.indexes.find(({ name }) => name === request.IndexName);
  if (!index) throw invalid(`The table does not have the specified index: ${request.IndexName}`);
  if (request.ConsistentRead) throw invalid('Consistent reads are not supported on global secondary indexes');
  return {
    table,
    index,
    schema: index,
    from: `${index.sql} p JOIN ${itemsSql(table.id)} i ON i.hash = p.itemHash AND i.range = p.itemRange`,
    order: '(p.hash, p.range, p.itemHash, p.itemRange)',
    marks: '(?, ?, ?, ?)',
  };
}

const bindingsIn = (request: Request, more: readonly string[]): Bindings =>
  bindingsOf(request, [...more, request.FilterExpression, request.ProjectionExpression] as string[]);

function startIn(
  { table, index }: Place,
  { ExclusiveStartKey: key }: Request,
): readonly SQLInputValue[] | undefined {
  if (key === undefined) return undefined;
  checkKeyAttributes(table, key as Item);
  const address = addressOf(table, key as Item);
  if (!index) return address;
  checkKeyAttributes(index, key as Item);
  return [...addressOf(index, key as Item), ...address];
}

type Clause = { readonly sql: string; readonly values: readonly SQLInputValue[] };

/** Walks until the limit, or 1 MB of items, or the end. Filtered items count for both. */
function page(
  database: Database,
  place: Place,
  request: Request,
  bindings: Bindings,
  clauses: readonly Clause[],
  isForward: boolean,
  isMine: (row: Row) => boolean,
) {
  const kept = keptOf(place);
  const matches = matcherOf(request, kept, bindings);
  const shape = projectionIn(request, kept);
  const limit = Number(request.Limit ?? Number.POSITIVE_INFINITY);
  if (limit < 1)
    throw invalid(
      "Value at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
    );
  const where = clauses.length > 0 ? `WHERE ${clauses.map(({ sql }) => sql).join(' AND ')}` : '';
  const columns = place.index ? 'p.hash, i.item' : 'p.hash, p.item';
  const order = place.order
    .slice(1, -1)
    .split(', ')
    .map((column) => `${column} ${isForward ? 'ASC' : 'DESC'}`);
  const sql = `SELECT ${columns} FROM ${place.from} ${where} ORDER BY ${order.join(', ')}`;
  const walk = { items: [] as Item[], seen: 0, matched: 0, bytes: 0, last: undefined as Item | undefined };
  let hasBytes = false;
  for (const row of database.each(sql, ...clauses.flatMap(({ values }) => values))) {
    if (!isMine(row)) continue;
    const text = String(row.item);
    hasBytes ||= mayHaveBytes(text);
    const item = JSON.parse(text) as Item;
    take(walk, item, matches(item), request.Select !== 'COUNT', shape);
    if (walk.seen >= limit || walk.bytes > MAX_PAGE_BYTES) {
      walk.last = item;
      break;
    }
  }
  const answer = {
    ...(request.Select !== 'COUNT' && { Items: walk.items }),
    Count: walk.matched,
    ScannedCount: walk.seen,
    ...(walk.last && { LastEvaluatedKey: startKeyOf(place, walk.last) }),
  };
  return hasBytes ? withBytes(answer) : answer;
}

function take(
  walk: { items: Item[]; seen: number; matched: number; bytes: number },
  item: Item,
  isMatch: boolean,
  isKept: boolean,
  shape: (item: Item) => Item,
): void {
  walk.seen += 1;
  walk.bytes += itemBytes(item);
  if (!isMatch) return;
  walk.matched += 1;
  if (isKept) walk.items.push(shape(item));
}

const startKeyOf = ({ table, index }: Place, item: Item): Item => ({
  ...keyOf(table, item),
  ...(index && keyOf(index, item)),
});

function projectionIn(request: Request, kept: readonly string[]): (item: Item) => Item {
  const whole = (item: Item): Item => only(kept, item);
  if (!request.ProjectionExpression) return whole;
  const paths: readonly Path[] = projectionOf(String(request.ProjectionExpression));
  const bindings = { names: (request.ExpressionAttributeNames ?? {}) as Record<string, string>, values: {} };
  return (item) => project(whole(item), paths, bindings);
}

/** The items of one segment of a parallel scan: those whose hash key falls into it. */
function segmentIn({ Segment, TotalSegments }: Request): (row: Row) => boolean {
  if (TotalSegments === undefined) return () => true;
  const [mine, of] = [Number(Segment), Number(TotalSegments)];
  if (!(mine >= 0 && mine < of)) throw invalid('The Segment parameter must be less than TotalSegments');
  return ({ hash }) => checksum(hash as string | Uint8Array) % of === mine;
}

// FNV-1a: spreads keys with a common beginning.
function checksum(key: string | Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of typeof key === 'string' ? Buffer.from(key) : key)
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

function distinctAddresses(table: Table, keys: readonly Item[]): Address[] {
  for (const key of keys) checkKey(table, key);
  const addresses = keys.map((key) => addressOf(table, key));
  if (new Set(addresses.map((address) => JSON.stringify(address))).size < keys.length)
    throw invalid('Provided list of item keys contains duplicates');
  return addresses;
}
