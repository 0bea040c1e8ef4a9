import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { endpointFiles } from '../../../infra/build/function-files.ts';
import { handlerOf } from '../../../infra/invoke.ts';
import { seedSandbox } from '../../../infra/local/seed/seed.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { call } from '../../requests/http-event.ts';
import { documentOf, operationsIn, placesIn } from './operations.ts';

// Every operation of every contract document, so that a new one is included automatically. A restriction that a client
// asks for and a service does not know must never be dropped in silence.

beforeAll(seedSandbox);
beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
});

/** The status and the code of the refusal. A hub's validation problem has no code. */
const SERVICES = [
  ['session', 400, /"code":"INVALID_REQUEST".*(?:option|field): /],
  ['hub', 400, /"errors":\{.*"is not (?:supported|a parameter of this operation)"/],
  ['pki', 422, /"code":"OptionNotSupported".*"option":/],
  ['credentials', 422, /"code":"InvalidFields".*"option":/],
  ['documents', 422, /"code":"OptionNotSupported".*"option":/],
  ['batch', 400, /"code":"(?:request\.invalid|validation\.filter-invalid)".*"errors":/],
  ['compact', 400, /"code":"(?:request\.invalid|validation\.filter-invalid)".*"errors":/],
] as const;

const ID = '0b7c1e52-9d0a-4a3e-8f31-5b6f0d1f2a3b';

/** The endpoint of each route of a service. */
async function endpointsOf(service: string): Promise<ReadonlyMap<string, Endpoint>> {
  const found = new Map<string, Endpoint>();
  for (const { name } of endpointFiles().filter((each) => each.service === service)) {
    const endpoint = (await handlerOf(`${service}/${name}`)) as unknown as Endpoint;
    const { route, aliases = [] } = endpoint.declaration;
    for (const each of [route, ...aliases]) found.set(each.replace('+}', '}'), endpoint);
  }
  return found;
}

describe.each(SERVICES)('%s', async (service, status, refusal) => {
  const endpoints = await endpointsOf(service);
  const endpointAt = (route: string): Endpoint => {
    const endpoint = endpoints.get(route);
    if (!endpoint) throw new Error(`No endpoint of ${service} answers ${route}.`);
    return endpoint;
  };
  const document = documentOf(service);
  const operations = operationsIn(document).filter(
    ({ route }) => !endpointAt(route).declaration.ignoresUnknownOptions,
  );

  const send = (route: string, sent: Parameters<typeof call>[1]) => {
    const [method = '', path = ''] = route.split(' ');
    const endpoint = endpointAt(route);
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const params = Object.fromEntries(names.map((name) => [name, paramOf(endpoint, name)]));
    return call(endpoint, { method, path, params, headers: { 'X-API-Key': SANDBOX_KEY }, ...sent });
  };

  test.each(operations)('$route refuses, by name, a query value that it does not know', async ({ route }) => {
    const answer = await send(route, { query: { NotKnown: 'x' } });
    expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(refusal)]);
    expect(answer.text).toContain('NotKnown');
  });

  const writing = operations.filter(
    ({ route, content }) =>
      !route.startsWith('GET ') && (Object.keys(content).length === 0 || content['application/json']),
  );

  test.each(writing)(
    '$route refuses, by name, a field that it does not know, at every depth',
    async ({ route, content }) => {
      const places = placesIn(document, content['application/json']?.schema ?? { properties: {} }, true);
      expect(places.length).toBeGreaterThan(0);
      for (const json of places) {
        const answer = await send(route, { json });
        expect([json, answer.status, answer.text]).toEqual([json, status, expect.stringMatching(refusal)]);
        expect(answer.text).toContain('notKnown');
      }
    },
  );
});

/** An id, or the first word where the parameter is one of several. */
function paramOf({ declaration }: Endpoint, name: string): string {
  const shape = declaration.params?.shape[name] as { readonly options?: readonly string[] } | undefined;
  return shape?.options?.[0] ?? ID;
}
