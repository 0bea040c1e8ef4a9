import * as z from 'zod';

export type Json = Record<string, unknown>;
type Direction = 'input' | 'output';

/** Shapes as JSON Schema. Those that a contract exports are written once, under their own names. */
export type Shapes = {
  /** A reference where the shape has a name, the schema itself where it has none. */
  readonly reference: (shape: z.ZodType, io: Direction) => Json;
  /** The schema itself, whatever its name. */
  readonly inline: (shape: z.ZodType, io: Direction) => Json;
  /** Every named schema that was referred to. */
  readonly components: () => Record<string, Json>;
  /** The first example of the shape as a media type has it: a reference where the shape has a name. */
  readonly example: (shape: z.ZodType) => Json;
  /** Every example that was referred to. */
  readonly examples: () => Record<string, Json>;
};

export function shapeWriter(contract: Readonly<Record<string, unknown>>): Shapes {
  const names = z.registry<{ id: string }>();
  for (const [name, shape] of Object.entries(contract)) {
    if (shape instanceof z.ZodType) names.add(shape, { id: name });
  }
  const written = new Map<string, Json>();
  const shown = new Map<string, Json>();

  const convert = (shape: z.ZodType, io: Direction): Converted => {
    const schema = z.toJSONSchema(shape, {
      io,
      metadata: names,
      override: copyMetadata,
      unrepresentable: 'any',
    });
    const {
      $defs = {},
      $schema: _,
      ...own
    } = moveDefinitions(schema) as Json & { $defs?: Record<string, Json> };
    return {
      own,
      definitions: Object.entries($defs).map(([name, definition]) => [name, withoutId(definition)]),
    };
  };
  // A shape that is used both ways is written as it is read, which is never stricter than as it is answered.
  const keep = (definitions: Converted['definitions'], io: Direction): void => {
    for (const [name, definition] of definitions) {
      if (io === 'input' || !written.has(name)) written.set(name, definition);
    }
  };
  return {
    inline(shape, io) {
      const { own, definitions } = convert(shape, io);
      const name = names.get(shape)?.id;
      keep(
        definitions.filter(([other]) => other !== name),
        io,
      );
      return definitions.find(([other]) => other === name)?.[1] ?? own;
    },
    reference(shape, io) {
      const { own, definitions } = convert(shape, io);
      keep(definitions, io);
      return own;
    },
    components: () => byName(written),
    example(shape) {
      const [value] = examplesOf(shape);
      if (value === undefined) return {};
      const name = names.get(shape)?.id;
      if (name === undefined) return { example: value };
      shown.set(name, { value });
      return { examples: { [name]: { $ref: `#/components/examples/${name}` } } };
    },
    examples: () => byName(shown),
  };
}

const byName = (values: ReadonlyMap<string, Json>): Record<string, Json> =>
  Object.fromEntries([...values].toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** The examples that a shape carries. @example examplesOf(CreateFolder) // [{ name: 'Contracts', parentId: null }] */
export function examplesOf(shape: z.ZodType): readonly unknown[] {
  const { examples } = z.globalRegistry.get(shape) ?? {};
  return Array.isArray(examples) ? examples : [];
}

// A named shape is among its own definitions, and `own` refers to it.
type Converted = { readonly own: Json; readonly definitions: readonly (readonly [string, Json])[] };

// Names come from the contract's registry, so what a shape says of itself has to be fetched from zod's own.
function copyMetadata({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: object }): void {
  const own = z.globalRegistry.get(zodSchema) ?? {};
  // A shape that is described once more, as a field of another, inherits from the first: a reference tells that already.
  const { parent } = zodSchema._zod;
  const inherited = (parent && z.globalRegistry.get(parent)) ?? {};
  Object.assign(
    jsonSchema,
    Object.fromEntries(Object.entries(own).filter(([key, value]) => inherited[key] !== value)),
  );
}

const withoutId = ({ id: _, ...schema }: Json): Json => schema;

// zod keeps definitions inside each schema; OpenAPI keeps them in one place for all.
const moveDefinitions = (schema: object): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
