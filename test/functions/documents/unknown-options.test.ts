import { expect, test } from 'vitest';
import { endpointFiles } from '../../../infra/build/function-files.ts';
import { handlerOf } from '../../../infra/invoke.ts';
import { createApplication, issueKey } from '../../../shared/access/administration.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { type Answered, call } from '../../requests/http-event.ts';
import { documentOf, operationsIn, placesIn } from '../every-service/operations.ts';
import { encodeForm } from './file-form.ts';
import { ownOrganization } from './own-organization.ts';

const document = documentOf('documents');
// Probes and the contract itself take anything.
const operations = operationsIn(document).filter(({ route }) => !/\/(?:healthz|openapi\/)/.test(route));

const ID = '0b7c1e52-9d0a-4a3e-8f31-5b6f0d1f2a3b';
const handlers = new Map<string, Endpoint>();

for (const { service, name } of endpointFiles().filter((each) => each.service === 'documents')) {
  const handler = (await handlerOf(`${service}/${name}`)) as unknown as Endpoint;
  handlers.set(handler.declaration.route.replace('+}', '}'), handler);
}
const { orgId } = await ownOrganization();
const application = `unknown-options-${orgId}`;
const registered = { organizations: [orgId] };
await createApplication('documents', { name: application, permissions: ['admin'], registered });
const key = (await issueKey('documents', application)).text;

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

test.each(operations)('$route takes query values that ask for nothing', async ({ route }) => {
  const answer = await send(route, {
    query: { NotKnown: '', Flag: 'False', Preview: 'false', Text: 'null' },
  });
  expect(answer.text).not.toMatch(REFUSED);
});

const writing = operations.filter(({ route }) => !route.startsWith('GET '));

const forms = operations.filter(({ content }) => content['multipart/form-data']);

test.each(forms)('$route refuses a form field that it does not know', async ({ route }) => {
  const form = new FormData();
  form.append('notKnown', 'yes');
  const answer = await send(route, await encodeForm(form));
  expect([answer.status, answer.json()]).toMatchObject([422, refusal('notKnown')]);
});

test.each(writing)(
  '$route takes unknown fields with the default values of clients',
  async ({ route, content }) => {
    const schema = content['application/json']?.schema ?? { properties: {} };
    for (const nothing of [null, false, '', []]) {
      for (const json of placesIn(document, schema, nothing)) {
        const answer = await send(route, { json });
        expect(answer.text, JSON.stringify(json)).not.toMatch(REFUSED);
      }
    }
  },
);

test.each(['requirePixAuthenticationToSignElectronically', 'pixOptions'])(
  'an action that asks for %s is refused, and the answer says where',
  async (option) => {
    const answer = await send('POST /api/documents', { json: { flowActions: [{}, { [option]: true }] } });
    expect(answer.json()).toMatchObject({ details: { option, field: `flowActions.1.${option}` } });
  },
);

test.each([
  ['POST /api/documents', 'constructor', { constructor: 1 }],
  ['POST /api/documents/{id}/versions', 'depth', { flowActions: [{ xadesOptions: { depth: 1 } }] }],
  ['POST /api/documents/{id}/action-url', 'requireSms', { requireSms: true }],
  ['POST /api/folders', 'limit', { limit: 0 }],
])('%s refuses %s', async (route, option, json) => {
  const answer = await send(route, { json });
  expect([answer.status, answer.json()]).toMatchObject([422, refusal(option)]);
});

test('a list of documents by an unknown filter is refused, and not answered unfiltered', async () => {
  const answer = await send('GET /api/documents', { query: { Color: 'red', Status: 'Pending' } });
  expect([answer.status, answer.json()]).toMatchObject([422, refusal('Color')]);
});
