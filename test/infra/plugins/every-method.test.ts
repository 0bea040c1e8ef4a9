import { expect, test } from 'vitest';
import { answerEveryMethod } from '../../../infra/plugins/every-method.ts';
import type { Functions } from '../../../infra/plugins/framework.ts';

const functionsOf = (routes: Record<string, readonly string[]>): Functions =>
  Object.fromEntries(
    Object.entries(routes).map(([name, events]) => [
      `session${name}`,
      { handler: `dist/session/${name.toLowerCase()}.handler`, events: events.map((http) => ({ http })) },
    ]),
  );

const routesOf = (functions: Functions): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(functions).map(([name, { events }]) => [
      name.slice('session'.length),
      events.map(({ http }) => (typeof http === 'string' ? http : `${http?.method} ${http?.path}`)),
    ]),
  );

test('a path with a GET sends its function every method that no other one has, and every other path refuses the rest', () => {
  const functions = functionsOf({
    GetBase: ['GET session'],
    GetThing: ['GET session/things/{id}'],
    DeleteThing: ['DELETE session/things/{id}'],
    CreateThing: ['POST session/things'],
    Public: ['GET session/health', 'ANY session/{proxy+}'],
  });
  answerEveryMethod(functions);
  expect(routesOf(functions)).toEqual({
    GetBase: ['any session'],
    GetThing: ['any session/things/{id}'],
    DeleteThing: ['DELETE session/things/{id}'],
    CreateThing: ['POST session/things'],
    Public: ['any session/health', 'ANY session/{proxy+}', 'any session/things'],
  });
});
