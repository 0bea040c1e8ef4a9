import { request } from 'node:http';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { freePort } from '../../../infra/local/ports.ts';

type Request = { headers: Record<string, string>; mime: string };
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
  inject(call: object): Promise<{ headers: Record<string, string>; payload: string }>;
};

const offline = createRequire(import.meta.resolve('serverless-offline'));
const { Server: hapi } = offline('@hapi/hapi') as { Server: new (options: object) => Server };
const { adaptHapi } = await import(pathToFileURL(resolve('infra/local/lift-ceiling.mjs')).href);
const prototype = Object.getPrototypeOf(new hapi({}));
const { ext, route, start, stop } = prototype;
afterEach(() => Object.assign(prototype, { ext, route, start, stop }));

function adapt(binaryMediaTypes: string[], httpPort = 0) {
  adaptHapi({
    service: { provider: { apiGateway: { binaryMediaTypes } } },
    pluginManager: { cliOptions: { httpPort: String(httpPort) } },
  });
}

/** A route as serverless-offline adds one for a function. */
const functionRoute = {
  method: 'POST',
  path: '/f',
  options: { payload: { maxBytes: 10 * 1024 * 1024, parse: false } },
  handler: ({ headers, mime }: Request) => ({ type: headers['content-type'], mime }),
};

describe("serverless-offline's routes", () => {
  test('take bodies of 150 MB, and five minutes to receive them', () => {
    adapt([]);
    const server = new hapi({});
    server.route(functionRoute);
    expect(server.table()[0]?.settings.payload).toMatchObject({
      maxBytes: 150 * 1024 * 1024,
      timeout: 300_000,
    });
  });

  test('that belong to no function stay as they are', () => {
    adapt([]);
    const server = new hapi({});
    server.route({ method: 'POST', path: '/other', handler: () => 'x' });
    expect(server.table()[0]?.settings.payload.maxBytes).toBe(1024 * 1024);
  });

  test.each([
    [['application/pdf'], 'application/pdf', 'application/octet-stream'],
    [['application/pdf'], 'application/json', 'application/json'],
    [['*/*'], 'application/json', 'application/octet-stream'],
    [[], 'application/pdf', 'application/pdf'],
  ])('with the binary types %s, %s counts as %s', async (binary, type, counted) => {
    adapt(binary);
    const server = new hapi({});
    server.route(functionRoute);
    const call = { method: 'POST', url: '/f', payload: '{}', headers: { 'content-type': type } };
    expect(JSON.parse((await server.inject(call)).payload)).toEqual({ type: counted, mime: counted });
  });
});

test('an answer gets no CORS header that its function did not give it', async () => {
  adapt([]);
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
  adapt([], port);
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
