import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { cancellationListRoutes } from '../../../../functions/credentials/cancellation-lists/routes.ts';
import { handler as changeCurriculum } from '../../../../functions/credentials/curriculums/endpoints/change-curriculum.ts';
import { curriculumRoutes } from '../../../../functions/credentials/curriculums/routes.ts';
import { handler as changeDegree } from '../../../../functions/credentials/degrees/endpoints/change-degree.ts';
import { handler as createDegree } from '../../../../functions/credentials/degrees/endpoints/create-degree.ts';
import { handler as listDegrees } from '../../../../functions/credentials/degrees/endpoints/list-degrees.ts';
import { degreeRoutes } from '../../../../functions/credentials/degrees/routes.ts';
import { handler as changeEmission } from '../../../../functions/credentials/emissions/endpoints/change-emission.ts';
import { emissionRoutes } from '../../../../functions/credentials/emissions/routes.ts';
import { inspectionFileRoutes } from '../../../../functions/credentials/inspection-files/routes.ts';
import { KINDS, type KindName } from '../../../../functions/credentials/items/domain/kinds.ts';
import { handler as changeRegistration } from '../../../../functions/credentials/registrations/endpoints/change-registration.ts';
import { registrationRoutes } from '../../../../functions/credentials/registrations/routes.ts';
import { handler as changeRestamp } from '../../../../functions/credentials/restamps/endpoints/change-restamp.ts';
import { restampRoutes } from '../../../../functions/credentials/restamps/routes.ts';
import { handler as changeTranscript } from '../../../../functions/credentials/transcripts/endpoints/change-transcript.ts';
import { transcriptRoutes } from '../../../../functions/credentials/transcripts/routes.ts';
import { createApplication, issueKey } from '../../../../shared/access/administration.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { call, type Request } from '../../../requests/http-event.ts';
import { STUDIES, stored } from '../items/own-items.ts';
import { keyOf, ownTenant, type Tenant } from '../items/own-tenant.ts';
import { webhookStage } from '../webhooks/webhook-stage.ts';

// A key is scoped to organizations. What belongs to another one does not exist for it.

const ROUTES = {
  ...{ degree: degreeRoutes, emission: emissionRoutes, registration: registrationRoutes },
  ...{ transcript: transcriptRoutes, curriculum: curriculumRoutes, restamp: restampRoutes },
  ...{ cancellationList: cancellationListRoutes, inspectionFile: inspectionFileRoutes },
} satisfies Record<KindName, unknown>;

const stage = webhookStage();
let other: Tenant;
let othersKey: Record<string, string>;
beforeEach(async () => {
  other = await ownTenant();
  othersKey = await keyOf(other);
});

const ask = async (handler: Endpoint, request: Request) => {
  const { status, json } = await call(handler, { headers: stage.headers, ...request });
  return [status, json()];
};
const notFound = (code: string, resourceName: string, resourceId: string) => [
  404,
  {
    ...{ code, message: expect.any(String), details: { resourceName, resourceId } },
    ...{ resourceName, resourceId },
  },
];

describe.each(Object.keys(ROUTES) as KindName[])('a %s of another organization', (kind) => {
  const routes = ROUTES[kind];
  const isOfInstitute = KINDS[kind].owner === 'institute';
  const paramsOf = ({ institute }: Tenant, itemId: string): Record<string, string> =>
    isOfInstitute ? { id: institute.id, itemId } : { id: itemId };

  test('is not found, whether it is read, downloaded or sent again', async () => {
    const { id } = await stage.create(kind, {}, other);
    const params = paramsOf(stage.tenant, id);
    const missing = notFound('ItemNotFound', kind, id);
    expect(await ask(routes.get(), { params })).toEqual(missing);
    expect(await ask(routes.getXml(), { params: { ...params, name: 'diploma' } })).toEqual(missing);
    expect(await ask(routes.resend(), { params, method: 'POST' })).toEqual(missing);
    const unknown = randomUUID();
    expect(await ask(routes.get(), { params: paramsOf(stage.tenant, unknown) })).toEqual(
      notFound('ItemNotFound', kind, unknown),
    );
    const theirs = { params: paramsOf(other, id) };
    expect(await ask(routes.get(), { ...theirs, headers: othersKey })).toMatchObject([200, { id }]);
    if (isOfInstitute)
      expect(await ask(routes.get(), theirs)).toEqual(
        notFound('InstituteNotFound', 'Institute', other.institute.id),
      );
  });

  test('is on its own list alone, which has the statuses of its kind', async () => {
    const { id } = await stage.create(kind, {}, other);
    const listed = (request: Request) =>
      ask(routes.list(), { ...request, ...(isOfInstitute && { params: { id: stage.instituteId() } }) });
    expect(await listed({})).toMatchObject([200, { items: [], totalCount: 0 }]);
    if (!isOfInstitute)
      expect(await listed({ query: { subscriptionId: other.organizationId } })).toEqual(
        notFound('SubscriptionNotFound', 'Subscription', other.organizationId),
      );
    expect(await listed({ query: { status: 'Done' } })).toMatchObject([422, { code: 'InvalidFields' }]);
    const theirs = { headers: othersKey, params: { id: other.institute.id } };
    for (const query of [{}, { status: 'Created' }, { text: kind }] as Record<string, string>[])
      expect(await ask(routes.list(), { ...theirs, query })).toMatchObject([
        200,
        { items: [{ id }], totalCount: 1 },
      ]);
  });
});

test.each([
  ['degree', changeDegree, 'canceled', { reason: 'Mine', cancellationReason: 'Erro de Fato' }],
  ['emission', changeEmission, 'canceled', { reason: 'Mine' }],
  ['registration', changeRegistration, 'accepted', {}],
  ['registration', changeRegistration, 'registered', {}],
  ['transcript', changeTranscript, 'canceled', { reason: 'Mine' }],
  ['curriculum', changeCurriculum, 'canceled', { reason: 'Mine' }],
  ['restamp', changeRestamp, 'updated', {}],
] as const)('a %s of another organization is not changed', async (kind, change, event, json) => {
  const item = await stage.create(kind, {}, other);
  expect(await ask(change, { params: { id: item.id, event }, json })).toEqual(
    notFound('ItemNotFound', kind, item.id),
  );
  expect(await stored(item)).toEqual(item);
});

test('an institute of another organization is none to issue for or to register at', async () => {
  const { id } = other.institute;
  const missing = notFound('InstituteNotFound', 'Institute', id);
  const create = (fields: object) => ask(createDegree, { json: { ...STUDIES, ...fields } });
  expect(await create({ instituteId: id })).toEqual(missing);
  expect(await create({ instituteId: stage.instituteId(), registeringInstituteId: id })).toEqual(missing);
});

test('a key of an application without organizations lists nothing, and says who registers one', async () => {
  const name = randomUUID();
  await createApplication('credentials', { name, permissions: [] });
  const headers = { 'X-API-Key': (await issueKey('credentials', name)).text };
  expect(await ask(listDegrees, { headers })).toEqual([
    422,
    {
      code: 'OrganizationRequired',
      message: expect.stringContaining('npm run admin -- apps register'),
      details: { application: name },
    },
  ]);
});
