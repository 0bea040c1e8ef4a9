import { type AttributeValue, ScanCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { forEachConcurrently } from '../../shared/async/for-each-concurrently.ts';
import { keyIdOf, rewrap } from '../../shared/keyring/envelope.ts';
import type { Ring, RingKey } from '../../shared/settings/keyring.ts';
import { type ServiceName, tableName } from '../../shared/settings/names.ts';
import { dynamo } from '../../shared/store/client.ts';
import { getBatch } from '../../shared/store/collection.ts';
import { newVersion } from '../../shared/store/collection-writes.ts';
import { type Attributes, placeholders } from '../../shared/store/item.ts';

// A page is read, its values are wrapped anew, then its end is recorded. A sweep that is killed begins with the page again.
const PAGE_ITEMS = 200;
const WRITES_AT_ONCE = 8;
// A writer that is faster each time has given the item a new seal itself.
const MAX_TRIES = 10;

/** The end of a page, from which a sweep goes on. */
export type Position = Attributes;

/** The pages of a table, from a position. */
export async function* pagesOf(
  service: ServiceName,
  from?: Position,
): AsyncGenerator<{ readonly items: readonly Attributes[]; readonly end: Position | undefined }> {
  let start = from;
  do {
    const { Items: items = [], LastEvaluatedKey: end } = await dynamo().send(
      new ScanCommand({
        TableName: tableName(service),
        ConsistentRead: true,
        Limit: PAGE_ITEMS,
        ExclusiveStartKey: start,
      }),
    );
    yield { items, end };
    start = end;
  } while (start);
}

/** What became of the sealed values of a page, by the ids of their keys where they were left as they were. */
export type PageResult = { rewrapped: number; unknown: Record<string, number> };

/** Wraps every sealed value of these items with a key. Others may change the items meanwhile. */
export async function rewrapItems(
  service: ServiceName,
  items: readonly Attributes[],
  ring: Ring,
  to: RingKey,
): Promise<PageResult> {
  const result: PageResult = { rewrapped: 0, unknown: {} };
  await forEachConcurrently(WRITES_AT_ONCE, items, async (item) => {
    const done = await rewrapItem(service, item, ring, to);
    result.rewrapped += done.rewrapped;
    for (const [id, count] of Object.entries(done.unknown))
      result.unknown[id] = (result.unknown[id] ?? 0) + count;
  });
  return result;
}

async function rewrapItem(
  service: ServiceName,
  item: Attributes,
  ring: Ring,
  to: RingKey,
): Promise<PageResult> {
  let current: Attributes | undefined = item;
  for (let tries = 0; current && tries < MAX_TRIES; tries++) {
    const result: PageResult = { rewrapped: 0, unknown: {} };
    const changed: Attributes = {};
    for (const [name, value] of Object.entries(current)) {
      const next = rewrapValue(value, ring, to, result);
      if (next !== value) changed[name] = next;
    }
    if (Object.keys(changed).length === 0) return result;
    if (await write(service, current, changed)) return result;
    const [pk, sk] = [current.pk?.S ?? '', current.sk?.S ?? ''];
    [current] = await getBatch(tableName(service), [{ pk, sk }]);
  }
  if (!current) return { rewrapped: 0, unknown: {} };
  throw new Error(
    `An item of ${tableName(service)} is changed all the time, ${current.pk?.S} ${current.sk?.S}. Run the command again.`,
  );
}

/** The values of an item that a key opens. */
export function countNamed(value: AttributeValue, id: string): number {
  if (value.S !== undefined) return keyIdOf(value.S) === id ? 1 : 0;
  const inside = value.L ?? Object.values(value.M ?? {});
  return inside.reduce((sum, each) => sum + countNamed(each, id), 0);
}

/** The attribute with its sealed values wrapped anew, or the same one where it has none. */
function rewrapValue(value: AttributeValue, ring: Ring, to: RingKey, result: PageResult): AttributeValue {
  if (value.S !== undefined) {
    const id = keyIdOf(value.S);
    if (id === undefined || id === to.id) return value;
    const from = ring.find((key) => key.id === id);
    const text = from && rewrap(from, to, value.S);
    if (text === undefined) result.unknown[id] = (result.unknown[id] ?? 0) + 1;
    else result.rewrapped += 1;
    return text === undefined ? value : { S: text };
  }
  if (value.L) {
    const list = value.L.map((each) => rewrapValue(each, ring, to, result));
    return list.some((each, n) => each !== value.L?.[n]) ? { L: list } : value;
  }
  if (!value.M) return value;
  const { M } = value;
  const map = Object.fromEntries(
    Object.entries(M).map(([name, each]) => [name, rewrapValue(each, ring, to, result)]),
  );
  return Object.keys(map).some((name) => map[name] !== M[name]) ? { M: map } : value;
}

// A change by somebody who has read the item before:
//
//   service  |--reads version a---------------------- writes: refused, reads again, and so keeps the new seal --|
//   sweep        |--reads-- writes: version b --|
//
/** False where the item was changed since it was read. */
async function write(service: ServiceName, item: Attributes, changed: Attributes): Promise<boolean> {
  const { pk, sk, version } = item;
  if (!pk || !sk) return true;
  const expression = placeholders();
  const names = Object.keys(changed);
  const [sets, conditions] = [[] as string[], ['attribute_exists(pk)']];
  const values: Attributes = {};
  const bind = (value: AttributeValue | undefined): string => {
    const placeholder = `:v${Object.keys(values).length}`;
    if (value) values[placeholder] = value;
    return placeholder;
  };
  for (const name of names) {
    const field = expression.name(name);
    sets.push(`${field} = ${bind(changed[name])}`);
    conditions.push(`${field} = ${bind(item[name])}`);
  }
  // Of an item of a collection. A number would be something of its own.
  if (version?.S !== undefined) {
    const field = expression.name('version');
    sets.push(`${field} = ${bind({ S: newVersion() })}`);
    conditions.push(`${field} = ${bind(version)}`);
  }
  const { ExpressionAttributeNames } = expression.bound();
  try {
    await dynamo().send(
      new UpdateItemCommand({
        TableName: tableName(service),
        Key: { pk, sk },
        UpdateExpression: `SET ${sets.join(', ')}`,
        ConditionExpression: conditions.join(' AND '),
        ExpressionAttributeNames,
        ExpressionAttributeValues: values,
      }),
    );
    return true;
  } catch (error) {
    const { name } = error as Error;
    if (name === 'ConditionalCheckFailedException' || name === 'TransactionConflictException') return false;
    throw error;
  }
}
