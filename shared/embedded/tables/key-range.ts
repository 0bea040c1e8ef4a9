import type { SQLInputValue } from 'node:sqlite';
import { invalid } from './errors.ts';
import type { Condition, Operand } from './expression/condition.ts';
import { type Bindings, boundValue, resolvePath } from './expression/path.ts';
import type { KeySchema } from './tables.ts';
import { sortKey } from './values.ts';

/** A bound of the range key, as SQL over the columns of a table or index. */
type Bound = { readonly sql: string; readonly value: SQLInputValue };

/** One hash key, and bounds of the range key. */
export type KeyRange = { readonly hash: SQLInputValue; readonly bounds: readonly Bound[] };

const wrong = (why: string) => invalid(`Query condition missed key schema element, or ${why}`);

/** Reads a key condition: the hash key equals a value, and at most one condition on the range key. */
export function keyRangeOf(condition: Condition, schema: KeySchema, bindings: Bindings): KeyRange {
  const parts = condition.kind === 'and' ? condition.parts : [condition];
  const hashes = parts.filter((part) => namedIn(part, bindings) === schema.hash.AttributeName);
  const ranges = parts.filter(
    (part) => schema.range && namedIn(part, bindings) === schema.range.AttributeName,
  );
  const [hash] = hashes;
  if (hashes.length !== 1 || hash?.kind !== 'compare' || hash.by !== '=')
    throw wrong(`it does not compare ${schema.hash.AttributeName} by =`);
  if (ranges.length > 1 || hashes.length + ranges.length !== parts.length)
    throw wrong('it has conditions on other attributes');
  return {
    hash: valueIn(hash.right, schema.hash, bindings),
    bounds: ranges.flatMap((part) => boundsOf(part, schema.range as KeySchema['hash'], bindings)),
  };
}

function namedIn(part: Condition, bindings: Bindings): string | undefined {
  if (part.kind === 'compare' && part.left.kind === 'path')
    return String(resolvePath(part.left.path, bindings)[0]);
  if (part.kind === 'between' && part.operand.kind === 'path')
    return String(resolvePath(part.operand.path, bindings)[0]);
  return part.kind === 'call' && part.name === 'begins_with'
    ? String(resolvePath(part.path, bindings)[0])
    : undefined;
}

function valueIn(operand: Operand, attribute: KeySchema['hash'], bindings: Bindings): SQLInputValue {
  if (operand.kind !== 'value') throw wrong(`it compares ${attribute.AttributeName} with another attribute`);
  const value = boundValue(operand.placeholder, bindings);
  if (value[attribute.AttributeType as 'S'] === undefined)
    throw invalid(
      `One or more parameter values were invalid: Condition parameter type does not match schema type: ${attribute.AttributeName}`,
    );
  return sortKey(value);
}

function boundsOf(part: Condition, attribute: KeySchema['hash'], bindings: Bindings): Bound[] {
  if (part.kind === 'between')
    return [
      { sql: 'range >= ?', value: valueIn(part.low, attribute, bindings) },
      { sql: 'range <= ?', value: valueIn(part.high, attribute, bindings) },
    ];
  if (part.kind === 'compare' && part.by !== '<>')
    return [{ sql: `range ${part.by} ?`, value: valueIn(part.right, attribute, bindings) }];
  if (part.kind !== 'call' || !part.argument || attribute.AttributeType === 'N')
    throw wrong(`it has no condition that a range key can have`);
  return prefixBounds(valueIn(part.argument, attribute, bindings));
}

// All that begin so: from the prefix itself to the first text or binary after all of them.
function prefixBounds(prefix: SQLInputValue): Bound[] {
  const next = prefix instanceof Uint8Array ? nextBinary(prefix) : nextText(String(prefix));
  const from = { sql: 'range >= ?', value: prefix };
  return next === undefined ? [from] : [from, { sql: 'range < ?', value: next }];
}

function nextBinary(prefix: Uint8Array): Uint8Array | undefined {
  const last = prefix.findLastIndex((byte) => byte < 0xff);
  if (last < 0) return undefined;
  const next = prefix.slice(0, last + 1);
  next[last] = Number(next[last]) + 1;
  return next;
}

const LAST_CHARACTER = 0x10ffff;
const FIRST_SURROGATE = 0xd800;
const AFTER_SURROGATES = 0xe000;

function nextText(prefix: string): string | undefined {
  const characters = Array.from(prefix, (character) => Number(character.codePointAt(0)));
  const last = characters.findLastIndex((character) => character < LAST_CHARACTER);
  if (last < 0) return undefined;
  const next = Number(characters[last]) + 1;
  const raised = next === FIRST_SURROGATE ? AFTER_SURROGATES : next;
  return String.fromCodePoint(...characters.slice(0, last), raised);
}
