import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import type { HostEvent } from '../../../shared/http/call.ts';
import type { Route } from '../../../shared/http/declaration.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { routeTo } from '../../../shared/http/router.ts';
import { httpEvent, lambdaContext } from '../../requests/http-event.ts';
import { logOf } from './log-of.ts';
import { sample } from './sample.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const loaded: Route[] = [];
const service = sample();
const endpointOf = (route: Route): Endpoint =>
  service.endpoint(
    { route, summary: 'Answers its route', access: 'public', answers: { 200: z.looseObject({}) } },
    async ({ params }) => ({
      route,
      ...params,
    }),
  );
const load = (route: Route, handler = endpointOf(route)) => ({
  [route]: async () => {
    loaded.push(route);
    return { handler };
  },
});

const router = routeTo(service as never, {
  ...load('GET /'),
  ...load('GET /jobs/{id}'),
  ...load('POST /jobs/{id}'),
  ...load('POST /forms/{path+}'),
  ...load('ANY /{proxy+}', service.refuseUnknownRoute()),
});

/** A request as the host hands it on: it names the route that it has found. */
const ask = async (method: string, resource: string, params: Record<string, string> = {}) => {
  const event: HostEvent = { ...httpEvent({ method, params, path: '/sandbox/as/sent' }), resource };
  const { result, lines } = await logOf(() => router(event, lambdaContext()));
  return { status: result.statusCode, body: result.body && JSON.parse(result.body), lines };
};

test('a call goes to the endpoint of the route that the host names', async () => {
  expect((await ask('GET', '/sandbox')).body).toEqual({ route: 'GET /' });
  const params = { id: '7' };
  expect((await ask('GET', '/sandbox/jobs/{id}', params)).body).toEqual({ route: 'GET /jobs/{id}', id: '7' });
  expect((await ask('POST', '/sandbox/jobs/{id}', params)).body).toEqual({
    route: 'POST /jobs/{id}',
    id: '7',
  });
  expect((await ask('POST', '/sandbox/forms/{path+}')).body).toEqual({ route: 'POST /forms/{path+}' });
});

test('HEAD is answered as GET, without its body', async () => {
  expect(await ask('HEAD', '/sandbox')).toMatchObject({ status: 200, body: '' });
});

test('a method that the path does not have is refused by the endpoint of its GET', async () => {
  vi.stubEnv('Log__Level', 'INFO');
  const { status, lines } = await ask('DELETE', '/sandbox/jobs/{id}', { id: '7' });
  expect(status).toBe(404);
  expect(lines).toMatchObject([{ message: 'answered', method: 'DELETE', route: 'GET /jobs/{id}' }]);
});

test('what no route takes is refused by the endpoint of the rest', async () => {
  expect(await ask('GET', '/sandbox/{proxy+}')).toMatchObject({
    status: 404,
    body: { code: 'NoSuchRoute' },
  });
  expect(await ask('PUT', '/sandbox/folder')).toMatchObject({ status: 404 });
});

test('the log names the route, and not the function', async () => {
  vi.stubEnv('Log__Level', 'INFO');
  const { lines } = await ask('POST', '/sandbox/forms/{path+}');
  expect(lines).toMatchObject([
    { message: 'answered', method: 'POST', route: 'POST /forms/{path+}', status: 200 },
  ]);
});

test('only the endpoint that is called is loaded', async () => {
  loaded.length = 0;
  await ask('GET', '/sandbox/jobs/{id}', { id: '7' });
  expect(loaded).toEqual(['GET /jobs/{id}']);
});

test('an endpoint that cannot be loaded fails the call, with its route in the log', async () => {
  const broken = routeTo(service as never, {
    'GET /broken': () => Promise.reject(new Error('no such file')),
  });
  const event: HostEvent = { ...httpEvent(), resource: '/sandbox/broken' };
  const { lines } = await logOf(() => expect(broken(event, lambdaContext())).rejects.toThrow('no such file'));
  expect(lines).toMatchObject([{ level: 'ERROR', message: 'endpoint not loaded', route: 'GET /broken' }]);
});

test('a router without an endpoint for the rest fails a call that is none of its own', async () => {
  const one = routeTo(service as never, load('GET /one'));
  const event: HostEvent = { ...httpEvent(), resource: '/sandbox/two' };
  await expect(one(event, lambdaContext())).rejects.toThrow('There is no endpoint for GET /sandbox/two');
});

const folded = routeTo(
  service as never,
  {
    ...load('GET /jobs/{id}'),
    ...load('POST /jobs/{id}/retry'),
    ...load('GET /jobs/newest'),
  },
  service.refuseUnknownRoute(),
);

test.each([
  ['GET', '7', 200, { route: 'GET /jobs/{id}', id: '7' }],
  ['GET', 'a%2Fb', 200, { route: 'GET /jobs/{id}', id: 'a/b' }],
  ['POST', '7/retry', 200, { route: 'POST /jobs/{id}/retry', id: '7' }],
  ['GET', 'newest', 200, { route: 'GET /jobs/newest' }],
  ['HEAD', '7', 200, ''],
  ['GET', '7/retry', 404, {}],
  ['GET', '7/retry/again', 404, {}],
  ['GET', '', 404, {}],
  ['DELETE', '7', 404, {}],
])('a folder of paths that the host hands over whole: %s %s', async (method, proxy, status, body) => {
  const event: HostEvent = {
    ...httpEvent({ method, params: { proxy }, path: `/sandbox/jobs/${proxy}` }),
    resource: '/sandbox/jobs/{proxy+}',
  };
  const { result } = await logOf(() => folded(event, lambdaContext()));
  expect(result.statusCode).toBe(status);
  expect(result.body && JSON.parse(result.body)).toEqual(
    typeof body === 'string' ? body : expect.objectContaining(body),
  );
});
