import * as z from 'zod';

/** Checks a request before validation. Throws on an option outside the contract. */
export type FieldCheck = (shape: z.ZodType, value: unknown) => void;

type Path = readonly string[];

/**
 * The paths of fields outside the shape, at any depth, whose value asks for something.
 * @example unknownFields(z.object({ a: z.string() }), { a: '1', b: true, c: null }) // [['b']]
 */
export const unknownFields = (shape: z.ZodType, value: unknown): readonly Path[] =>
  unknownIn(shape, value) ?? [];

// Clients send every field of their model with its default. The number 0 and an empty object are not defaults:
// `limit: 0` and `options: {}` ask for something.
const asksForSomething = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  value !== '' &&
  !(Array.isArray(value) && value.length === 0);

/** Undefined where value and shape differ in kind: a list for an object, or a text. */
function unknownIn(shape: z.core.$ZodType, value: unknown): readonly Path[] | undefined {
  const { def } = (shape as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return isObject(value) ? unknownInObject(def.shape, value) : undefined;
    case 'array':
      return Array.isArray(value)
        ? value.flatMap((item, index) => prefixPaths(String(index), unknownIn(def.element, item)))
        : undefined;
    case 'optional':
    case 'nullable':
    case 'default':
      return unknownIn(def.innerType, value);
    case 'union':
      return chooseBestMatch(def.options.map((option) => unknownIn(option, value)));
    case 'pipe':
      // A preprocessor renames fields (query names in any case), so that the shape knows them afterwards.
      return def.in._zod.def.type === 'transform'
        ? unknownIn(def.out, z.safeParse(def.in, value).data)
        : unknownIn(def.in, value);
    case 'unknown':
    case 'any':
    case 'record':
      return [];
    default:
      return undefined;
  }
}

// Object.hasOwn: every object inherits `constructor`, which does not make it a known field.
const unknownInObject = (known: z.core.$ZodShape, value: Readonly<Record<string, unknown>>): Path[] =>
  Object.entries(value).flatMap(([name, inner]) => {
    const shape = Object.hasOwn(known, name) ? known[name] : undefined;
    if (shape) return prefixPaths(name, unknownIn(shape, inner));
    return asksForSomething(inner) ? [[name]] : [];
  });

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
