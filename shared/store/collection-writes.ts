import { randomBytes } from 'node:crypto';
import { type ServiceName, tableName } from '../settings/names.ts';
import { type Key, keyAttributes, placeholders, toAttributes } from './item.ts';
import { AlreadyExists, RaceLost } from './refusals.ts';
import type { ItemWrite } from './write.ts';

/** An item as it was read or written. Its version is a new random text with every write. */
export type Stored<T> = T & { readonly version: string };

/** What the table's `due` index and its garbage collection see of an item; `ttl` is in epoch seconds. */
type Indexed = { readonly duePk?: string; readonly dueAt?: number; readonly ttl?: number };

export type CollectionOptions<T, Id> = {
  readonly service: ServiceName;
  /** What one item is called in errors, for example `session`. */
  readonly name: string;
  readonly id: (item: T) => Id;
  readonly key: (id: Id) => Key;
  /** Worked out from the item at every write, so that the two never disagree. */
  readonly indexed?: (item: T) => Indexed;
};

export type Expectation<T> = {
  /** Fields that must hold these values in the store, or with undefined, must not be there. */
  readonly when?: Partial<T>;
  /** Let others have changed the item meanwhile. Only together with a `when` that fences them off. */
  readonly anyVersion?: boolean;
};

/** A write as a value, and the item as it is once that is committed. */
export type WriteOf<T> = ItemWrite & { readonly after: Stored<T> };

const NOT_INDEXED: Indexed = { duePk: undefined, dueAt: undefined, ttl: undefined };

// Random and not a count: an item that was replaced or made anew never has a version of its predecessor.
const newVersion = (): string => randomBytes(9).toString('base64url');

/** The writes of a collection, as values. */
export function collectionWrites<T extends object, Id>(options: CollectionOptions<T, Id>) {
  const { service, id, key, indexed } = options;
  const shown = (item: T): string => {
    const of = id(item);
    return `${options.name} ${typeof of === 'string' ? of : JSON.stringify(of)}`;
  };
  const raceLost = (item: T) => () =>
    new RaceLost(`The ${shown(item)} was changed by another writer first. Read it again and decide anew.`);
  const target = (item: T) => ({ TableName: tableName(service), Key: keyAttributes(key(id(item))) });
  const onlyIfUnchanged = (current: Stored<T>) => {
    const expression = placeholders();
    const ConditionExpression = expression.condition(expected(current, {}));
    return { ...target(current), ConditionExpression, ...expression.bound() };
  };

  function put(item: T, condition: { ConditionExpression?: string }): WriteOf<T> {
    const after = { ...item, version: newVersion() };
    const Item = toAttributes({ ...after, ...indexed?.(item), ...key(id(item)) });
    return {
      item: { Put: { TableName: tableName(service), Item, ...condition } },
      refusal: () => new AlreadyExists(`There is a ${shown(item)} already.`),
      leaves: after.version,
      after,
    };
  }

  return {
    /** Refused with AlreadyExists when there is one by this id. */
    creating: (item: T): WriteOf<T> => put(item, { ConditionExpression: 'attribute_not_exists(pk)' }),

    /** Replaces what may be there; whoever read that can change it no more. */
    putting: (item: T): WriteOf<T> => put(item, {}),

    /** A field set to undefined is removed. Refused with RaceLost. */
    changing(current: Stored<T>, patch: Partial<T>, expectation: Expectation<T> = {}): WriteOf<T> {
      const after = { ...current, ...patch, version: newVersion() };
      const attributes = indexed ? { ...NOT_INDEXED, ...indexed(after) } : {};
      const expression = placeholders();
      const Update = {
        ...target(current),
        UpdateExpression: expression.update({ ...patch, ...attributes, version: after.version }),
        ConditionExpression: expression.condition(expected(current, expectation)),
        ...expression.bound(),
      };
      return { item: { Update }, refusal: raceLost(current), leaves: after.version, after };
    },

    /** Refused with RaceLost. */
    deleting: (current: Stored<T>): ItemWrite => ({
      item: { Delete: onlyIfUnchanged(current) },
      refusal: raceLost(current),
    }),

    /** Writes nothing, and lets what goes along with it happen only while the item is still this one. */
    unchanged: (current: Stored<T>): ItemWrite => ({
      item: { ConditionCheck: onlyIfUnchanged(current) },
      refusal: raceLost(current),
    }),
  };
}

function expected<T>({ version }: Stored<T>, { when, anyVersion }: Expectation<T>) {
  return { ...when, ...(anyVersion ? {} : { version }) };
}
