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
};

export function shapeWriter(contract: Readonly<Record<string, unknown>>): Shapes {
  const names = z.registry<{ id: string }>();
  for (const [name, shape] of Object.entries(contract)) {
    if (shape instanceof z.ZodType) names.add(shape, { id: name });
  }
  const written = new Map<string, Json>();

  const inline = (shape: z.ZodType, io: Direction): Json => {
    const schema = z.toJSONSchema(shape, { io, metadata: names, unrepresentable: 'any' }) as Json;
    const { $defs = {}, ...own } = relinked(schema) as Json & { $defs?: Record<string, Json> };
    for (const [name, definition] of Object.entries($defs)) written.set(name, bare(definition));
    return bare(own);
  };
  return {
    inline,
    reference(shape, io) {
      const schema = inline(shape, io);
      const name = names.get(shape)?.id;
      if (!name) return schema;
      written.set(name, schema);
      return { $ref: `#/components/schemas/${name}` };
    },
    components: () => Object.fromEntries([...written].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

const bare = ({ $schema: _, id: __, $id: ___, ...schema }: Json): Json => schema;

// zod keeps definitions inside each schema; OpenAPI keeps them in one place for all.
const relinked = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
