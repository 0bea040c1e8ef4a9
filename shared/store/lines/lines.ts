import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Attributes, Key } from '../item.ts';

/** One line of a snapshot: an item as it is, or the key of one that is not there. The last line of a key counts. */
export type Line = { readonly put: Attributes } | { readonly delete: Key };

/** @example lineOf({ put: item }) // '{"put":{"pk":{"S":"JOB#1"},…}}\n' */
export const lineOf = (line: Line): string =>
  // A replacer is called for every field, and takes several times as long as the rest.
  'put' in line && Object.values(line.put).some(hasBytes)
    ? `${JSON.stringify(line, encodeBytes)}\n`
    : `${JSON.stringify(line)}\n`;

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

/** The line of a text. Throws where it is none. */
export function parseLine(text: string): Line {
  const line = JSON.parse(text) as { readonly put?: Attributes; readonly delete?: Key };
  if (typeof line.delete?.pk === 'string' && typeof line.delete.sk === 'string')
    return { delete: line.delete };
  const { put } = line;
  if (put?.pk?.S === undefined || put.sk?.S === undefined) throw new Error('A line has no key.');
  return {
    put: Object.fromEntries(Object.entries(put).map(([name, value]) => [name, decodeBytes(value)])),
  };
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

/** The key of the item that a line is about. */
export const keyOfLine = (line: Line): Key =>
  'put' in line ? { pk: line.put.pk?.S ?? '', sk: line.put.sk?.S ?? '' } : line.delete;
