import { request } from 'node:http';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { freePort } from '../../../../infra/local/engine/ports.ts';
import { wasUnreachableAtStart } from '../../../../shared/store/start-check.ts';

type Request = { headers: Record<string, string>; method: string; params: object };
type Answer = { header(name: string, value: string): Answer };
type Route = { settings: { payload: { maxBytes: number; timeout: number } } };
type Server = {
  route(route: object): void;
  start(): Promise<void>;
  stop(): Promise<void>;
  table(): Route[];
  ext(
    event: string,
    handler: (
      request: { response: { header(name: string, value: string): void } },
      h: { continue: symbol },
    ) => symbol,
  ): void;
  inject(call: object): Promise<{ statusCode: number; headers: Record<string, string>; payload: string }>;
};

const offline = createRequire(import.meta.resolve('serverless-offline'));
const { Server: hapi } = offline('@hapi/hapi') as { Server: new (options: object) => Server };
const { adaptHapi } = await import(pathToFileURL(resolve('infra/local/offline/hapi.mjs')).href);
const prototype = Object.getPrototypeOf(new hapi({}));
const { ext, route, start, stop } = prototype;
afterEach(() => Object.assign(prototype, { ext, route, start, stop }));

const adapt = (httpPort = 0) => adaptHapi({ pluginManager: { cliOptions: { httpPort: String(httpPort) } } });

/** A route as serverless-offline adds one for a function. */
const functionRoute = {
  method: 'POST',
  path: '/f',
  options: { tags: ['api'], payload: { maxBytes: 10 * 1024 * 1024, parse: false } },
  handler: () => ({}),
};

describe("serverless-offline's routes", () => {
  test('leave it to the function how large a body may be, and take it as it flows', () => {
    adapt();
    const server = new hapi({});
    server.route(functionRoute);
    expect(server.table()[0]?.settings.payload).toMatchObject({
      maxBytes: Number.MAX_SAFE_INTEGER,
      output: 'stream',
    });
  });

  test('that belong to no function stay as they are', () => {
    adapt();
    const server = new hapi({});
    server.route({ method: 'POST', path: '/other', handler: () => 'x' });
    expect(server.table()[0]?.settings.payload.maxBytes).toBe(1024 * 1024);
  });

  test.each(['application/pdf', 'application/json', 'text/plain', ''])(
    'hand a body of type "%s" over unread',
    async (type) => {
      adapt();
      const server = new hapi({});
      let body: unknown;
      server.route({
        ...functionRoute,
        handler: async ({ payload }: { payload: object }) => {
          body = payload.toString();
          return buffer(body as Readable);
        },
      });
      const call = { method: 'POST', url: '/f', payload: 'as it is', headers: { 'content-type': type } };
      expect((await server.inject(call)).payload).toBe('as it is');
      expect(body).toBeInstanceOf(Readable);
    },
  );
});

