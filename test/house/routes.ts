import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  type DeployedFile,
  deployedFiles,
  functionFiles,
  isRouter,
} from '../../infra/build/function-files.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { Router } from '../../shared/http/router.ts';
import { declaredFunctions } from './functions.ts';

const declared = declaredFunctions();
const nameOf = ({ service, name }: { readonly service: string; readonly name: string }) =>
  `${service}/${name}`;
const eventsOf = (file: DeployedFile) => declared.find(({ name }) => name === nameOf(file))?.events ?? [];
const loaded = async <Handler = Endpoint>({ path }: { readonly path: string }): Promise<Handler> =>
  (await import(pathToFileURL(resolve(path)).href)).handler;

// 'GET /v1/sessions' of the session service -> 'get session/v1/sessions'
const declaredRoutes = (service: string, routes: readonly string[]): string[] =>
  routes.map((route) => {
    const [method = '', path = ''] = route.split(' ');
    return `${method.toLowerCase()} ${service}${path === '/' ? '' : path}`;
  });
const routesOf = ({ declaration: { route, aliases = [] } }: Endpoint): string[] => [route, ...aliases];

const served = deployedFiles().filter(({ path }) => !path.includes('/workers/'));
const routers = served.filter(isRouter);

describe('functions.yml and the sources agree', () => {
  test('every function that is built is declared once, and nothing else is', () => {
    expect(declared.map(({ name }) => name).toSorted()).toEqual(deployedFiles().map(nameOf).toSorted());
  });

  test('every endpoint and worker is a function, or in one of a router', () => {
    const operations = deployedFiles().flatMap((file) => file.operations.map(nameOf));
    expect(operations.toSorted()).toEqual(functionFiles().map(nameOf).toSorted());
  });

  test('a function is named after its file', () => {
    const camel = (name: string) => name.replace(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase());
    expect(declared.map(({ key }) => key)).toEqual(declared.map(({ name }) => camel(name)));
  });

  test.each(served.map((file) => [nameOf(file), file] as const))(
    'the routes of %s are those its endpoints declare',
    async (_, file) => {
      const routes = eventsOf(file).flatMap(({ http }) => (http ? [`${http.method} ${http.path}`] : []));
      const endpoints = await Promise.all(file.operations.map((operation) => loaded(operation)));
      expect(routes.toSorted()).toEqual(declaredRoutes(file.service, endpoints.flatMap(routesOf)).toSorted());
    },
  );

  test.each(routers.map((file) => [nameOf(file), file] as const))(
    '%s has each route lead to the endpoint that declares it',
    async (_, file) => {
      const { routes } = await loaded<Router>(file);
      const found = await Promise.all(
        Object.entries(routes).map(
          async ([route, load]) => [route, routesOf((await load()).handler)] as const,
        ),
      );
      expect(found.filter(([route, ofEndpoint]) => !ofEndpoint.includes(route))).toEqual([]);
      const endpoints = await Promise.all(file.operations.map((operation) => loaded(operation)));
      expect(Object.keys(routes).toSorted()).toEqual(endpoints.flatMap(routesOf).toSorted());
    },
  );

  test('an endpoint that streams says so to API Gateway, and no other does', async () => {
    for (const file of served) {
      const endpoints = await Promise.all(file.operations.map((operation) => loaded(operation)));
      const streams = eventsOf(file).map(({ http }) => http?.response?.transferMode === 'STREAM');
      // Lambda streams all answers of a function, or none.
      expect({ name: nameOf(file), streams: [...new Set(streams)] }).toEqual({
        name: nameOf(file),
        streams: [...new Set(endpoints.map(({ declaration }) => declaration.streams ?? false))],
      });
    }
  });

  test('a router has no time of its own: all its endpoints have that of every function', () => {
    const named = declared.filter(({ name }) => routers.some((file) => nameOf(file) === name));
    expect(named.filter(({ timeout }) => timeout !== undefined)).toEqual([]);
  });

  test('a worker has a queue or a schedule and no route', () => {
    const workers = deployedFiles().filter(({ path }) => path.includes('/workers/'));
    for (const file of workers) {
      expect(eventsOf(file).length).toBeGreaterThan(0);
      expect(eventsOf(file).every(({ http }) => http === undefined)).toBe(true);
    }
  });
});
