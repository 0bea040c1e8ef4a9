// The shapes of an OpenAPI document as far as languages with plain types can have them. A text with a few values is a text,
// so that a value of a newer service is no error; where a value has several shapes it may be anything.

export type Type =
  | { readonly kind: 'string' | 'integer' | 'number' | 'boolean' | 'any' }
  | { readonly kind: 'list' | 'map'; readonly of: Type }
  | { readonly kind: 'model'; readonly name: string };

export type Field = {
  readonly name: string;
  readonly type: Type;
  /** It may be left out. */
  readonly optional: boolean;
  readonly nullable: boolean;
};

export type Model = {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly Field[];
};

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
};

/** An OpenAPI document, as far as models are made of it. */
export type ModeledDocument = {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly webhooks?: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly description: string;
          readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
        };
      }
    >
  >;
};

/** Every object of a document by its name; one inside another is named after its place: DocumentModelFolder. */
export function modelsOf({ components: { schemas }, webhooks = {} }: ModeledDocument): Model[] {
  const models = new Map<string, Model>();
  const named = (name: string, schema: Schema, description = schema.description ?? ''): void => {
    const required = new Set(schema.required ?? []);
    models.set(name, { name, description, fields: [] });
    const fields = Object.entries(schema.properties ?? {}).map(([field, shape]) => ({
      name: field,
      type: typeOf(shape, `${name}${capital(field)}`),
      optional: !required.has(field),
      nullable: isNullable(shape),
    }));
    models.set(name, { name, description, fields });
  };

  function typeOf(schema: Schema, place: string): Type {
    if (schema.$ref) return referred(schema.$ref);
    const variants = variantsOf(schema);
    const [only] = variants;
    if (!only || variants.length > 1) return plainOf(variants);
    if (only !== schema) return typeOf(only, place);
    switch ([schema.type].flat().find((type) => type !== 'null')) {
      case 'array':
        return { kind: 'list', of: typeOf(schema.items ?? {}, `${place}Item`) };
      case 'object':
        if (typeof schema.additionalProperties === 'object')
          return { kind: 'map', of: typeOf(schema.additionalProperties, `${place}Value`) };
        if (!schema.properties) return { kind: 'map', of: { kind: 'any' } };
        named(place, schema);
        return { kind: 'model', name: place };
      default:
        return plainOf([schema]);
    }
  }

  // A name of the document that is no object is a text, a list or one of several shapes.
  function referred(reference: string): Type {
    const name = reference.split('/').at(-1) ?? '';
    const schema = schemas[name] ?? {};
    return isObject(schema) ? { kind: 'model', name } : typeOf(schema, name);
  }

  for (const [name, schema] of Object.entries(schemas)) if (isObject(schema)) named(name, schema);
  for (const [type, { post }] of Object.entries(webhooks)) {
    const { schema } = post.requestBody.content['application/json'] ?? { schema: {} };
    named(`${type}Event`, schema, post.description);
  }
  return [...models.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

const capital = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
const isObject = ({ type, properties }: Schema): boolean => type === 'object' && properties !== undefined;
const isNullable = ({ type, anyOf = [] }: Schema): boolean =>
  [type].flat().includes('null') || anyOf.some(isNullable);

/** What a value may be, but for null. */
const variantsOf = (schema: Schema): readonly Schema[] =>
  schema.anyOf ? schema.anyOf.flatMap(variantsOf) : schema.type === 'null' ? [] : [schema];

const PLAIN = ['string', 'integer', 'number', 'boolean'] as const;

/** The type that all variants have, or any. */
function plainOf(variants: readonly Schema[]): Type {
  const kinds = new Set(variants.map(({ type }) => [type].flat().find((each) => each !== 'null')));
  const [kind] = kinds;
  const plain = PLAIN.find((each) => each === kind);
  return { kind: kinds.size === 1 && plain ? plain : 'any' };
}
