import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';

/** How the values of a request are written: as JSON, or all as text. */
export type Notation = 'json' | 'query' | 'form';

/** Checks a request before validation. Throws on an option outside the contract. */
export type FieldCheck = (shape: z.ZodType, value: unknown, notation?: Notation) => void;

type Path = readonly string[];

/**
 * The paths of fields outside the shape, at any depth, whose value asks for something.
 * @example unknownFields(z.object({ a: z.string() }), { a: '1', b: true, c: null }) // [['b']]
 */
export const unknownFields = (
  shape: z.ZodType,
  value: unknown,
  notation: Notation = 'json',
): readonly Path[] => unknownIn(shape, value, notation) ?? [];

type NeutralValues = Readonly<Record<string, readonly unknown[]>>;

const neutralValues = z.registry<NeutralValues>();

/**
 * The same shape. Of these options, which it does not have, the listed values change nothing, so that they are taken:
 * some clients send them on every call. Their names are in any case, as those of a query may be.
 * @example takesNeutral(z.object({ name: z.string() }), { folderType: ['Normal'] })
 */
export function takesNeutral<S extends z.ZodType>(shape: S, values: NeutralValues): S {
  neutralValues.add(shape, values);
  return shape;
}

// Clients send every field of their model with its default. The number 0 and an empty object are not defaults:
// `limit: 0` and `options: {}` ask for something.
const isDefault = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

// In a query or a form the same defaults are text. A name that is given several times has a list of values.
const isDefaultText = (value: unknown): boolean =>
  [value].flat().every((text) => DEFAULT_TEXT.test(String(text)));
const DEFAULT_TEXT = /^(?:false|null)?$/i;

const asksForNothing = (value: unknown, notation: Notation): boolean =>
  notation === 'json' ? isDefault(value) : isDefaultText(value);

/** Undefined where value and shape differ in kind: a list for an object, or a text. */
function unknownIn(shape: z.core.$ZodType, value: unknown, notation: Notation): readonly Path[] | undefined {
  const { def } = (shape as z.core.$ZodTypes)._zod;
  const within = (inner: z.core.$ZodType, given = value) => unknownIn(inner, given, notation);
  switch (def.type) {
    case 'object':
      return isObject(value) ? unknownInObject(shape, def.shape, value, notation) : undefined;
    case 'array':
      return Array.isArray(value)
        ? value.flatMap((item, index) => prefixPaths(String(index), within(def.element, item)))
        : undefined;
    case 'optional':
    case 'nullable':
    case 'default':
      return within(def.innerType);
    case 'union':
      return chooseBestMatch(def.options.map((option) => within(option)));
    case 'pipe':
      // A preprocessor renames fields (query names in any case), so that the shape knows them afterwards.
      return def.in._zod.def.type === 'transform'
        ? within(def.out, z.safeParse(def.in, value).data)
        : within(def.in);
    case 'unknown':
    case 'any':
    case 'record':
      return [];
    default:
      return undefined;
  }
}

// Object.hasOwn: every object inherits `constructor`, which does not make it a known field.
function unknownInObject(
  object: z.core.$ZodType,
  known: z.core.$ZodShape,
  value: Readonly<Record<string, unknown>>,
  notation: Notation,
): Path[] {
  const neutral = Object.entries(neutralValues.get(object) ?? {});
  return Object.entries(value).flatMap(([name, inner]) => {
    const shape = Object.hasOwn(known, name) ? known[name] : undefined;
    if (shape) return prefixPaths(name, unknownIn(shape, inner, notation));
    const [, values = []] = neutral.find(([each]) => isSameName(each, name)) ?? [];
    const isNeutral =
      asksForNothing(inner, notation) ||
      values.some((each) => isDeepStrictEqual(each, inner)) ||
      repeatsKnown(known, value, name);
    return isNeutral ? [] : [[name]];
  });
}

// Serializers write a field that is public and has a getter twice, as `Ticket` and `ticket`, with one value. In another case
// alone, or with another value, a name asks for what the shape does not have.
const repeatsKnown = (
  known: z.core.$ZodShape,
  value: Readonly<Record<string, unknown>>,
  name: string,
): boolean =>
  Object.keys(known).some(
    (each) =>
      isSameName(each, name) && Object.hasOwn(value, each) && isDeepStrictEqual(value[each], value[name]),
  );

const isSameName = (one: string, other: string): boolean =>
  one.length === other.length && one.toLowerCase() === other.toLowerCase();

const prefixPaths = (name: string, paths: readonly Path[] = []): Path[] =>
  paths.map((path) => [name, ...path]);

/** For a union, the branch with the fewest unknown fields counts. */
const chooseBestMatch = (found: readonly (readonly Path[] | undefined)[]): readonly Path[] | undefined =>
  found.reduce(
    (best, next) => (best === undefined || (next && next.length < best.length) ? next : best),
    undefined,
  );

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
