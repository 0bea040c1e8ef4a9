import { beforeAll, expect, test } from 'vitest';
import document from '../../../functions/documents/openapi.json' with { type: 'json' };
import { endpointFiles } from '../../../infra/function-files.ts';
import { handlerOf } from '../../../infra/invoke.ts';
import { createApplication, issueKey } from '../../../shared/access/administration.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { type Answered, call } from '../../http-event.ts';
import { encodeForm } from './file-form.ts';
import { ownOrganization } from './own-organization.ts';

// Every operation of the OpenAPI document, so that a new one is included automatically.

type Json = Readonly<Record<string, unknown>>;
type Operation = { readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Json }>> } };
type Schema = {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};

const operations = Object.entries(
  document.paths as unknown as Record<string, Record<string, Operation>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    route: `${method.toUpperCase()} ${path}`,
    content: operation.requestBody?.content ?? {},
  })),
);

const schemas = document.components.schemas as unknown as Readonly<Record<string, Schema>>;

/** Copies of a body, each with `value` under an unknown name in one of its objects. */
function placesIn(schema: Schema, value: unknown): unknown[] {
  const { $ref, properties, items, anyOf } = schema;
  if ($ref) return placesIn(schemas[$ref.slice('#/components/schemas/'.length)] ?? {}, value);
  if (anyOf) return anyOf.flatMap((each) => placesIn(each, value));
  if (items) return placesIn(items, value).map((inner) => [inner]);
  if (!properties) return [];
  const deeper = Object.entries(properties).flatMap(([name, each]) =>
    placesIn(each, value).map((inner) => ({ [name]: inner })),
  );
  return [{ notKnown: value }, ...deeper];
}

const ID = '0b7c1e52-9d0a-4a3e-8f31-5b6f0d1f2a3b';
const handlers = new Map<string, Endpoint>();
let key: string;

beforeAll(async () => {
  for (const { service, name } of endpointFiles().filter((each) => each.service === 'documents')) {
    const handler = (await handlerOf(`${service}/${name}`)) as unknown as Endpoint;
    handlers.set(handler.declaration.route.replace('+}', '}'), handler);
  }
  const { orgId } = await ownOrganization();
  const application = `unknown-options-${orgId}`;
  const registered = { organizations: [orgId] };
  await createApplication('documents', { name: application, permissions: ['admin'], registered });
  key = (await issueKey('documents', application)).text;
});

type Sent = Parameters<typeof call>[1];

function send(route: string, sent: Sent = {}): Promise<Answered> {
  const [method = '', path = ''] = route.split(' ');
  const params = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, ID]));
  const handler = handlers.get(route);
  if (!handler) throw new Error(`No endpoint answers ${route}.`);
  return call(handler, { method, path, params, ...sent, headers: { 'X-API-Key': key, ...sent.headers } });
}

const refusal = (option: string) => ({ code: 'OptionNotSupported', details: { option } });
const REFUSED = /^\{"code":"OptionNotSupported"/;

test.each(operations)('$route refuses a query value that it does not know', async ({ route }) => {
  const answer = await send(route, { query: { NotKnown: 'false' } });
  expect([answer.status, answer.json()]).toMatchObject([422, refusal('NotKnown')]);
});

test.each(operations)('$route takes a query value that asks for nothing', async ({ route }) => {
  const answer = await send(route, { query: { NotKnown: '' } });
  expect(answer.text).not.toMatch(REFUSED);
});

const writing = operations.filter(({ route }) => !route.startsWith('GET '));

test.each(writing)(
  '$route refuses a field that it does not know, at every depth',
  async ({ route, content }) => {
    if (content['multipart/form-data']) {
      const form = new FormData();
      form.append('notKnown', 'yes');
      const answer = await send(route, await encodeForm(form));
      return expect([answer.status, answer.json()]).toMatchObject([422, refusal('notKnown')]);
    }
    const places = placesIn(content['application/json']?.schema ?? { properties: {} }, true);
    expect(places.length).toBeGreaterThan(0);
    for (const json of places) {
      const answer = await send(route, { json });
      expect([json, answer.status, answer.json()]).toMatchObject([json, 422, refusal('notKnown')]);
    }
  },
);

test.each(writing)(
  '$route takes unknown fields with the default values of clients',
  async ({ route, content }) => {
    const schema = content['application/json']?.schema ?? { properties: {} };
    for (const nothing of [null, false, '', []]) {
      for (const json of placesIn(schema, nothing)) {
        const answer = await send(route, { json });
        expect(answer.text, JSON.stringify(json)).not.toMatch(REFUSED);
      }
    }
  },
);

test.each([
  'allowElectronicSignature',
  'requireSmsAuthenticationToSignElectronically',
  'allowRuleFlowToContinueIfRefused',
  'xadesOptions',
])('an action that asks for %s is refused, and the answer says where', async (option) => {
  const answer = await send('POST /api/documents', { json: { flowActions: [{}, { [option]: true }] } });
  expect(answer.json()).toMatchObject({ details: { option, field: `flowActions.1.${option}` } });
});

test.each([
  ['POST /api/documents', 'notifiedEmails', { notifiedEmails: ['ana@example.com'] }],
  ['POST /api/documents', 'isPrivate', { attachments: [{ isPrivate: true }] }],
  ['POST /api/documents', 'envelopeName', { envelopeName: 'Contratos' }],
  ['POST /api/documents', 'constructor', { constructor: 1 }],
  ['POST /api/documents/{id}/versions', 'xadesOptions', { flowActions: [{ xadesOptions: {} }] }],
  ['POST /api/documents/{id}/action-url', 'requireEmailAuthentication', { requireEmailAuthentication: true }],
  ['POST /api/folders', 'limit', { limit: 0 }],
])('%s refuses %s', async (route, option, json) => {
  const answer = await send(route, { json });
  expect([answer.status, answer.json()]).toMatchObject([422, refusal(option)]);
});

test.each(['Tags', 'ParticipantQ', 'QueryType', 'FolderType', 'DocumentType', 'isDeleted'])(
  'a list of documents by %s is refused, and not answered unfiltered',
  async (filter) => {
    const answer = await send('GET /api/documents', { query: { [filter]: 'x', Status: 'Pending' } });
    expect([answer.status, answer.json()]).toMatchObject([422, refusal(filter)]);
  },
);
