import { describe, expect, test } from 'vitest';
import { endpointFiles, functionFiles } from '../../infra/build/function-files.ts';
import { handlerOf } from '../../infra/invoke.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { declaredFunctions } from './functions.ts';

const declared = declaredFunctions();
const sources = functionFiles().map(({ service, name }) => `${service}/${name}`);

// 'GET /v1/sessions' of the session service -> 'get session/v1/sessions'
const routesOf = ({ declaration, service }: Endpoint): string[] =>
  [declaration.route, ...(declaration.aliases ?? [])].map((route) => {
    const [method = '', path = ''] = route.split(' ');
    return `${method.toLowerCase()} ${service.name}${path === '/' ? '' : path}`;
  });

describe('functions.yml and the sources agree', () => {
  test('every endpoint and worker is declared once, and nothing else is', () => {
    expect(declared.map(({ name }) => name).toSorted()).toEqual(sources.toSorted());
  });

  test('a function is named after its file', () => {
    const camel = (name: string) => name.replace(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase());
    expect(declared.map(({ key }) => key)).toEqual(declared.map(({ name }) => camel(name)));
  });

  test.each(endpointFiles().map(({ service, name }) => `${service}/${name}`))(
    'the routes of %s are those its endpoint declares',
    async (name) => {
      const handler = (await handlerOf(name)) as unknown as Endpoint;
      const events = declared.find((each) => each.name === name)?.events ?? [];
      const routes = events.flatMap(({ http }) => (http ? [`${http.method} ${http.path}`] : []));
      const wanted = name.endsWith('/refuse-unknown-route')
        ? [`any ${handler.service.name}`, ...routesOf(handler)]
        : routesOf(handler);
      expect(routes.toSorted()).toEqual(wanted.toSorted());
    },
  );

  test('an endpoint that streams says so to API Gateway, and no other does', async () => {
    for (const { name, events } of declared.filter(({ events }) => events.some(({ http }) => http))) {
      const { declaration } = (await handlerOf(name)) as unknown as Endpoint;
      const streams = events.map(({ http }) => http?.response?.transferMode === 'STREAM');
      expect({ name, streams: new Set(streams) }).toEqual({
        name,
        streams: new Set([declaration.streams ?? false]),
      });
    }
  });

  test('a worker has a queue or a schedule and no route', () => {
    const workers = functionFiles().filter(({ path }) => path.includes('/workers/'));
    for (const { service, name } of workers) {
      const events = declared.find((each) => each.name === `${service}/${name}`)?.events ?? [];
      expect(events.length).toBeGreaterThan(0);
      expect(events.every(({ http }) => http === undefined)).toBe(true);
    }
  });
});
