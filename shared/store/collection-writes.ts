import { randomBytes } from 'node:crypto';
import { type ServiceName, tableName } from '../settings/names.ts';
import { type Guard, guarded, type Key, keyAttributes, placeholders, toAttributes } from './item.ts';
import { AlreadyExists, RaceLost } from './refusals.ts';
import type { ItemWrite } from './write.ts';

/** An item as it was read or written. Every write gives it a new random version. */
export type Stored<T> = T & { readonly version: string };

/** The attributes for the table's `due` index and its TTL; `ttl` is in epoch seconds. */
type Indexed = { readonly duePk?: string; readonly dueAt?: number; readonly ttl?: number };

export type CollectionOptions<T, Id> = {
  readonly service: ServiceName;
  /** The name of one item in error messages, for example `session`. */
  readonly name: string;
  readonly id: (item: T) => Id;
  readonly key: (id: Id) => Key;
  /** Derived from the item at every write, so that the two always agree. */
  readonly indexed?: (item: T) => Indexed;
};

export type Expectation<T> = {
  /** Fields that must have these values in the store. A field given as undefined must not exist. */
  readonly when?: Partial<T>;
  /** Accept changes by others since the item was read. Use it only with a `when` that excludes the harmful ones. */
  readonly anyVersion?: boolean;
};

/** A change of an item that was not read. */
export type Patching<T> = Guard<T> & {
  /** When the item may go, in epoch seconds: `indexed` cannot tell it without the whole item. */
  readonly ttl?: number;
  /** Those who have read the item may change it still: they write other fields. */
  readonly keepsVersion?: boolean;
};

/** A write as a value, and the item after its commit. */
export type WriteOf<T> = ItemWrite & { readonly after: Stored<T> };

const NOT_INDEXED: Indexed = { duePk: undefined, dueAt: undefined, ttl: undefined };

const VERSION_BYTES = 9;
const VERSIONS_AT_ONCE = 128;
let drawn = Buffer.alloc(0);

/**
 * Random and not a count: an item that was replaced or created again never has a version of its predecessor. Many are drawn
 * at once: to ask the system for nine bytes takes as long as for a thousand.
 */
export function newVersion(): string {
  if (drawn.length === 0) drawn = randomBytes(VERSION_BYTES * VERSIONS_AT_ONCE);
  const version = drawn.toString('base64url', 0, VERSION_BYTES);
  drawn = drawn.subarray(VERSION_BYTES);
  return version;
}

/** The writes of a collection, as values. */
export function collectionWrites<T extends object, Id>(options: CollectionOptions<T, Id>) {
  const { service, id, key, indexed } = options;
  const nameOf = (item: T): string => {
    const itemId = id(item);
    return `${options.name} ${typeof itemId === 'string' ? itemId : JSON.stringify(itemId)}`;
  };
  const raceLost = (item: T) => () =>
    new RaceLost(`The ${nameOf(item)} was changed by another writer first. Read it and decide again.`);
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
      refusal: () => new AlreadyExists(`The ${nameOf(item)} exists already.`),
      leaves: after.version,
      after,
    };
  }

  return {
    /** Refused with AlreadyExists when an item has this id. */
    creating: (item: T): WriteOf<T> => put(item, { ConditionExpression: 'attribute_not_exists(pk)' }),

    /** Creates or replaces the item. A writer that read the old item can no longer change it. */
    putting: (item: T): WriteOf<T> => put(item, {}),

    /** A field that is set to undefined is removed. Refused with RaceLost. */
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

    /**
     * Changes fields of the item that has this id, without reading it. What `indexed` gives stays, but for `ttl`.
     * @example instances.patching(name, { heartbeatAtMs: nowMs }, { when: { isStopped: false }, refusal })
     */
    patching(itemId: Id, patch: Partial<T>, { ttl, keepsVersion, ...guard }: Patching<T>): ItemWrite {
      const version = keepsVersion ? undefined : newVersion();
      const expression = placeholders();
      const fields = { ...patch, ...(ttl !== undefined && { ttl }), ...(version && { version }) };
      const Update = {
        TableName: tableName(service),
        Key: keyAttributes(key(itemId)),
        UpdateExpression: expression.update(fields),
        ...guarded(guard, expression),
      };
      return { item: { Update }, refusal: guard.refusal, leaves: version };
    },

    /** Refused with RaceLost. */
    deleting: (current: Stored<T>): ItemWrite => ({
      item: { Delete: onlyIfUnchanged(current) },
      refusal: raceLost(current),
    }),

    /** Deletes whatever has this id. No error where nothing has it. */
    removing: (itemId: Id): ItemWrite => ({
      item: { Delete: { TableName: tableName(service), Key: keyAttributes(key(itemId)) } },
    }),

    /** Writes nothing. The other writes of its commit happen only if the item is unchanged. Refused with RaceLost. */
    unchanged: (current: Stored<T>): ItemWrite => ({
      item: { ConditionCheck: onlyIfUnchanged(current) },
      refusal: raceLost(current),
    }),
  };
}

function expected<T>({ version }: Stored<T>, { when, anyVersion }: Expectation<T>) {
  return { ...when, ...(anyVersion ? {} : { version }) };
}
