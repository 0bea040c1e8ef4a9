/** An OpenAPI document, as far as a client's table is made of it. */
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
};
type DocumentedOperation = {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
};

const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** The table of a service's operations for @sinete/client, and the codes that it refuses with, as a TypeScript file. */
export function clientOperations(service: string, document: object, codes: readonly string[]): string {
  const rows = Object.entries((document as Document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => `  ${operation.operationId}: ${literal(rowOf(method, path, operation))},`,
    ),
  );
  return [
    `// Made of functions/${service}/openapi.json by npm run openapi.`,
    '',
    'export const operations = {',
    ...rows,
    '} as const;',
    '',
    '/** What the service refuses with. */',
    'export type Code =',
    ...codes.toSorted().map((code, index, all) => `  | '${code}'${index === all.length - 1 ? ';' : ''}`),
    '',
  ].join('\n');
}

function rowOf(
  method: string,
  path: string,
  { parameters = [], requestBody, responses }: DocumentedOperation,
) {
  const queried = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const headers = parameters
    .filter((parameter) => parameter.in === 'header' && parameter.name !== IDEMPOTENCY_KEY)
    .map(({ name }) => name);
  const taken = Object.keys(requestBody?.content ?? {});
  const succeeded = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const answered = succeeded.flatMap(([, { content = {} }]) => Object.keys(content));
  const pages = queried.includes('cursor') ? 'cursor' : queried.includes('page') ? 'page' : undefined;
  return {
    method: method.toUpperCase(),
    path,
    ...(taken.length > 0 && { body: taken.includes('application/json') ? 'json' : 'form' }),
    answer:
      succeeded.length === 0
        ? 'redirect'
        : answered.length === 0
          ? 'nothing'
          : answered.includes('application/json')
            ? 'json'
            : 'file',
    ...(headers.length > 0 && { headers }),
    ...(parameters.some(({ name }) => name === IDEMPOTENCY_KEY) && { once: true }),
    ...(pages && { pages }),
  };
}

/** As the formatter writes it: on one line where it fits. */
function literal(row: object): string {
  const texts = Object.entries(row).map(([name, value]) => `${name}: ${textOf(value)}`);
  return `{ ${texts.join(', ')} }`;
}
const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(textOf).join(', ')}]`
    : typeof value === 'string'
      ? `'${value}'`
      : String(value);
