import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { SECTIONS } from '../../../../functions/documents/console/routes.ts';
import { createOwnApplication } from '../../../../functions/documents/domain/members/applications.ts';
import {
  mayDo,
  mayGive,
  OPERATIONS,
  ROLE_OF,
  ROLES,
} from '../../../../functions/documents/domain/members/permissions.ts';
import { createFolder } from '../../../../functions/documents/domain/places/create-folder.ts';
import { createWebhook } from '../../../../functions/documents/domain/webhooks/registrations.ts';
import { endpointFiles } from '../../../../infra/build/function-files.ts';
import { handlerOf } from '../../../../infra/invoke.ts';
import { createApplication, issueKey } from '../../../../shared/access/administration.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { call } from '../../../requests/http-event.ts';
import { anUpload, someDocuments } from '../sample-documents.ts';
import { memberStage } from './member-stage.ts';

vi.stubEnv('Network__AllowPrivateAddresses', 'true');
vi.stubEnv('Webhooks__AllowPrivateNetworks', 'true');

const sections = await Promise.all(Object.values(SECTIONS).map((load) => load()));
const pages = sections.flatMap(({ pages }) => Object.entries(pages));
const forms = sections.flatMap(({ forms }) => Object.entries(forms));
/** The path of a page or form, with an id of what it is about. */
const filled = (route: string, { webhook, application, member }: Contents) =>
  route.replaceAll(
    /\{\w+\}/g,
    route.includes('/webhooks/') ? webhook : route.includes('/applications/') ? application : member,
  );

const keyed = (
  await Promise.all(
    endpointFiles()
      .filter(({ service }) => service === 'documents')
      .map(async ({ name }) => (await handlerOf(`documents/${name}`)) as unknown as Endpoint),
  )
).filter(({ declaration: { access, permission } }) => access !== 'public' && permission === undefined);

/** Everything that an organization has, by the names of parameters. */
async function contentsOf({ orgId, caller, people }: Awaited<ReturnType<typeof memberStage>>) {
  const [document = ''] = await someDocuments(orgId);
  const { id: folder } = await createFolder(caller, { name: 'Folder', parentId: null }, Date.now());
  const webhook = await createWebhook(caller, orgId, {
    url: 'http://127.0.0.1:9/',
    authType: 'NoAuth',
  });
  const upload = await anUpload(orgId);
  const { application } = await createOwnApplication(caller, orgId, { name: 'ERP', role: 'Reader' });
  return {
    orgId,
    document,
    folder,
    webhook: webhook.id,
    upload,
    application: application.id,
    member: people.Reader.id,
  };
}
type Contents = Awaited<ReturnType<typeof contentsOf>>;

/** The parameters of a route, of these contents. */
function paramsOf(route: string, contents: Contents): Record<string, string> {
  const ofPath = route.includes('/folders/')
    ? contents.folder
    : route.includes('/uploads/')
      ? contents.upload
      : contents.document;
  const values: Record<string, string> = {
    orgId: contents.orgId,
    webhookId: contents.webhook,
    memberId: contents.member,
    userId: contents.member,
    applicationId: contents.application,
    id: ofPath,
  };
  const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, values[name] ?? randomUUID()]));
}

const noContents = () =>
  Object.fromEntries(Object.keys(otherContents).map((name) => [name, randomUUID()])) as Contents;

const own = await memberStage();
const other = await memberStage();
const [ownContents, otherContents] = [await contentsOf(own), await contentsOf(other)];

const keys = Object.fromEntries(
  await Promise.all(
    ROLES.map(async (role) => {
      const name = `role-${randomUUID()}`;
      const registered = { organizations: [own.orgId], [ROLE_OF]: [role] };
      await createApplication('documents', { name, permissions: [], registered });
      return [role, (await issueKey('documents', name)).text] as const;
    }),
  ),
);

/** What an answer says, but for the ids of the request. */
const said = ({ text }: { readonly text: string }) =>
  text.replaceAll(/[\da-f]{8}-[\da-f-]{27}|erp-[\da-f]{12}/g, 'ID');

const askApi = (endpoint: Endpoint, role: string, params: Record<string, string>) => {
  const [method = '', path = ''] = endpoint.declaration.route.split(' ');
  const headers = { 'X-API-Key': keys[role] ?? '' };
  const request = { method, path: `/documents${path}`, params, headers, address: randomUUID() };
  return call(endpoint, method === 'GET' || method === 'DELETE' ? request : { ...request, json: {} });
};

describe('the table', () => {
  test('lets an owner do everything, and nobody more than whoever is above them', () => {
    for (const operation of OPERATIONS) {
      const allowed = ROLES.map((role) => mayDo(role, operation));
      expect(allowed).toEqual(allowed.toSorted((one, two) => Number(two) - Number(one)));
      expect(allowed[0]).toBe(true);
    }
    expect(ROLES.map((role) => mayGive('Manager', role))).toEqual([false, true, true, true]);
  });
});

describe.each(ROLES)('a %s', (role) => {
  test.each(pages)('sees the page %s if the table says so', async (route, { operation }) => {
    const { show } = own.people[role];
    const [mine, others, missing] = [
      await show(filled(route, ownContents)),
      await show(filled(route, otherContents)),
      await show(filled(route, noContents())),
    ];
    expect(mine.status === 403).toBe(!mayDo(role, operation));
    expect(others.status).toBe(missing.status);
    if (!mayDo(role, operation)) expect(mine.status).toBe(missing.status);
    if (route.includes('{')) expect(said(others)).toBe(said(missing));
  });

  test.each(forms)('sends the form %s if the table says so', async (route, { operation }) => {
    // A form that is allowed may do something: each has members of its own.
    const isAllowed = mayDo(role, operation);
    const { people } = isAllowed ? await memberStage() : own;
    const { send } = people[role];
    const [others, missing] = [
      await send(filled(route, otherContents)),
      await send(filled(route, noContents())),
    ];
    if (isAllowed) expect(others.status).not.toBe(403);
    else expect(others.status).toBe(403);
    if (route.includes('{')) expect(others.status).toBe(missing.status);
  });

  test.each(keyed.map((endpoint) => [endpoint.declaration.route, endpoint] as const))(
    'with a key calls %s if the table says so',
    async (route, endpoint) => {
      const { can } = endpoint.declaration;
      const isAllowed = OPERATIONS.some((operation) => operation === can && mayDo(role, operation));
      const [others, missing] = [
        await askApi(endpoint, role, paramsOf(route, otherContents)),
        await askApi(endpoint, role, paramsOf(route, noContents())),
      ];
      expect(others.status === 403).toBe(!isAllowed);
      // None tells that something exists: the answer is the same, but for the ids of the request.
      expect([others.status, said(others)]).toEqual([missing.status, said(missing)]);
      if (!isAllowed) expect((await askApi(endpoint, role, paramsOf(route, ownContents))).status).toBe(403);
    },
  );
});
