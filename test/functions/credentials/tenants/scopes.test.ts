import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { handler as changeDegree } from '../../../../functions/credentials/degrees/endpoints/change-degree.ts';
import { handler as createDegree } from '../../../../functions/credentials/degrees/endpoints/create-degree.ts';
import { handler as getDegree } from '../../../../functions/credentials/degrees/endpoints/get-degree.ts';
import { handler as getXml } from '../../../../functions/credentials/degrees/endpoints/get-degree-xml.ts';
import { handler as listDegrees } from '../../../../functions/credentials/degrees/endpoints/list-degrees.ts';
import { handler as resend } from '../../../../functions/credentials/degrees/endpoints/resend-degree.ts';
import { createApplication, issueKey } from '../../../../shared/access/administration.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { call, type Request } from '../../../http-event.ts';
import { keyOf, ownTenant, type Tenant } from '../items/own-tenant.ts';

// A key is scoped to organizations. What belongs to another one does not exist for it.

let own: Tenant;
let other: Tenant;
let headers: Record<string, string>;
let degreeId: string;
beforeAll(async () => {
  [own, other] = await Promise.all([ownTenant(), ownTenant()]);
  headers = await keyOf(own);
  const answer = await create(other, await keyOf(other));
  degreeId = (answer.json() as { id: string }).id;
  expect(answer.status).toBe(201);
});

const STUDIES = { studentName: 'Maria da Silva', studentCpf: '52998224725', course: 'Direito' };
const create = ({ institute }: Pick<Tenant, 'institute'>, key: Record<string, string>, more: object = {}) =>
  call(createDegree, { headers: key, json: { ...STUDIES, instituteId: institute.id, ...more } });
const ask = async (handler: Endpoint, request: Request) => {
  const { status, json } = await call(handler, { headers, ...request });
  return [status, json()];
};
const notFound = (code: string, resourceName: string, resourceId: string) => [
  404,
  {
    ...{ code, message: expect.any(String), details: { resourceName, resourceId } },
    ...{ resourceName, resourceId },
  },
];

describe('what belongs to another organization', () => {
  test('is not found, whatever is asked of its degree', async () => {
    const params = { id: degreeId };
    const missing = notFound('ItemNotFound', 'degree', degreeId);
    expect(await ask(getDegree, { params })).toEqual(missing);
    expect(await ask(getXml, { params: { ...params, name: 'diploma' } })).toEqual(missing);
    expect(await ask(resend, { params, method: 'POST' })).toEqual(missing);
    const json = { reason: 'Mine', cancellationReason: 'Erro de Fato' };
    expect(await ask(changeDegree, { params: { ...params, event: 'canceled' }, json })).toEqual(missing);
    const unknown = randomUUID();
    expect(await ask(getDegree, { params: { id: unknown } })).toEqual(
      notFound('ItemNotFound', 'degree', unknown),
    );
  });

  test('is no institute to issue for or to register at', async () => {
    const { id } = other.institute;
    const missing = notFound('InstituteNotFound', 'Institute', id);
    const issued = await create(other, headers);
    expect([issued.status, issued.json()]).toEqual(missing);
    const registered = await create(own, headers, { registeringInstituteId: id });
    expect([registered.status, registered.json()]).toEqual(missing);
  });

  test('is on no list of this key', async () => {
    const query = { subscriptionId: other.organizationId };
    expect(await ask(listDegrees, { query })).toEqual(
      notFound('SubscriptionNotFound', 'Subscription', other.organizationId),
    );
    expect(await ask(listDegrees, {})).toEqual([200, expect.objectContaining({ totalCount: 0, items: [] })]);
  });
});

describe('a key', () => {
  test('of an application without organizations lists nothing, and says who registers one', async () => {
    const name = randomUUID();
    await createApplication('credentials', { name, permissions: [] });
    const key = { 'X-API-Key': (await issueKey('credentials', name)).text };
    const answer = await call(listDegrees, { headers: key });
    expect([answer.status, answer.json()]).toEqual([
      422,
      {
        code: 'OrganizationRequired',
        message: expect.stringContaining('npm run admin -- apps register'),
        details: { application: name },
      },
    ]);
  });
});

describe('an organization', () => {
  const refusal = async (tenant: Tenant) => {
    const answer = await create(tenant, await keyOf(tenant));
    const { code, details } = answer.json() as { code: string; details: object };
    return [answer.status, code, details];
  };

  test('that only registers issues nothing', async () => {
    expect(await refusal(await ownTenant({ kinds: ['Registradora'] }))).toEqual([
      ...[422, 'OrganizationKindMismatch', { kind: 'Emissora', kinds: 'Registradora' }],
    ]);
  });

  test('that only issues registers nothing', async () => {
    expect(await refusal(await ownTenant({ kinds: ['Emissora'] }))).toEqual([
      ...[422, 'OrganizationKindMismatch', { kind: 'Registradora', kinds: 'Emissora' }],
    ]);
  });

  test('whose institute names no signers issues nothing', async () => {
    const tenant = await ownTenant({ signers: [] });
    expect(await refusal(tenant)).toEqual([422, 'SignersRequired', { instituteId: tenant.institute.id }]);
  });
});
