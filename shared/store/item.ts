import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';

export type Key = { readonly pk: string; readonly sk: string };
export type Attributes = Record<string, AttributeValue>;

/** An undefined field is left out. */
export const toAttributes = (item: object): Attributes => marshall(item, { removeUndefinedValues: true });

export const keyAttributes = ({ pk, sk }: Key): Attributes => ({ pk: { S: pk }, sk: { S: sk } });

/**
 * Expressions over one item, with placeholders for names and values: a field may be called like one of DynamoDB's 570
 * reserved words.
 */
export function placeholders() {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const name = (field: string): string => {
    const placeholder = `#${Object.keys(names).length}`;
    names[placeholder] = field;
    return placeholder;
  };
  const value = (of: unknown): string => {
    const placeholder = `:${Object.keys(values).length}`;
    values[placeholder] = of;
    return placeholder;
  };

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
    bound: () => ({
      ExpressionAttributeNames: names,
      // DynamoDB refuses an empty set of values.
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: toAttributes(values) }),
    }),
  };
}
