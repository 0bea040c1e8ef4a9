import { readFileSync } from 'node:fs';

type Schema = {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
type Operation = { readonly requestBody?: { readonly content: Content } };
export type ContractDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** The contract document of a service, as the build wrote it. */
export const documentOf = (service: string): ContractDocument =>
  JSON.parse(readFileSync(`functions/${service}/openapi.json`, 'utf8'));

/** The operations of a document, each with the bodies that it takes. */
export const operationsIn = ({ paths }: ContractDocument) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      content: operation.requestBody?.content ?? {},
    })),
  );

const REFERENCE = '#/components/schemas/';

/** Copies of a body, each with `value` under an unknown name in one of its objects. */
export function placesIn(document: ContractDocument, schema: Schema, value: unknown): unknown[] {
  const { $ref, properties, items, anyOf } = schema;
  const within = (inner: Schema) => placesIn(document, inner, value);
  if ($ref) return within(document.components.schemas[$ref.slice(REFERENCE.length)] ?? {});
  if (anyOf) return anyOf.flatMap(within);
  if (items) return within(items).map((inner) => [inner]);
  if (!properties) return [];
  const deeper = Object.entries(properties).flatMap(([name, each]) =>
    within(each).map((inner) => ({ [name]: inner })),
  );
  return [{ notKnown: value }, ...deeper];
}
