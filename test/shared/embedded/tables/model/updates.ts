import fc from 'fast-check';
import {
  anyPath,
  at,
  list,
  number,
  type Path,
  type Plain,
  type PlainItem,
  type Scope,
  set,
  USUAL,
} from './values.ts';

type Source =
  | { readonly kind: 'value'; readonly value: Plain }
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'default'; readonly path: Path; readonly value: Plain }
  | { readonly kind: 'sum'; readonly path: Path; readonly sign: '+' | '-'; readonly by: number }
  | {
      readonly kind: 'append';
      readonly path: Path;
      readonly values: readonly Plain[];
      readonly isFirst: boolean;
    };

/** One action of an update. */
export type Action =
  | { readonly clause: 'SET'; readonly path: Path; readonly to: Source }
  | { readonly clause: 'REMOVE'; readonly path: Path }
  | { readonly clause: 'ADD' | 'DELETE'; readonly path: Path; readonly by: number | ReadonlySet<string> };

/** The update does not fit the item. */
export class Misfit extends Error {}

const source: fc.Arbitrary<Source> = fc.oneof(
  fc.record({ kind: fc.constant('value' as const), value: fc.oneof(...Object.values(USUAL)) }),
  fc.record({ kind: fc.constant('path' as const), path: anyPath }),
  fc.record({ kind: fc.constant('default' as const), path: anyPath, value: number }),
  fc.record({
    kind: fc.constant('sum' as const),
    path: fc.constantFrom<Path>(['n'], ['r'], ['m', 'x'], ['s']),
    sign: fc.constantFrom('+' as const, '-' as const),
    by: number,
  }),
  fc.record({
    kind: fc.constant('append' as const),
    path: fc.constantFrom<Path>(['l'], ['n']),
    values: list,
    isFirst: fc.boolean(),
  }),
);

// Mostly a value that the attribute usually has: an index takes no other type.
const usual = fc.constantFrom(...(Object.keys(USUAL) as (keyof typeof USUAL)[])).chain((name) =>
  fc.record({
    clause: fc.constant('SET' as const),
    path: fc.constant<Path>([name]),
    to: fc.record({ kind: fc.constant('value' as const), value: USUAL[name] as fc.Arbitrary<Plain> }),
  }),
);

const action: fc.Arbitrary<Action> = fc.oneof(
  usual,
  fc.record({ clause: fc.constant('SET' as const), path: anyPath, to: source }),
  fc.record({ clause: fc.constant('REMOVE' as const), path: anyPath }),
  fc.record({
    clause: fc.constant('ADD' as const),
    path: fc.constantFrom<Path>(['n'], ['r'], ['m', 'x']),
    by: number,
  }),
  fc.record({
    clause: fc.constantFrom('ADD' as const, 'DELETE' as const),
    path: fc.constantFrom<Path>(['set'], ['s']),
    by: set,
  }),
);

const overlap = (a: Path, b: Path): boolean =>
  a.slice(0, b.length).every((part, index) => part === b[index]) ||
  b.slice(0, a.length).every((part, index) => part === a[index]);

const CLAUSES = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const;

/** Actions in the order of their clauses, no two on one place. */
export const update: fc.Arbitrary<readonly Action[]> = fc
  .uniqueArray(action, { minLength: 1, maxLength: 4, comparator: (a, b) => overlap(a.path, b.path) })
  .map((actions) => CLAUSES.flatMap((clause) => actions.filter((each) => each.clause === clause)));

export function renderUpdate(actions: readonly Action[], scope: Scope): string {
  return CLAUSES.flatMap((clause) => {
    const of = actions.filter((each) => each.clause === clause);
    return of.length > 0 ? [`${clause} ${of.map((each) => renderAction(each, scope)).join(', ')}`] : [];
  }).join(' ');
}

function renderAction(of: Action, scope: Scope): string {
  if (of.clause === 'REMOVE') return scope.path(of.path);
  if (of.clause !== 'SET') return `${scope.path(of.path)} ${scope.value(of.by)}`;
  return `${scope.path(of.path)} = ${renderSource(of.to, scope)}`;
}

