import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SECTIONS } from '../../../../functions/credentials/console/routes.ts';
import { changingListed } from '../../../../functions/credentials/items/domain/item-lists.ts';
import { mayDo, OPERATIONS } from '../../../../functions/credentials/tenants/domain/members/permissions.ts';
import { ROLES } from '../../../../functions/credentials/tenants/roles.ts';
import { endpointFiles } from '../../../../infra/build/function-files.ts';
import { handlerOf } from '../../../../infra/invoke.ts';
import { createApplication, issueKey } from '../../../../shared/access/administration.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { ROLE_OF } from '../../../../shared/members/permissions.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { call } from '../../../requests/http-event.ts';
import { aDegree, stored } from '../items/own-items.ts';
import { memberStage } from './member-stage.ts';

const sections = await Promise.all(Object.values(SECTIONS).map((load) => load()));
const pages = Object.entries(Object.assign({}, ...sections.map(({ pages }) => pages)) as Routes<'pages'>);
const forms = Object.entries(Object.assign({}, ...sections.map(({ forms }) => forms)) as Routes<'forms'>);
type Routes<Kind extends 'pages' | 'forms'> = Awaited<
  ReturnType<NonNullable<(typeof SECTIONS)[string]>>
>[Kind];

const keyed = (
  await Promise.all(
    endpointFiles()
      .filter(({ service }) => service === 'credentials')
      .map(async ({ name }) => (await handlerOf(`credentials/${name}`)) as unknown as Endpoint),
  )
).filter(({ declaration: { access } }) => access !== 'public');

/** What an organization has, by the part of a path before its id. */
async function contentsOf(stage: Awaited<ReturnType<typeof memberStage>>) {
  const { id: degree } = await aDegree(stage);
  return {
    subscriptions: stage.organizationId,
    institutes: stage.institute.id,
    webhooks: stage.institute.id,
    members: stage.people.Reader.id,
    degrees: degree,
  };
}
/** A degree that waits for somebody to sign it. */
async function degreeToSign(stage: Awaited<ReturnType<typeof memberStage>>) {
  const degree = await stored(await aDegree(stage));
  const url = `https://sign.example/action/${randomUUID()}`;
  const people = [{ name: 'Ana', cpf: '52998224725', step: 1, status: 'Pending', url }];
  const document = { id: randomUUID(), url, cpfs: ['52998224725'], people };
  const files = degree.files.map((file) => ({ ...file, document }));
  await commit(changingListed(degree, { files }).writes);
  return { id: degree.id, url };
}
type Contents = Readonly<Record<string, string>>;

/** The values of the names in a route, of these contents. */
const paramsOf = (route: string, contents: Contents): Record<string, string> =>
  Object.fromEntries(
    [...route.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, before = '', name = '']) => [
      name,
      contents[before] ?? randomUUID(),
    ]),
  );
const filled = (route: string, contents: Contents): string => {
  const params = paramsOf(route, contents);
  return route.replaceAll(/\{(\w+)\}/g, (_, name) => params[name] ?? randomUUID());
};

const own = await memberStage();
const other = await memberStage();
const toSign = await degreeToSign(own);
const [ownContents, otherContents] = [await contentsOf(own), await contentsOf(other)];

// Each has the one permission of the platform, so that its role alone decides.
const keys = Object.fromEntries(
  await Promise.all(
    ROLES.map(async (role) => {
      const name = `role-${randomUUID()}`;
      const registered = { organizations: [own.organizationId], [ROLE_OF]: [role] };
      await createApplication('credentials', { name, permissions: ['*'], registered });
      return [role, (await issueKey('credentials', name)).text] as const;
    }),
  ),
);

/** What an answer says, but for the ids of the request. */
const said = ({ text }: { readonly text: string }) => text.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'ID');

const askApi = (endpoint: Endpoint, role: string, params: Record<string, string>) => {
  const [method = '', path = ''] = endpoint.declaration.route.split(' ');
  const headers = { 'X-API-Key': keys[role] ?? '' };
  const request = { method, path: `/credentials${path}`, params, headers, address: randomUUID() };
  return call(endpoint, method === 'GET' || method === 'DELETE' ? request : { ...request, json: {} });
};

describe('the table', () => {
  test('lets an Administrador do everything, and nobody more than whoever is above them', () => {
    for (const operation of OPERATIONS) {
      const allowed = ROLES.map((role) => mayDo(role, operation));
      expect(allowed).toEqual(allowed.toSorted((one, two) => Number(two) - Number(one)));
      expect(allowed[0]).toBe(true);
    }
  });
});

describe.each(ROLES)('a %s', (role) => {
  test.each(pages)('sees the page "%s" if the table says so', async (route, { operation }) => {
    const { show } = own.people[role];
    const [mine, others, missing] = [
      await show(filled(route, ownContents)),
      await show(filled(route, otherContents)),
      await show(filled(route, {})),
    ];
    expect(mine.status === 403).toBe(!mayDo(role, operation));
    expect(others.status).toBe(missing.status);
    if (route.includes('{')) expect(said(others)).toBe(said(missing));
  });

  // Whoever has the link may refuse in the name of its person.
  test('has the links by which people sign if they may change items, on the page and over HTTP', async () => {
    const { id, url } = toSign;
    const answers = [
      await own.people[role].show(`degrees/${id}`),
      ...(await Promise.all(
        keyed
          .filter(({ declaration: { route } }) => /^GET \/api\/degrees(\/{id})?$/.test(route))
          .map((endpoint) => askApi(endpoint, role, { id })),
      )),
    ];
    expect(answers.map(({ status, text }) => [status, text.includes(id), text.includes(url)])).toEqual(
      Array(3).fill([200, true, mayDo(role, 'items.change')]),
    );
  });

  test.each(forms)('sends the form "%s" if the table says so', async (route, { operation }) => {
    // A form that is allowed may do something: each has members of its own.
    const isAllowed = mayDo(role, operation);
    const { people } = isAllowed ? await memberStage() : own;
    const { send } = people[role];
    const [others, missing] = [await send(filled(route, otherContents)), await send(filled(route, {}))];
    expect(others.status === 403).toBe(!isAllowed);
    if (route.includes('{')) expect(others.status).toBe(missing.status);
    if (!isAllowed) expect((await send(filled(route, ownContents))).status).toBe(403);
  });

  test.each(keyed.map((endpoint) => [endpoint.declaration.route, endpoint] as const))(
    'with a key calls %s if the table says so',
    async (route, endpoint) => {
      const { can } = endpoint.declaration;
      const isAllowed = OPERATIONS.some((operation) => operation === can && mayDo(role, operation));
      const [others, missing] = [
        await askApi(endpoint, role, paramsOf(route, otherContents)),
        await askApi(endpoint, role, paramsOf(route, {})),
      ];
      expect(others.status === 403).toBe(!isAllowed);
      // None tells that something exists: the answer is the same, but for the ids of the request.
      expect([others.status, said(others)]).toEqual([missing.status, said(missing)]);
      if (!isAllowed) expect((await askApi(endpoint, role, paramsOf(route, ownContents))).status).toBe(403);
    },
  );
});
