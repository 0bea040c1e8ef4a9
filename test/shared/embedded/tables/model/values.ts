import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';

/** An attribute as the model has it. */
export type Plain =
  | number
  | string
  | ReadonlySet<string>
  | readonly Plain[]
  | { readonly [name: string]: Plain };
export type PlainItem = { readonly [name: string]: Plain };

type Wire = Readonly<Record<string, unknown>>;

export const typeOf = (value: Plain): 'N' | 'S' | 'SS' | 'L' | 'M' => {
  if (typeof value === 'number') return 'N';
  if (typeof value === 'string') return 'S';
  return value instanceof Set ? 'SS' : Array.isArray(value) ? 'L' : 'M';
};

export function toWire(value: Plain): Wire {
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'string') return { S: value };
  if (value instanceof Set) return { SS: [...value] };
  if (Array.isArray(value)) return { L: value.map(toWire) };
  return { M: itemToWire(value as PlainItem) };
}

export function fromWire(value: Wire): Plain {
  const [[type, content] = []] = Object.entries(value);
  if (type === 'N') return Number(content);
  if (type === 'S') return content as string;
  if (type === 'SS') return new Set(content as string[]);
  if (type === 'L') return (content as Wire[]).map(fromWire);
  return itemFromWire(content as Record<string, Wire>);
}

const mapped = <T, R>(of: Readonly<Record<string, T>>, by: (each: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, by(value)]));
export const itemToWire = (item: PlainItem) => mapped(item, toWire);
export const itemFromWire = (item: Readonly<Record<string, Wire>>): PlainItem => mapped(item, fromWire);

export const same = (a: Plain, b: Plain): boolean => typeOf(a) === typeOf(b) && isDeepStrictEqual(a, b);

/** Texts by their characters, numbers by their value; undefined where there is no order. */
export function orderOf(a: Plain, b: Plain): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') return Math.sign(a - b);
  if (typeof a !== 'string' || typeof b !== 'string') return undefined;
  const [x, y] = [codesOf(a), codesOf(b)];
  const at = x.findIndex((code, index) => code !== y[index]);
  if (at < 0) return Math.sign(x.length - y.length);
  return at >= y.length ? 1 : Math.sign(Number(x[at]) - Number(y[at]));
}

const codesOf = (text: string): number[] => Array.from(text, (each) => Number(each.codePointAt(0)));

/** A document path: names, and the places in lists. */
export type Path = readonly [string, ...(string | number)[]];

export function at(item: PlainItem, path: Path): Plain | undefined {
  let found: Plain | undefined = item;
  for (const part of path) {
    if (found === undefined || typeof found !== 'object') return undefined;
    const isList = Array.isArray(found);
    if (isList !== (typeof part === 'number') || found instanceof Set) return undefined;
    found = (found as Record<string | number, Plain>)[part];
  }
  return found;
}

// The last two sort otherwise by UTF-16 than by their characters.
const TEXTS = ['a', 'ab', 'b', 'é', '\uffff', '\u{1f600}'] as const;
export const text = fc.constantFrom(...TEXTS);
export const number = fc.constantFrom(-1.5, -1, 0, 2, 10);
export const set = fc
  .uniqueArray(text, { minLength: 1, maxLength: 3 })
  .map((members) => new Set<string>(members));
export const list = fc.array(fc.oneof(number, text), { maxLength: 3 });
const map = fc.record({ x: number, y: text }, { requiredKeys: [], noNullPrototype: true });

/** Mostly of the type that an attribute usually has, so that conditions and updates meet something. */
export const USUAL = { n: number, s: text, set, l: list, m: map, g: text, r: number } as const;
export const anyValue: fc.Arbitrary<Plain> = fc.oneof(number, text, set, list, map);
const attribute = (name: keyof typeof USUAL): fc.Arbitrary<Plain> =>
  fc.oneof({ weight: 12, arbitrary: USUAL[name] }, { weight: 1, arbitrary: anyValue });

export const attributes: fc.Arbitrary<PlainItem> = fc.record(
  {
    n: attribute('n'),
    s: attribute('s'),
    set: attribute('set'),
    l: attribute('l'),
    m: attribute('m'),
    g: attribute('g'),
    r: attribute('r'),
  },
  { requiredKeys: [], noNullPrototype: true },
);

const INSIDE: Record<string, fc.Arbitrary<Plain>> = { x: number, y: text, 0: fc.oneof(number, text) };

/** Values as an item usually has them at a path. */
export const usualAt = ([name, inside]: Path): fc.Arbitrary<Plain> =>
  (inside === undefined ? USUAL[name as keyof typeof USUAL] : INSIDE[inside]) ?? number;

export const anyPath: fc.Arbitrary<Path> = fc.oneof(
  fc.constantFrom<Path>(['n'], ['s'], ['set'], ['l'], ['m'], ['g'], ['r']),
  fc.constantFrom<Path>(['m', 'x'], ['m', 'y'], ['l', 0], ['l', 1]),
);

/** The placeholders of one request. */
export type Scope = ReturnType<typeof newScope>;

export function newScope() {
  const names: Record<string, string> = {};
  const values: Record<string, Wire> = {};
  return {
    path: ([first, ...rest]: Path): string => {
      const name = (of: string): string => {
        const known = Object.keys(names).find((placeholder) => names[placeholder] === of);
        const placeholder = known ?? `#n${Object.keys(names).length}`;
        names[placeholder] = of;
        return placeholder;
      };
      return [
        name(first),
        ...rest.map((part) => (typeof part === 'number' ? `[${part}]` : `.${name(part)}`)),
      ].join('');
    },
    value: (of: Plain): string => {
      const placeholder = `:v${Object.keys(values).length}`;
      values[placeholder] = toWire(of);
      return placeholder;
    },
    bound: () => ({
      ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    }),
  };
}
