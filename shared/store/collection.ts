import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { tableName } from '../settings/names.ts';
import { getBatch } from './batch.ts';
import { dynamo } from './client.ts';
import {
  type CollectionOptions,
  collectionWrites,
  type Expectation,
  type Stored,
  type WriteOf,
} from './collection-writes.ts';
import { commit } from './commit.ts';
import { type Attributes, keyAttributes } from './item.ts';
import type { Write } from './write.ts';

export type { CollectionOptions, Expectation, Stored, WriteOf } from './collection-writes.ts';

export type Along = {
  /** Further writes, on any item, that happen if and only if this one does. */
  readonly also?: readonly Write[];
};

export type Collection<T extends object, Id> = ReturnType<typeof collection<T, Id>>;

/**
 * Items of one type in a service's table. A change is refused with RaceLost when the item is no longer
 * the one that was read. `creating`, `changing` and the like are the same writes as values, for `also`.
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
    ...writes,
    /** The item in a row of the table, for queries. */
    read,

    async get(of: Id): Promise<Stored<T> | undefined> {
      const request = { TableName: tableName(service), Key: keyAttributes(key(of)), ConsistentRead: true };
      const { Item } = await dynamo().send(new GetItemCommand(request));
      return Item && read(Item);
    },

    /** Those that are there, in the order asked for. */
    async getMany(ids: readonly Id[]): Promise<Stored<T>[]> {
      const name = (of: Id): string => JSON.stringify(Object.values(key(of)));
      const items = (await getBatch(tableName(service), ids.map(key))).map(read);
      const byName = new Map(items.map((item) => [name(id(item)), item]));
      return ids.map((of) => byName.get(name(of))).filter((item) => item !== undefined);
    },

    create: (item: T, along: Along = {}) => commitOf(writes.creating(item), along),
    put: (item: T, along: Along = {}) => commitOf(writes.putting(item), along),
    change: (current: Stored<T>, patch: Partial<T>, options: Along & Expectation<T> = {}) =>
      commitOf(writes.changing(current, patch, options), options),
    delete: (current: Stored<T>, { also = [] }: Along = {}) => commit([writes.deleting(current), ...also]),
  };
}
