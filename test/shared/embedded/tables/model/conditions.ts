import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  anyPath,
  anyValue,
  at,
  number,
  orderOf,
  type Path,
  type Plain,
  type PlainItem,
  type Scope,
  same,
  text,
  typeOf,
  usualAt,
} from './values.ts';

type Operand = { readonly path: Path } | { readonly value: Plain };
type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** A condition as a tree, to be rendered as an expression and to be held against an item. */
export type Tree =
  | { readonly is: 'and' | 'or'; readonly of: readonly Tree[] }
  | { readonly is: 'not'; readonly of: Tree }
  | { readonly is: 'exists' | 'missing'; readonly path: Path }
  | { readonly is: 'compare'; readonly path: Path; readonly by: Comparator; readonly to: Operand }
  | { readonly is: 'between'; readonly path: Path; readonly low: Plain; readonly high: Plain }
  | { readonly is: 'in'; readonly path: Path; readonly options: readonly Plain[] }
  | { readonly is: 'begins'; readonly path: Path; readonly prefix: Plain }
  | { readonly is: 'contains'; readonly path: Path; readonly value: Plain }
  | { readonly is: 'type'; readonly path: Path; readonly type: string }
  | { readonly is: 'size'; readonly path: Path; readonly by: Comparator; readonly to: number };

const comparator = fc.constantFrom<Comparator>('=', '<>', '<', '<=', '>', '>=');
const scalar = fc.oneof(number, text);
const is = <K extends Tree['is']>(kind: K) => fc.constant(kind);

/** Conditions on one path, mostly with values of its usual type. */
const leafOf = (of: Path): fc.Arbitrary<Tree> => {
  const path = fc.constant(of);
  const value = fc.oneof({ weight: 6, arbitrary: usualAt(of) }, { weight: 1, arbitrary: anyValue });
  return fc.oneof(
    fc.record({ is: fc.constantFrom('exists' as const, 'missing' as const), path }),
    fc.record({ is: is('compare'), path, by: comparator, to: fc.record({ value }) }),
    fc.record({ is: is('compare'), path, by: comparator, to: fc.record({ path: anyPath }) }),
    fc.record({ is: is('between'), path, low: value, high: value }),
    fc.record({ is: is('in'), path, options: fc.array(value, { minLength: 1, maxLength: 3 }) }),
    fc.record({
      is: is('begins'),
      path,
      prefix: fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: anyValue }),
    }),
    fc.record({ is: is('contains'), path, value: scalar }),
    fc.record({ is: is('type'), path, type: fc.constantFrom('N', 'S', 'SS', 'L', 'M', 'B') }),
    fc.record({ is: is('size'), path, by: comparator, to: fc.constantFrom(0, 1, 2, 3, 4) }),
  );
};
const leaf = anyPath.chain(leafOf);

export const condition: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 5, arbitrary: leaf },
    {
      weight: 2,
      arbitrary: fc.record({
        is: fc.constantFrom('and' as const, 'or' as const),
        of: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ is: is('not'), of: tie('tree') }) },
  ),
})).tree;

export function renderCondition(tree: Tree, scope: Scope): string {
  const { path: named, value } = scope;
  switch (tree.is) {
    case 'and':
    case 'or':
      return `(${tree.of.map((each) => renderCondition(each, scope)).join(` ${tree.is.toUpperCase()} `)})`;
    case 'not':
      // DynamoDB refuses a second pair of parentheses.
      return 'of' in tree.of && tree.of.is !== 'not'
        ? `NOT ${renderCondition(tree.of, scope)}`
        : `NOT (${renderCondition(tree.of, scope)})`;
    case 'exists':
      return `attribute_exists(${named(tree.path)})`;
    case 'missing':
      return `attribute_not_exists(${named(tree.path)})`;
    case 'compare':
      return `${named(tree.path)} ${tree.by} ${'path' in tree.to ? named(tree.to.path) : value(tree.to.value)}`;
    case 'between':
      return `${named(tree.path)} BETWEEN ${value(tree.low)} AND ${value(tree.high)}`;
    case 'in':
      return `${named(tree.path)} IN (${tree.options.map(value).join(', ')})`;
    case 'begins':
      return `begins_with(${named(tree.path)}, ${value(tree.prefix)})`;
    case 'contains':
      return `contains(${named(tree.path)}, ${value(tree.value)})`;
    case 'type':
      return `attribute_type(${named(tree.path)}, ${value(tree.type)})`;
    case 'size':
      return `size(${named(tree.path)}) ${tree.by} ${value(tree.to)}`;
  }
}

