// A collection of Postman (format 2.1.0) out of OpenAPI documents: a folder for each service and subject, a request with
// its example for each operation.

type Media = {
  readonly schema?: { readonly properties?: Readonly<Record<string, { readonly format?: string }>> };
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
};
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
};
type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
};

/** An OpenAPI document, as far as a collection is made of it. */
export type ContractDocument = {
  readonly info: { readonly title: string; readonly description: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly examples: Readonly<Record<string, { readonly value: unknown }>> };
};

// An import of a newer release replaces the collection of an older one.
const COLLECTION_ID = '0f6a2c1e-5b7d-4e83-9a40-6d1c8f3b2e57';
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const KEY_HEADER = 'X-API-Key';

/**
 * The collection of these documents. Its variables are the address of the services and the key of an application.
 * @example postmanCollection(documents, { baseUrl: 'http://localhost:3000', key: 'sandbox|sinete-local-key' })
 */
export function postmanCollection(
  documents: readonly ContractDocument[],
  { baseUrl, key }: { readonly baseUrl: string; readonly key: string },
) {
  return {
    info: {
      ...{ _postman_id: COLLECTION_ID, name: 'Sinete', schema: SCHEMA },
      description:
        'Every operation of every service. Set baseUrl and key in the variables of the collection.',
    },
    auth: {
      type: 'apikey',
      apikey: [text('key', KEY_HEADER), text('value', '{{key}}'), text('in', 'header')],
    },
    variable: [text('baseUrl', baseUrl), text('key', key)],
    item: documents.map(serviceFolder),
  };
}

const text = (key: string, value: string) => ({ key, value, type: 'string' });

function serviceFolder(document: ContractDocument) {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const { title, description } = document.info;
  return {
    name: title,
    description,
    item: document.tags.map((tag) => ({
      name: tag.name,
      description: tag.description,
      item: operations
        .filter(({ operation }) => operation.tags[0] === tag.name)
        .map(({ method, path, operation }) => requestItem(document, method, path, operation)),
    })),
  };
}

function requestItem(document: ContractDocument, method: string, path: string, operation: Operation) {
  const { summary, operationId, description, parameters = [], security, requestBody } = operation;
  const isOpen = security?.every((scheme) => Object.keys(scheme).length === 0);
  const body = requestBody && bodyOf(document, requestBody.content);
  const headers = parameters.filter((parameter) => parameter.in === 'header').map(described);
  return {
    name: summary,
    request: {
      method,
      description: [description, `Operation: \`${operationId}\`.`].filter(Boolean).join('\n\n'),
      ...(isOpen && { auth: { type: 'noauth' } }),
      header: [...(body?.header ?? []), ...headers],
      ...(body && { body: body.sent }),
      url: urlOf(document, path, parameters),
    },
    response: [],
  };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/** A parameter with its example. One that may be left out is there and switched off. */
const described = ({ name, description, example, required }: Parameter) => ({
  ...{ key: name, value: textOf(example) },
  ...(description !== undefined && { description }),
  ...(!required && { disabled: true }),
});

function urlOf({ servers: [server] }: ContractDocument, path: string, parameters: readonly Parameter[]) {
  const base = new URL(server?.url ?? '/', 'http://service').pathname;
  const parts = `${base}${path}`
    .split('/')
    .filter((part) => part !== '')
    .map((part) => part.replace(/^\{(\w+)\}$/, ':$1'));
  const query = parameters.filter((parameter) => parameter.in === 'query').map(described);
  const variable = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, description, example }) => ({ key: name, value: textOf(example), description }));
  const needed = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  return {
    raw: ['{{baseUrl}}', ...parts].join('/') + (needed.length > 0 ? `?${needed.join('&')}` : ''),
    host: ['{{baseUrl}}'],
    path: parts,
    ...(query.length > 0 && { query }),
    ...(variable.length > 0 && { variable }),
  };
}

const JSON_TYPE = 'application/json';

/** The body as JSON where the operation takes that, or as the first type that it takes. */
function bodyOf(document: ContractDocument, content: Readonly<Record<string, Media>>) {
  const [type, media] = Object.entries(content).find(([each]) => each === JSON_TYPE) ??
    Object.entries(content)[0] ?? [JSON_TYPE, {}];
  const example = exampleOf(document, media);
  const fields = Object.entries((example ?? {}) as Readonly<Record<string, unknown>>);
  if (type === JSON_TYPE)
    return {
      header: [{ key: 'Content-Type', value: type }],
      sent: { mode: 'raw', raw: JSON.stringify(example, null, 2), options: { raw: { language: 'json' } } },
    };
  if (type === 'application/x-www-form-urlencoded')
    return {
      header: [],
      sent: { mode: 'urlencoded', urlencoded: fields.map(([key, value]) => text(key, textOf(value))) },
    };
  if (type === 'multipart/form-data')
    return { header: [], sent: { mode: 'formdata', formdata: formOf(media, fields) } };
  // A file, of whatever type it is. Its lines are shown where there is an example.
  const header = type === '*/*' ? [] : [{ key: 'Content-Type', value: type }];
  return {
    header,
    sent: example === undefined ? { mode: 'file', file: {} } : { mode: 'raw', raw: textOf(example) },
  };
}

/** The fields of the example, and the files, which people choose. */
function formOf({ schema }: Media, fields: readonly (readonly [string, unknown])[]) {
  const isFile = (name: string): boolean =>
    JSON.stringify(schema?.properties?.[name] ?? {}).includes('binary');
  const files = Object.keys(schema?.properties ?? {}).filter(isFile);
  const texts = fields
    .filter(([name]) => !isFile(name))
    .map(([name, value]) => ({ ...text(name, textOf(value)), type: 'text' }));
  return [...files.map((name) => ({ key: name, type: 'file', src: [] })), ...texts];
}

function exampleOf({ components }: ContractDocument, { example, examples = {} }: Media): unknown {
  const [reference] = Object.values(examples);
  return reference ? components.examples[reference.$ref.split('/').at(-1) ?? '']?.value : example;
}
