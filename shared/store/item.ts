import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';

export type Key = { readonly pk: string; readonly sk: string };
export type Attributes = Record<string, AttributeValue>;

/** An undefined field is left out. */
export const toAttributes = (item: object): Attributes => marshall(item, { removeUndefinedValues: true });

export const keyAttributes = ({ pk, sk }: Key): Attributes => ({ pk: { S: pk }, sk: { S: sk } });

type Scalar = string | number | boolean | null;

/** What a field of an item must be: this value, absent (undefined), or as a comparison says. */
type FieldCondition<V> =
  | Extract<V, Scalar>
  | undefined
  /** Also true of a field that is absent. */
  | { readonly not: Extract<V, Scalar> }
  | ([Extract<V, number>] extends [never] ? never : NumberCondition)
  | { readonly anyOf: readonly FieldCondition<V>[] };

/** Not true of a field that is absent, or no number. */
type NumberCondition = { readonly atMost: number } | { readonly below: number } | { readonly above: number };

type Clause<T> = 'no item' | { readonly [K in keyof T]?: FieldCondition<T[K]> };

/**
 * What must be true of an item in the store, as data: there is none by its key, or every field is as given, or one of
 * several such.
 * @example { state: 'Queued', tries: { anyOf: [undefined, { atMost: 2 }] } }
 * @example { anyOf: ['no item', { isActive: false }] }
 */
export type Condition<T> = Clause<T> | { readonly anyOf: readonly Clause<T>[] };

/** The condition of a write, and the error where it is not met. Nothing is written then. */
export type Guard<T> = { readonly when: Condition<T>; readonly refusal: () => Error };

const COMPARATORS: Readonly<Record<string, string>> = { not: '<>', atMost: '<=', below: '<', above: '>' };

const oneOf = (texts: readonly string[]): string => `(${texts.join(' OR ')})`;

/**
 * Expressions over one item, with placeholders for names and values: a field may be called like one of DynamoDB's 570
 * reserved words.
 */
export function placeholders() {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  let nameCount = 0;
  let valueCount = 0;
  const name = (field: string): string => {
    const placeholder = `#${nameCount++}`;
    names[placeholder] = field;
    return placeholder;
  };
  const value = (of: unknown): string => {
    const placeholder = `:${valueCount++}`;
    values[placeholder] = of;
    return placeholder;
  };

  const fieldIs = (field: string, is: unknown): string => {
    if (is === undefined) return `attribute_not_exists(${name(field)})`;
    if (is === null || typeof is !== 'object') return `${name(field)} = ${value(is)}`;
    if ('anyOf' in is) return oneOf((is.anyOf as unknown[]).map((each) => fieldIs(field, each)));
    const [[comparison = '', to] = []] = Object.entries(is);
    return `${name(field)} ${COMPARATORS[comparison]} ${value(to)}`;
  };
  const clause = (of: 'no item' | object): string =>
    of === 'no item'
      ? 'attribute_not_exists(pk)'
      : Object.entries(of)
          .map(([field, is]) => fieldIs(field, is))
          .join(' AND ');

  return {
    name,
    value,
    /** Sets the fields. A field with the value undefined is removed. */
    update(fields: object): string {
      const sets: string[] = [];
      const removes: string[] = [];
      for (const [field, to] of Object.entries(fields)) {
        if (to === undefined) removes.push(name(field));
        else sets.push(`${name(field)} = ${value(to)}`);
      }
      return [
        ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
        ...(removes.length > 0 ? [`REMOVE ${removes.join(', ')}`] : []),
      ].join(' ');
    },
    /** The item exists and its fields have these values. A field expected to be undefined must not exist. */
    condition(fields: object): string {
      const clauses = Object.entries(fields).map(([field, is]) =>
        is === undefined ? `attribute_not_exists(${name(field)})` : `${name(field)} = ${value(is)}`,
      );
      return ['attribute_exists(pk)', ...clauses].join(' AND ');
    },
    /** The item is as a guard says. */
    meets: <T>(condition: Condition<T>): string =>
      typeof condition === 'object' && 'anyOf' in condition
        ? oneOf((condition.anyOf as readonly Clause<T>[]).map(clause))
        : clause(condition),
    /** Adds to numbers. A field that is absent counts as zero. */
    add: (amounts: object): string =>
      `ADD ${Object.entries(amounts)
        .map(([field, amount]) => `${name(field)} ${value(amount)}`)
        .join(', ')}`,
    // DynamoDB refuses an empty set of names or values.
    bound: () => ({
      ...(nameCount > 0 && { ExpressionAttributeNames: names }),
      ...(valueCount > 0 && { ExpressionAttributeValues: toAttributes(values) }),
    }),
  };
}

/** The condition of a guarded write, with the names and values of all its expressions. */
export function guarded<T>(guard: Guard<T> | undefined, expression = placeholders()) {
  const condition = guard && { ConditionExpression: expression.meets(guard.when) };
  return { ...condition, ...expression.bound() };
}
