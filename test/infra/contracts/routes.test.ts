import { expect, test } from 'vitest';
import { routesOf, runRoutes } from '../../../infra/contracts/routes.ts';
import { SERVICES } from '../../../shared/settings/names.ts';
import { declaredFunctions } from '../../house/functions.ts';

async function run(...args: readonly string[]) {
  const [printed, errors]: [string[], string[]] = [[], []];
  const code = await runRoutes(args, {
    print: (line) => printed.push(line),
    printError: (line) => errors.push(line),
  });
  return { code, printed: printed.join('\n'), errors: errors.join('\n') };
}

test('each route that functions.yml declares is listed once, with the function that answers it', async () => {
  const declared = declaredFunctions()
    .filter(({ service }) => service !== 'sandbox')
    .flatMap(({ name, events }) =>
      events.flatMap(({ http }) => (http ? [`${http.method} /${http.path} ${name}`] : [])),
    );
  const listed = (await Promise.all(SERVICES.map((service) => routesOf(service)))).flat();
  expect(listed.map((row) => `${row.method.toLowerCase()} ${row.path} ${row.function}`).toSorted()).toEqual(
    declared.toSorted(),
  );
});

test.each([
  ['an open operation', 'hub', 'GET /hub/healthz', 'anyone'],
  ['an operation with a key', 'hub', 'POST /hub/api/sessions/sign-hash', 'key'],
  ['one with a permission', 'pki', 'POST /pki/Api/Pdf/AddMarks', 'key: signatures'],
  ['one of roles', 'documents', 'POST /documents/api/documents', 'key: documents.send'],
  ['a page of members', 'batch', 'GET /batch', 'session'],
])('%s says who may call it', async (_, service, route, caller) => {
  const found = (await routesOf(service)).find(({ method, path }) => `${method} ${path}` === route);
  expect(found?.caller).toBe(caller);
});

test('the routes of one service are printed, and a name that is none is refused with the nearest', async () => {
  const { code, printed } = await run('hub');
  expect(code).toBe(0);
  expect(printed).toMatch(/^\nhub, \d+ routes\nGET +\/hub +anyone +hub\/public +functions\/hub\//);
  expect(await run('dokuments')).toEqual({
    code: 1,
    printed: '',
    errors: 'dokuments is no service. Did you mean documents? See: npm run routes -- --help',
  });
});