describe('a server of routes', () => {
  const say =
    (name: string) =>
    ({ params, method, headers }: Request, h: { response(body: object): Answer }) => {
      const response = h.response({ name, method, params, headers });
      return response.header('x-correlation-id', 'its own').header('x-name', name);
    };
  /** As serverless-offline answers when a function ends without an answer. */
  const failed = (_request: Request, h: { response(): { code(status: number): object } }) =>
    h.response().code(502);
  const server = () => {
    adapt();
    const made = new hapi({ router: { stripTrailingSlash: true } });
    made.ext('onPreResponse', (_request, { continue: on }) => on);
    const options = { tags: ['api'], cors: { origin: ['*'] } };
    const refuse = { ...options, payload: { parse: false } };
    made.route({ method: 'GET', path: '/session/v1/{id}', options, handler: say('get') });
    made.route({ method: 'GET', path: '/session/all/{path*}', options, handler: say('greedy') });
    made.route({ method: 'GET', path: '/session/failed', options, handler: failed });
    made.route({ method: '*', path: '/session/{proxy*}', options: refuse, handler: say('refuse') });
    return made;
  };
  const ask = async (call: object) => {
    const answer = await server().inject({ method: 'GET', ...call });
    return { ...answer, json: () => JSON.parse(answer.payload) };
  };

  test.each([
    ['/session/v1/%2531', { id: '%2531' }],
    ['/session/v1/a%2Fb', { id: 'a%2Fb' }],
    ['/session/all/a%2520b/c', { path: 'a%2520b/c' }],
  ])('%s arrives as %j', async (url, params) => {
    expect((await ask({ url })).json().params).toEqual(params);
  });

  test('HEAD goes where GET goes', async () => {
    const answer = await ask({ method: 'HEAD', url: '/session/v1/1' });
    expect([answer.headers['x-name'], answer.payload]).toEqual(['get', '']);
  });

  test('OPTIONS goes where unknown methods go', async () => {
    const headers = { origin: 'http://elsewhere', 'access-control-request-method': 'GET' };
    const answer = await ask({ method: 'OPTIONS', url: '/session/v1/1', headers });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(answer.headers['x-name']).toBe('refuse');
  });

  test('a part of an answer is not for the asking', async () => {
    const answer = await ask({ url: '/session/v1/1', headers: { range: 'bytes=0-1' } });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).not.toHaveProperty('accept-ranges');
  });

  test('no header says who the caller is', async () => {
    const headers = { 'sls-offline-authorizer-override': '{}', other: 'x' };
    const { json } = await ask({ url: '/session/v1/1', headers });
    expect(json().headers).not.toHaveProperty('sls-offline-authorizer-override');
    expect(json().headers).toHaveProperty('other');
  });

  test.each(['multipart/form-data', 'garbage', ';;'])(
    'a body of type %s is for the function to judge',
    async (type) => {
      const call = { method: 'POST', url: '/session/x', payload: 'x', headers: { 'content-type': type } };
      expect((await ask(call)).json().name).toBe('refuse');
    },
  );

  test('a function that ends without an answer is one that failed, in the style of its service', async () => {
    const answer = await ask({ url: '/session/failed' });
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({ error: { code: 'INTERNAL_ERROR' } });
    expect(answer.headers['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a path that cannot be decoded is refused in the style of its service', async () => {
    const answer = await ask({ url: '/session/%ff' });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: { code: 'INVALID_REQUEST' } });
    expect(answer.headers['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    '/elsewhere',
    '//evil:99999/../../session/v1/1',
    '/\\evil:99999/../../session/v1/1',
    '//session/v1/1',
    '/%ff',
  ])('at %s there is no service', async (url) => {
    const answer = await ask({ url });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({
      message: 'No service is at this path. The home page at / lists the services.',
    });
    expect(answer.headers['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

test('an answer gets no CORS header that its function did not give it', async () => {
  adapt();
  const server = new hapi({});
  server.route({ method: 'GET', path: '/', handler: () => 'x' });
  server.ext('onPreResponse', ({ response }, h) => {
    response.header('access-control-allow-origin', '*');
    return h.continue;
  });
  const { headers } = await server.inject({ url: '/', headers: { origin: 'http://elsewhere' } });
  expect(headers).not.toHaveProperty('access-control-allow-origin');
});

test('the server listens on both loopback addresses, and stops on both', async () => {
  const port = await freePort();
  adapt(port);
  const server = new hapi({ host: '127.0.0.1', port });
  server.route({ method: 'GET', path: '/', handler: () => 'here' });
  await server.start();
  const status = (host: string) =>
    new Promise((done) => {
      const call = request({ host, port, agent: false }, (response) => done(response.resume().statusCode));
      call.on('error', (error: NodeJS.ErrnoException) => done(error.code)).end();
    });
  expect(await status('127.0.0.1')).toBe(200);
  expect(await status('::1')).toBe(200);
  await server.stop();
  expect(await status('::1')).toBe('ECONNREFUSED');
});

test('the functions learn which stores did not answer when the engine started', async () => {
  const { takeOrder } = await import(pathToFileURL(resolve('infra/local/offline/plugin.mjs')).href);
  const service = { custom: { 'serverless-offline': {} } };
  await takeOrder(service, { buildDir: '/build', env: {}, unreachable: ['batch'] });
  expect(service.custom['serverless-offline']).toEqual({ location: '/build' });
  expect([wasUnreachableAtStart('batch'), wasUnreachableAtStart('compact')]).toEqual([true, false]);
});
