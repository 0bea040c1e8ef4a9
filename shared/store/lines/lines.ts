import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Attributes } from '../item.ts';

/**
 * An item as a line of text, in the form of DynamoDB's own exports.
 * @example lineOf(item) // '{"Item":{"pk":{"S":"JOB#1"},…}}\n'
 */
export const lineOf = (item: Attributes): string =>
  // A replacer is called for every field, and takes several times as long as the rest.
  `${JSON.stringify({ Item: item }, Object.values(item).some(hasBytes) ? encodeBytes : undefined)}\n`;

function hasBytes({ B, BS, L, M }: AttributeValue): boolean {
  if (B !== undefined || BS !== undefined) return true;
  return (L?.some(hasBytes) ?? false) || (M !== undefined && Object.values(M).some(hasBytes));
}

// JSON has no bytes. The SDK has them as Uint8Array in B and BS, and DynamoDB itself as base64. A Buffer has become JSON
// before it comes here, so the field is looked up.
function encodeBytes(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  const field = this[name];
  return field instanceof Uint8Array ? Buffer.from(field).toString('base64') : value;
}

/** The item of a line. Throws where it has none. */
export function parseLine(text: string): Attributes {
  const { Item: item } = JSON.parse(text) as { readonly Item?: Attributes };
  if (item?.pk?.S === undefined || item.sk?.S === undefined) throw new Error('A line has no key.');
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, decodeBytes(value)]));
}

const bytesOf = (value: unknown): Uint8Array => Buffer.from(String(value), 'base64');

function decodeBytes(value: AttributeValue): AttributeValue {
  if (value.B !== undefined) return { B: bytesOf(value.B) };
  if (value.BS !== undefined) return { BS: value.BS.map(bytesOf) };
  if (value.L !== undefined) return { L: value.L.map(decodeBytes) };
  if (value.M !== undefined)
    return { M: Object.fromEntries(Object.entries(value.M).map(([name, of]) => [name, decodeBytes(of)])) };
  return value;
}
