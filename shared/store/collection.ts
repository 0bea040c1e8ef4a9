import { setTimeout as pause } from 'node:timers/promises';
import { BatchGetItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { jitteredBackoff } from '../async/retry.ts';
import { type ServiceName, tableName } from '../settings/names.ts';
import { dynamo } from './client.ts';
import {
  type CollectionOptions,
  collectionWrites,
  type Expectation,
  type Stored,
  type WriteOf,
} from './collection-writes.ts';
import { commit } from './commit.ts';
import { type Attributes, type Key, keyAttributes } from './item.ts';
import type { Write } from './write.ts';

export type { CollectionOptions, Expectation, Stored, WriteOf } from './collection-writes.ts';

export type Along = {
  /** Further writes, on any item, that happen if and only if this one happens. */
  readonly also?: readonly Write[];
};

export type Collection<T extends object, Id> = ReturnType<typeof collection<T, Id>>;

/**
 * Items of one type in a service's table. A change is refused with RaceLost when the item has changed since it was
 * read. `creating`, `changing` and the like are the same writes as values, for `also` and `commit`.
 * @example const jobs = collection<Job, string>({ service: 'batch', name: 'job', id: (job) => job.id, key });
 *          await jobs.change(job, { note: 'seen' }, { also: [notes.creating(note)] });
 */
export function collection<T extends object, Id>(options: CollectionOptions<T, Id>) {
  const { service, id, key } = options;
  const writes = collectionWrites(options);

  const read = (attributes: Attributes): Stored<T> => {
    const { pk, sk, duePk, dueAt, ttl, ...item } = unmarshall(attributes);
    return item as Stored<T>;
  };
  const commitOf = async (write: WriteOf<T>, { also = [] }: Along): Promise<Stored<T>> => {
    await commit([write, ...also]);
    return write.after;
  };

  return {
    service,
    key,
    keyOf: (item: T): Key => key(id(item)),
    ...writes,
    /** The item of a row of the table, for queries. */
    read,

    async get(itemId: Id): Promise<Stored<T> | undefined> {
      const request = {
        TableName: tableName(service),
        Key: keyAttributes(key(itemId)),
        ConsistentRead: true,
      };
      const { Item } = await dynamo().send(new GetItemCommand(request));
      return Item && read(Item);
    },

    /** The items that exist, in the order of the ids. */
    async getMany(ids: readonly Id[]): Promise<Stored<T>[]> {
      const name = (itemId: Id): string => JSON.stringify(Object.values(key(itemId)));
      const items = (await getBatch(tableName(service), ids.map(key))).map(read);
      const byName = new Map(items.map((item) => [name(id(item)), item]));
      return ids.map((itemId) => byName.get(name(itemId))).filter((item) => item !== undefined);
    },

    create: (item: T, along: Along = {}) => commitOf(writes.creating(item), along),
    put: (item: T, along: Along = {}) => commitOf(writes.putting(item), along),
    change: (current: Stored<T>, patch: Partial<T>, options: Along & Expectation<T> = {}) =>
      commitOf(writes.changing(current, patch, options), options),
    delete: (current: Stored<T>, { also = [] }: Along = {}) => commit([writes.deleting(current), ...also]),
  };
}

/** Items that can be read together with others of the same service. */
type Readable<T, Id> = {
  readonly service: ServiceName;
  readonly key: (id: Id) => Key;
  readonly read: (attributes: Attributes) => T;
};

/**
 * Reads two items of one service in one request.
 * @example const [document, ticket] = await getBoth([documents, id], [tickets, { documentId: id, hash }]);
 */
export async function getBoth<A, AId, B, BId>(
  [first, firstId]: readonly [Readable<A, AId>, AId],
  [second, secondId]: readonly [Readable<B, BId>, BId],
): Promise<readonly [A | undefined, B | undefined]> {
  const keys = [first.key(firstId), second.key(secondId)] as const;
  const found = await getBatch(tableName(first.service), keys);
  const at = ({ pk, sk }: Key) => found.find((item) => item.pk?.S === pk && item.sk?.S === sk);
  const [one, other] = [at(keys[0]), at(keys[1])];
  return [one && first.read(one), other && second.read(other)];
}

// DynamoDB takes no more in one request.
const KEYS_PER_REQUEST = 100;

// About two seconds and a half in all: a burst of throttling is shorter.
const MAX_ATTEMPTS = 8;
const PAUSES = jitteredBackoff(20);

/** Reads many items, in no order. A key given twice is read once; an item that does not exist is left out. */
export async function getBatch(table: string, keys: readonly Key[]): Promise<Attributes[]> {
  const distinct = [...new Map(keys.map((key) => [JSON.stringify([key.pk, key.sk]), key])).values()];
  const found: Attributes[] = [];
  for (let from = 0; from < distinct.length; from += KEYS_PER_REQUEST) {
    found.push(...(await getChunk(table, distinct.slice(from, from + KEYS_PER_REQUEST))));
  }
  return found;
}

// A throttled table answers with a part of the items and names the others as unprocessed.
async function getChunk(table: string, keys: readonly Key[]): Promise<Attributes[]> {
  const found: Attributes[] = [];
  let remaining = keys.map(keyAttributes);
  for (let attempt = 1; ; ) {
    const request = { RequestItems: { [table]: { Keys: remaining, ConsistentRead: true } } };
    const { Responses, UnprocessedKeys } = await dynamo().send(new BatchGetItemCommand(request));
    const some = Responses?.[table] ?? [];
    found.push(...some);
    remaining = UnprocessedKeys?.[table]?.Keys ?? [];
    if (remaining.length === 0) return found;
    // Large items come a few at a time. Only an answer without any item means that the table is throttled.
    if (some.length > 0) continue;
    attempt++;
    if (attempt >= MAX_ATTEMPTS) {
      throw new Error(
        `${table} is throttled: ${remaining.length} of ${keys.length} items were not read. Try again.`,
      );
    }
    await pause(PAUSES(attempt));
  }
}