const partsOf = (tree: Tree): readonly Tree[] =>
  !('of' in tree) ? [] : tree.is === 'not' ? [tree.of] : tree.of;

const isOrdered = (value: Plain): boolean => typeof value === 'number' || typeof value === 'string';

/** Whether DynamoDB refuses a condition whatever the item is: by its values, or for comparing an attribute with itself. */
export function isRefused(tree: Tree): boolean {
  switch (tree.is) {
    case 'compare': {
      const { path, by, to } = tree;
      if ('path' in to) return isDeepStrictEqual(to.path, path);
      return by !== '=' && by !== '<>' && !isOrdered(to.value);
    }
    case 'between':
      return !isOrdered(tree.low) || !isOrdered(tree.high) || !(Number(orderOf(tree.low, tree.high)) <= 0);
    case 'begins':
      return typeof tree.prefix !== 'string';
    default:
      return partsOf(tree).some(isRefused);
  }
}

/** The attributes that a condition looks at. */
export function attributesIn(tree: Tree): readonly string[] {
  const own = 'path' in tree ? [tree.path[0]] : [];
  const other = tree.is === 'compare' && 'path' in tree.to ? [tree.to.path[0]] : [];
  return [...own, ...other, ...partsOf(tree).flatMap(attributesIn)];
}

export function holds(tree: Tree, item: PlainItem): boolean {
  if ('of' in tree) return joined(tree, item);
  const found = at(item, tree.path);
  switch (tree.is) {
    case 'exists':
      return found !== undefined;
    case 'missing':
      return found === undefined;
    case 'compare':
      return compares(found, tree.by, 'path' in tree.to ? at(item, tree.to.path) : tree.to.value);
    case 'between':
      return compares(found, '>=', tree.low) && compares(found, '<=', tree.high);
    case 'in':
      return tree.options.some((option) => compares(found, '=', option));
    case 'begins':
      return typeof found === 'string' && found.startsWith(String(tree.prefix));
    case 'contains':
      return found !== undefined && hasInside(found, tree.value);
    case 'type':
      return found !== undefined && typeOf(found) === tree.type;
    case 'size':
      return compares(found === undefined ? undefined : sizeOf(found), tree.by, tree.to);
  }
}

function joined(tree: Extract<Tree, { of: unknown }>, item: PlainItem): boolean {
  if (tree.is === 'not') return !holds(tree.of, item);
  const met = tree.of.map((each) => holds(each, item));
  return tree.is === 'and' ? !met.includes(false) : met.includes(true);
}

function compares(left: Plain | undefined, by: Comparator, right: Plain | undefined): boolean {
  if (left === undefined || right === undefined) return by === '<>';
  if (by === '=' || by === '<>') return same(left, right) === (by === '=');
  const order = orderOf(left, right);
  if (order === undefined) return false;
  return { '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 }[by];
}

function hasInside(found: Plain, value: Plain): boolean {
  if (typeof found === 'string') return typeof value === 'string' && found.includes(value);
  if (found instanceof Set) return found.has(value);
  return Array.isArray(found) && found.some((each) => same(each, value));
}

function sizeOf(value: Plain): number | undefined {
  if (typeof value === 'number') return undefined;
  if (typeof value === 'string') return value.length;
  return value instanceof Set ? value.size : Object.keys(value).length;
}
