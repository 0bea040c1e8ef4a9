import { expect, test } from 'vitest';
import { foldPaths } from '../../../infra/plugins/fold-paths.ts';
import type { Functions } from '../../../infra/plugins/framework.ts';

const functionsOf = (routes: Record<string, readonly string[]>): Functions =>
  Object.fromEntries(
    Object.entries(routes).map(([name, events]) => [
      name,
      {
        handler: `dist/session/${name}.handler`,
        events: events.map((text) => {
          const [method = '', path = ''] = text.split(' ');
          return { http: { method, path } };
        }),
      },
    ]),
  );

const pathsOf = (functions: Functions, name: string) =>
  functions[name]?.events.map(({ http }) =>
    typeof http === 'object' ? `${http.method} ${http.path}` : http,
  );

test('a function takes what is left of a folder, with what it has elsewhere as it is', () => {
  const functions = functionsOf({
    things: ['get s/api/things/{id}', 'put s/api/things/{id}/name', 'get s/other'],
    files: ['get s/api/things/{id}/file'],
    rest: ['any s/{proxy+}'],
  });
  foldPaths(functions, { 's/api': 'things', 's/nothing': 'nobody' });
  expect(pathsOf(functions, 'things')).toEqual([
    'get s/api/things/{id}',
    'get s/other',
    'any s/api/{proxy+}',
  ]);
  expect(pathsOf(functions, 'files')).toEqual(['get s/api/things/{id}/file']);
  expect(pathsOf(functions, 'rest')).toHaveLength(1);
});

test('a path stays that the gateway would take for one of another function', () => {
  const functions = functionsOf({
    things: [
      'delete s/api/things/{id}',
      'post s/api/things/batch',
      'post s/api/things/batch/{id}',
      'post s/api/files/big',
    ],
    reading: ['get s/api/things/{id}', 'get s/api/files/{id}/content'],
  });
  foldPaths(functions, { 's/api': 'things' });
  expect(pathsOf(functions, 'things')).toEqual([
    'delete s/api/things/{id}',
    'post s/api/things/batch',
    'post s/api/files/big',
    'any s/api/{proxy+}',
  ]);
});
