import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type ServiceName, tableName } from '../settings/names.ts';
import { dynamo } from './client.ts';
import { getBatch } from './collection.ts';
import {
  type Attributes,
  type Guard,
  guarded,
  type Key,
  keyAttributes,
  placeholders,
  toAttributes,
} from './item.ts';
import { retryWhileLocked } from './retry-on-conflict.ts';
import type { ItemWrite } from './write.ts';

type KeyedOptions<Id> = { readonly service: ServiceName; readonly key: (id: Id) => Key };

/** The fields of an item that are numbers. */
type Amounts<T> = { readonly [K in keyof T as T[K] extends number | undefined ? K : never]?: number };

/**
 * Items that are written without being read: claims, counts and marks. They do not hold their id, and have no version:
 * the condition of a write is on their fields. A field `ttl` is the time when the item may go, in epoch seconds.
 * @example const claims = keyedItems<{ readonly jobId: string }, string>({ service: 'batch', key: keyOfPath });
 *          await commit([job, claims.putting(path, { jobId }, { when: 'no item', refusal: () => new PathTaken(path) })]);
 */
export function keyedItems<T extends object, Id>({ service, key }: KeyedOptions<Id>) {
  const target = (id: Id) => ({ TableName: tableName(service), Key: keyAttributes(key(id)) });
  const read = (attributes: Attributes): T => {
    const { pk, sk, ...item } = unmarshall(attributes);
    return item as T;
  };
  const updateOf = (
    id: Id,
    text: (expression: ReturnType<typeof placeholders>) => string,
    guard?: Guard<T>,
  ) => {
    const expression = placeholders();
    return { ...target(id), UpdateExpression: text(expression), ...guarded(guard, expression) };
  };

  return {
    service,
    key,
    read,

    /**
     * Creates the item, or replaces the one that is there.
     * @example actions.putting(id, { jobId, isActive: true }, { when: { anyOf: ['no item', { isActive: false }] }, refusal })
     */
    putting: (id: Id, item: T, guard?: Guard<T>): ItemWrite => ({
      item: {
        Put: {
          TableName: tableName(service),
          Item: toAttributes({ ...item, ...key(id) }),
          ...guarded(guard),
        },
      },
      refusal: guard?.refusal,
    }),

    /**
     * Adds to counts of the item, which begin with zero where there are none.
     * @example names.adding(name, { holders: 1 }, { when: { holders: { anyOf: [undefined, { atMost: 0 }] } }, refusal })
     */
    adding: (id: Id, amounts: Amounts<T>, guard?: Guard<T>): ItemWrite => ({
      item: { Update: updateOf(id, (expression) => expression.add(amounts), guard) },
      refusal: guard?.refusal,
    }),

    /**
     * Sets fields, and removes those that are set to undefined. The item is created where there is none and the guard
     * does not exclude it.
     * @example inputs.patching(input, { goneAtMs: nowMs }, { when: { jobId }, refusal: () => new InputKnown(input) })
     */
    patching: (id: Id, patch: Partial<T>, guard?: Guard<T>): ItemWrite => ({
      item: { Update: updateOf(id, (expression) => expression.update(patch), guard) },
      refusal: guard?.refusal,
    }),

    /** Deletes the item. Without a guard it is no error where there is none. */
    removing: (id: Id, guard?: Guard<T>): ItemWrite => ({
      item: { Delete: { ...target(id), ...guarded(guard) } },
      refusal: guard?.refusal,
    }),

    /** Patches now, and answers the whole item as this write left it. Of two at once each sees the one before it. */
    async patch(id: Id, patch: Partial<T>): Promise<T> {
      const request = {
        ...updateOf(id, (expression) => expression.update(patch)),
        ReturnValues: 'ALL_NEW',
      } as const;
      const { Attributes = {} } = await retryWhileLocked(() => dynamo().send(new UpdateItemCommand(request)));
      return read(Attributes);
    },

    /** In the order of the ids. Undefined where there is none. */
    async getMany(ids: readonly Id[]): Promise<(T | undefined)[]> {
      const nameOf = ({ pk, sk }: Key): string => JSON.stringify([pk, sk]);
      const found = await getBatch(tableName(service), ids.map(key));
      const byName = new Map(
        found.map((item) => [nameOf({ pk: item.pk?.S ?? '', sk: item.sk?.S ?? '' }), read(item)]),
      );
      return ids.map((id) => byName.get(nameOf(key(id))));
    },
  };
}
