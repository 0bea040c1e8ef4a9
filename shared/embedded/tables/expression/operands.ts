import { isDeepStrictEqual } from 'node:util';
import { invalid } from '../errors.ts';
import { compare, typed, type Value } from '../values.ts';
import type { Condition, Operand } from './condition.ts';
import { type Bindings, boundValue, type Path, resolvePath } from './path.ts';

const ORDERED = new Set(['S', 'N', 'B']);
const TEXTS = new Set(['S', 'B']);
const TYPES = new Set(['S', 'N', 'B', 'SS', 'NS', 'BS', 'L', 'M', 'BOOL', 'NULL']);
const TYPE_NAME = new Set(['S']);

/**
 * Refuses operands that fit no item, as DynamoDB does before it reads one.
 * @example checkOperands(conditionOf('n < :set'), bindings, 'ConditionExpression') // refused
 */
export function checkOperands(condition: Condition, bindings: Bindings, what: string): void {
  switch (condition.kind) {
    case 'and':
    case 'or':
      for (const part of condition.parts) checkOperands(part, bindings, what);
      return;
    case 'not':
      checkOperands(condition.part, bindings, what);
      return;
    case 'compare': {
      const { by, left, right } = condition;
      checkDistinct(by, [left, right], bindings, what);
      if (by !== '=' && by !== '<>')
        for (const operand of [left, right]) checkType(by, operand, ORDERED, bindings, what);
      return;
    }
    case 'between': {
      const { operand, low, high } = condition;
      checkDistinct('BETWEEN', [operand, low, high], bindings, what);
      for (const each of [operand, low, high]) checkType('BETWEEN', each, ORDERED, bindings, what);
      checkBounds(literal(low, bindings), literal(high, bindings), what);
      return;
    }
    case 'in':
      checkDistinct('IN', [condition.operand, ...condition.options], bindings, what);
      return;
    case 'call':
      checkCall(condition, bindings, what);
  }
}

function checkCall(
  { name, path, argument }: Condition & { kind: 'call' },
  bindings: Bindings,
  what: string,
): void {
  if (!argument) return;
  checkDistinct(name, [{ kind: 'path', path }, argument], bindings, what);
  if (name === 'begins_with') checkType(name, argument, TEXTS, bindings, what);
  if (name !== 'attribute_type') return;
  checkType(name, argument, TYPE_NAME, bindings, what);
  const wanted = literal(argument, bindings)?.S;
  if (typeof wanted === 'string' && !TYPES.has(wanted))
    throw invalid(
      `Invalid ${what}: Invalid attribute type name found; type: ${wanted}, valid types: {${[...TYPES].join(',')}}`,
    );
}

const literal = (operand: Operand, bindings: Bindings): Value | undefined =>
  operand.kind === 'value' ? boundValue(operand.placeholder, bindings) : undefined;

function checkType(
  by: string,
  operand: Operand,
  types: ReadonlySet<string>,
  bindings: Bindings,
  what: string,
): void {
  const value = literal(operand, bindings);
  const [type] = value ? typed(value) : [];
  if (type !== undefined && !types.has(type))
    throw invalid(
      `Invalid ${what}: Incorrect operand type for operator or function; operator or function: ${by}, operand type: ${type}`,
    );
}

function checkBounds(low: Value | undefined, high: Value | undefined, what: string): void {
  if (!low || !high) return;
  const order = compare(low, high);
  if (order === undefined)
    throw invalid(`Invalid ${what}: The BETWEEN operator requires same data type for lower and upper bounds`);
  if (order > 0)
    throw invalid(
      `Invalid ${what}: The BETWEEN operator requires upper bound to be greater than or equal to lower bound`,
    );
}

function checkDistinct(
  by: string,
  [first, ...rest]: readonly Operand[],
  bindings: Bindings,
  what: string,
): void {
  if (first?.kind !== 'path') return;
  const path = resolvePath(first.path, bindings);
  for (const other of rest)
    if (other.kind === 'path' && isDeepStrictEqual(resolvePath(other.path, bindings), path))
      throw invalid(
        `Invalid ${what}: The first operand must be distinct from the remaining operands for this operator or function; operator: ${by}, first operand: [${path.join(', ')}]`,
      );
}

/** The names of the attributes that a condition looks at. */
export function attributesIn(condition: Condition, bindings: Bindings): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (path: Path): void => {
    names.add(String(resolvePath(path.slice(0, 1), bindings)[0]));
  };
  const walk = (each: Condition): void => {
    if ('parts' in each) for (const part of each.parts) walk(part);
    else if ('part' in each) walk(each.part);
    else {
      if (each.kind === 'call') add(each.path);
      for (const operand of operandsOf(each)) if (operand.kind !== 'value') add(operand.path);
    }
  };
  walk(condition);
  return names;
}

function operandsOf(leaf: Exclude<Condition, { parts: unknown } | { part: unknown }>): readonly Operand[] {
  if (leaf.kind === 'compare') return [leaf.left, leaf.right];
  if (leaf.kind === 'between') return [leaf.operand, leaf.low, leaf.high];
  if (leaf.kind === 'in') return [leaf.operand, ...leaf.options];
  return leaf.argument ? [leaf.argument] : [];
}
