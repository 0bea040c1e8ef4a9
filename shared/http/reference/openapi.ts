import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import type { AnswerShape, Declaration, Route } from '../declaration.ts';
import type { Service } from '../endpoint.ts';
import { IDEMPOTENCY_HEADER } from '../once.ts';
import { guideOf } from './guides.ts';
import { type Json, type Shapes, shapeWriter } from './shapes.ts';
import { tagName, tagsOf } from './tags.ts';
import { describeWebhooks, WEBHOOK_PARAMETERS, WEBHOOK_RESPONSES, type WebhookModels } from './webhooks.ts';

/** An endpoint by the name of its file, and the folder that it is in where folders tell subjects. */
export type Operation = {
  readonly name: string;
  readonly folder?: string | undefined;
  readonly declaration: Declaration;
};

/**
 * The service's contract as OpenAPI 3.1, made from what its endpoints declare. Runs at build time only.
 * Shapes that the service's contract exports become components under their own names, and its WEBHOOKS the webhooks.
 */
export function openApiDocument(
  service: Service,
  operations: readonly Operation[],
  contract: Readonly<Record<string, unknown>>,
  version: string,
): Json {
  const shapes = shapeWriter(contract);
  const refused: Record<string, Json> = {};
  const paths: Record<string, Json> = {};
  const tags = new Set<string>();
  const documented = operations.filter(({ declaration }) => !declaration.undocumented);
  for (const operation of documented.toSorted(byPath)) {
    const { route } = operation.declaration;
    const method = methodOf(route).toLowerCase();
    const path = pathOf(route).replace('+}', '}');
    const tag = tagOf(service, operation);
    tags.add(tag);
    paths[path] = {
      ...paths[path],
      [method]: describeOperation(service, operation, { tag, shapes, refused }),
    };
  }
  const models = contract.WEBHOOKS as WebhookModels | undefined;
  const webhooks = models && describeWebhooks(models, shapes);
  return {
    openapi: '3.1.0',
    info: {
      title: service.title,
      description: service.description,
      version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    ...guideOf(service.name),
    servers: [{ url: service.basePath }],
    security: anySchemeOf(service),
    tags: Object.entries(tagsOf(service.tags))
      .filter(([tag]) => tags.has(tag))
      .map(([tag, description]) => ({ name: tagName(tag), description, ...guideOf(service.name, tag) })),
    paths,
    ...(webhooks && { webhooks }),
    components: {
      schemas: { ...shapes.components(), ...service.style.schemas },
      responses: { ...refused, ...(webhooks && WEBHOOK_RESPONSES) },
      ...(webhooks && { parameters: WEBHOOK_PARAMETERS }),
      examples: shapes.examples(),
      securitySchemes: service.authenticate.schemes,
      headers: {
        CorrelationId: service.mintsCorrelationId
          ? {
              description: 'Minted by the server for this answer. Name it when you ask for help.',
              schema: { type: 'string', format: 'uuid' },
            }
          : {
              description: 'That of the request, or made by the server. Name it when you ask for help.',
              schema: { type: 'string', maxLength: 128 },
            },
      },
    },
  };
}

const methodOf = (route: Route): string => route.slice(0, route.indexOf(' '));
const pathOf = (route: Route): string => route.slice(route.indexOf(' ') + 1);
const byPath = (a: Operation, b: Operation): number =>
  pathOf(a.declaration.route) < pathOf(b.declaration.route) ? -1 : 1;

/** The subject of an operation. It fails here for an endpoint without one, so that none is left out. */
function tagOf({ tags, name: service }: Service, { declaration, folder, name }: Operation): string {
  const tag = declaration.tag ?? folder;
  const known = Object.keys(tagsOf(tags));
  if (tag !== undefined && known.includes(tag)) return tag;
  throw new Error(`${service}/${name} has no tag. Declare one of: ${known.join(', ')}.`);
}

const HEADERS = { 'X-Correlation-Id': { $ref: '#/components/headers/CorrelationId' } };

type Described = {
  readonly tag: string;
  readonly shapes: Shapes;
  /** The refusals of the document by their names. Most operations refuse in the same ways. */
  readonly refused: Record<string, Json>;
};

function describeOperation(
  service: Service,
  { name, declaration }: Operation,
  { tag, shapes, refused }: Described,
): Json {
  const { body } = declaration;
  return {
    operationId: camelCase(name),
    tags: [tagName(tag)],
    summary: declaration.summary,
    ...(declaration.description && { description: declaration.description }),
    ...security(service, declaration),
    ...parameters(declaration, shapes),
    ...(body && {
      requestBody: {
        required: !body.optional,
        content: Object.fromEntries(
          Object.entries(body.content).flatMap(([type, shape]) => {
            const media =
              shape instanceof z.ZodType
                ? { schema: shapes.reference(shape, 'input'), ...shapes.example(shape) }
                : formMedia(shape.schema);
            return takenTypes(service, type).map((taken) => [taken, media]);
          }),
        ),
      },
    }),
    responses: mergeResponses(answers(service, declaration, shapes), refusals(service, declaration), refused),
  };
}

/** What an operation asks for, where it is not what the whole document says. */
function security(service: Service, { access, credentials }: Declaration): Json {
  if (access === 'public') return { security: [] };
  // The document is written once, for whatever the setting says later.
  const sets = credentials ?? (typeof access === 'function' ? [['key'] as const, []] : undefined);
  return sets ? { security: sets.flatMap((set) => (set.includes('key') ? anySchemeOf(service) : [{}])) } : {};
}

// Where the key is asked for, every other scheme of the service is as good.
const anySchemeOf = ({ authenticate }: Service): Json[] =>
  Object.keys(authenticate.schemes).map((name) => ({ [name]: [] }));

const JSON_TYPE = 'application/json';

// Every reader of JSON takes these. They are listed where a service answers by several names too.
const TAKEN_AS_JSON = [JSON_TYPE, 'text/json', 'application/json-patch+json', 'application/*+json'];

const takenTypes = ({ jsonTypes }: Service, type: string): readonly string[] =>
  type === JSON_TYPE && jsonTypes ? TAKEN_AS_JSON : [type];

/** A JSON answer under each name that the service gives it. */
const jsonContent = ({ jsonTypes = [JSON_TYPE] }: Service, media: Json): Json =>
  Object.fromEntries(jsonTypes.map((type) => [type, media]));

/** A form has a JSON Schema, with its examples in it. */
function formMedia(schema: { readonly examples?: readonly unknown[] }): Json {
  const [example] = schema.examples ?? [];
  return { schema, ...(example !== undefined && { example }) };
}

// 'create-session' -> createSession
const camelCase = (name: string): string => name.replace(/-(.)/g, (_, next: string) => next.toUpperCase());

function parameters(declaration: Declaration, shapes: Shapes): Json {
  const inQuery = declaration.query ? properties(declaration.query, 'query', shapes) : [];
  const declared = declaration.params ? properties(declaration.params, 'path', shapes) : [];
  const named = new Set(declared.map(({ name }) => name));
  const plain = [...pathOf(declaration.route).matchAll(/\{(\w+)\+?\}/g)]
    .map(([, name]) => name)
    .filter((name) => !named.has(name))
    .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const all = [...declared, ...plain, ...inQuery, ...headersOf(declaration)];
  return all.length > 0 ? { parameters: all } : {};
}

/** The headers of credentials beside the key, required where every set of credentials has it, and of a request once. */
function headersOf({ credentials = [], once }: Declaration): Json[] {
  const headers = new Set(credentials.flat().filter((each) => each !== 'key'));
  const ofCredentials = [...headers].map((each) => ({
    name: each.header,
    in: 'header',
    required: credentials.every((set) => set.includes(each)),
    description: each.description,
    schema: { type: 'string' },
  }));
  return [...ofCredentials, ...(once ? [IDEMPOTENCY_HEADER] : [])];
}

function properties(shape: z.ZodObject, place: 'query' | 'path', shapes: Shapes): Json[] {
  const schema = shapes.inline(shape, 'input') as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(schema.properties ?? {}).map(([name, { description, examples, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || (schema.required?.includes(name) ?? false),
    ...(description !== undefined && { description }),
    ...(Array.isArray(examples) && { example: examples[0] }),
    schema: property,
  }));
}

// A longer list of codes is one operation's own.
const MAX_SHARED_CODES = 3;

function mergeResponses(
  answered: Readonly<Record<string, Json>>,
  refusals: readonly Refusal[],
  refused: Record<string, Json>,
): Json {
  const merged = refusals.map(({ status, codes, response }) => {
    const answer = answered[status];
    if (!answer && codes.length <= MAX_SHARED_CODES) {
      const name = [status, ...codes].join('-');
      refused[name] = response;
      return [status, { $ref: `#/components/responses/${name}` }];
    }
    // A status may have a page for browsers and a problem for programs: the description is that of the problem.
    const content = { ...(answer?.content as Json), ...(response.content as Json) };
    return [status, { ...response, ...(Object.keys(content).length > 0 && { content }) }];
  });
  return { ...answered, ...Object.fromEntries(merged) };
}

function answers(service: Service, { answers: declared }: Declaration, shapes: Shapes): Record<string, Json> {
  const entries = Object.entries(declared).map(([status, shape]) => [
    status,
    { description: STATUS_CODES[status] ?? status, headers: HEADERS, ...content(service, shape, shapes) },
  ]);
  return Object.fromEntries(entries);
}

// Generators know a file by this, and make bytes or a stream of it; of an empty schema they make an object.
const BINARY = { type: 'string', format: 'binary' };

function content(service: Service, shape: AnswerShape, shapes: Shapes): Json {
  if (shape instanceof z.ZodType) {
    const schema = shapes.reference(shape, 'output');
    return { content: jsonContent(service, { schema, ...shapes.example(shape) }) };
  }
  if (shape.kind === 'page') return { content: { 'text/html': { schema: { type: 'string' } } } };
  if (shape.kind !== 'file') return {};
  return { content: Object.fromEntries(shape.mediaTypes.map((type) => [type, { schema: BINARY }])) };
}

type Refusal = { readonly status: number; readonly codes: readonly string[]; readonly response: Json };

// The codes of one status share a response: OpenAPI has one a status.
function refusals(service: Service, declaration: Declaration): Refusal[] {
  const byStatus = new Map<number, string[]>();
  for (const code of new Set([...situationsOf(service, declaration), ...(declaration.refuses ?? [])])) {
    for (const status of service.errors.statuses(code)) {
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    }
  }
  const listed = declaration.access === 'public' ? [] : (service.listedStatuses ?? []);
  for (const status of listed) byStatus.set(status, byStatus.get(status) ?? []);
  return [...byStatus].map(([status, codes]) => {
    const schemaName = service.style.schemaFor(status);
    const lines = codes.map((code) => `- \`${code}\`: ${service.errors.text(code)}`);
    const description = lines.join('\n') || `${STATUS_CODES[status]}. The operation has no code for it now.`;
    const schema = { $ref: `#/components/schemas/${schemaName}` };
    const mediaType = service.style.mediaTypeFor?.(status);
    const content = mediaType ? { [mediaType]: { schema } } : jsonContent(service, { schema });
    const response = { description, headers: HEADERS, ...(schemaName && { content }) };
    return { status, codes, response };
  });
}

const identityRefusals = ({ authenticate }: Service, { route }: Declaration): readonly string[] =>
  authenticate.refuses?.(methodOf(route)) ?? [];

function situationsOf(service: Service, declaration: Declaration): string[] {
  const situations = { ...service.situations, ...declaration.situations };
  const keyed = declaration.access !== 'public';
  const { query, params, body } = declaration;
  const invalidQuery = query ? [service.invalidQuery ?? situations.invalid] : [];
  return [
    ...(params || body ? [situations.invalid] : []),
    ...invalidQuery,
    ...(service.unknownOptions && !declaration.ignoresUnknownOptions ? [service.unknownOptions] : []),
    ...(declaration.body ? [situations.tooLarge, situations.unsupportedMedia] : []),
    ...(keyed ? [situations.unauthorized, ...identityRefusals(service, declaration)] : []),
    ...(declaration.permission || (keyed && service.may) ? [situations.forbidden] : []),
    // Keys that are refused too often are a rate too.
    ...(declaration.rate || keyed ? [situations.rateLimited] : []),
    ...(keyed && (service.admission || service.applicationLimits) ? [situations.busy] : []),
    situations.unavailable,
    situations.unexpected,
  ];
}
