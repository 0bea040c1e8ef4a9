import { expect, test } from 'vitest';
import { createRouter } from '../../../../infra/runtime/http/router.ts';
import type { Route } from '../../../../infra/runtime/http/routes.ts';

const route = (method: string, path: string): Route => ({
  method,
  path,
  key: `${method} ${path}`,
  timeoutMs: 1,
});
const find = createRouter(
  [
    'ANY a/{rest+}',
    'GET a/{id}',
    'ANY a/{id}',
    'GET a/fixed',
    'POST a/fixed/deep',
    'ANY a',
    'GET a/{id}/parts/{part}',
  ].map((text) => {
    const [method = '', path = ''] = text.split(' ');
    return route(method, path);
  }),
);
const found = (method: string, path: string) => find(method, path)?.route.key;

test('the most exact path wins, whatever the order of the routes', () => {
  expect(found('GET', '/a/fixed')).toBe('GET a/fixed');
  expect(found('GET', '/a/other')).toBe('GET a/{id}');
  expect(found('GET', '/a/x/parts/y')).toBe('GET a/{id}/parts/{part}');
  expect(found('POST', '/a/fixed/deep')).toBe('POST a/fixed/deep');
});

test('a method that an exact path lacks is answered by the next path that has it', () => {
  expect(found('DELETE', '/a/fixed')).toBe('ANY a/{id}');
  expect(found('GET', '/a/fixed/deep')).toBe('ANY a/{rest+}');
});

test('parameters are handed on percent-encoded, and a greedy one keeps its slashes', () => {
  expect(find('GET', '/a/b%2Fc%20d')?.params).toEqual({ id: 'b%2Fc%20d' });
  expect(find('GET', '/a/x/y%2Fz/w')?.params).toEqual({ rest: 'x/y%2Fz/w' });
});

test('a slash at the end means nothing, one at the begin is no empty part', () => {
  expect(found('GET', '/a/')).toBe('ANY a');
  expect(found('GET', '//a')).toBeUndefined();
  expect(found('GET', '/')).toBeUndefined();
});

test('paths differ by case, and dots have no meaning', () => {
  expect(found('GET', '/A')).toBeUndefined();
  expect(found('GET', '/b/../a')).toBeUndefined();
});

test('a path that is not well encoded is an error of its own', () => {
  expect(() => find('GET', '/a/%ff')).toThrow(URIError);
});