function renderSource(from: Source, { path: named, value }: Scope): string {
  switch (from.kind) {
    case 'value':
      return value(from.value);
    case 'path':
      return named(from.path);
    case 'default':
      return `if_not_exists(${named(from.path)}, ${value(from.value)})`;
    case 'sum':
      return `${named(from.path)} ${from.sign} ${value(from.by)}`;
    case 'append': {
      const parts = [named(from.path), value(from.values)];
      return `list_append(${(from.isFirst ? parts : parts.reverse()).join(', ')})`;
    }
  }
}

/** The item after an update. Everything is read of the item before; removals come last, from the end of a list. */
export function updated(actions: readonly Action[], before: PlainItem): PlainItem {
  const after = structuredClone(before);
  const removals: Path[] = [];
  for (const each of actions) {
    const value = each.clause === 'REMOVE' ? undefined : newValue(each, before);
    if (value === undefined) removals.push(each.path);
    else place(after, each.path, value);
  }
  const ends = removals
    .filter((of) => typeof of.at(-1) === 'number')
    .sort((a, b) => Number(b.at(-1)) - Number(a.at(-1)));
  for (const each of [...removals.filter((of) => typeof of.at(-1) !== 'number'), ...ends]) drop(after, each);
  return after;
}

function newValue(of: Action & { clause: 'SET' | 'ADD' | 'DELETE' }, before: PlainItem): Plain | undefined {
  if (of.clause === 'SET') return sourced(of.to, before);
  const found = at(before, of.path);
  if (found === undefined) return of.clause === 'ADD' ? of.by : undefined;
  if (typeof found === 'number' && typeof of.by === 'number') return found + of.by;
  if (!(found instanceof Set) || typeof of.by === 'number') throw new Misfit();
  const members = of.clause === 'ADD' ? found.union(of.by) : found.difference(of.by);
  return members.size > 0 ? members : undefined;
}

function sourced(from: Source, before: PlainItem): Plain {
  const found = 'path' in from ? at(before, from.path) : from.value;
  if (from.kind === 'default') return found ?? from.value;
  if (found === undefined) throw new Misfit();
  if (from.kind === 'sum') {
    if (typeof found !== 'number') throw new Misfit();
    return from.sign === '+' ? found + from.by : found - from.by;
  }
  if (from.kind !== 'append') return found;
  if (!Array.isArray(found)) throw new Misfit();
  return from.isFirst ? [...found, ...from.values] : [...from.values, ...found];
}

function parentOf(item: PlainItem, of: Path): Record<string | number, Plain> | Plain[] {
  const parent = of.length === 1 ? item : at(item, of.slice(0, -1) as unknown as Path);
  const isFit =
    typeof parent === 'object' &&
    !(parent instanceof Set) &&
    Array.isArray(parent) === (typeof of.at(-1) === 'number');
  if (!isFit) throw new Misfit();
  return parent as Record<string | number, Plain>;
}

function place(item: PlainItem, of: Path, value: Plain): void {
  const parent = parentOf(item, of);
  const last = of.at(-1) as string;
  if (!Array.isArray(parent)) parent[last] = value;
  else if (Number(last) < parent.length) parent[Number(last)] = value;
  else parent.push(value);
}

function drop(item: PlainItem, of: Path): void {
  const parent = parentOf(item, of);
  const last = of.at(-1) as string;
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
}

/** What an item has at the paths of an update, in the maps and lists around it. */
export function shown(actions: readonly Action[], item: PlainItem): PlainItem {
  const result: Record<string, Plain> = {};
  for (const { path: of } of actions) {
    const value = at(item, of);
    const [first, inside] = of;
    if (value === undefined) continue;
    if (inside === undefined) result[first] = value;
    else if (typeof inside === 'number') result[first] = [...((result[first] as Plain[]) ?? []), value];
    else result[first] = { ...((result[first] as PlainItem) ?? {}), [inside]: value };
  }
  return result;
}
