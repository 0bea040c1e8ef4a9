import { expect, test } from 'vitest';
import { handler as createList } from '../../../../functions/credentials/cancellation-lists/endpoints/create-cancellation-list.ts';
import { handler as changeDegree } from '../../../../functions/credentials/degrees/endpoints/change-degree.ts';
import { createEmission } from '../../../../functions/credentials/emissions/domain/emissions.ts';
import { handler as changeEmission } from '../../../../functions/credentials/emissions/endpoints/change-emission.ts';
import { createRegistration } from '../../../../functions/credentials/registrations/domain/registrations.ts';
import { handler as changeRegistration } from '../../../../functions/credentials/registrations/endpoints/change-registration.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { call } from '../../../requests/http-event.ts';
import { aDegree, STUDIES } from './own-items.ts';
import { keyOf, ownTenant } from './own-tenant.ts';

const tenant = await ownTenant();
const headers = await keyOf(tenant);
const { id: instituteId } = tenant.institute;
const request = { ...STUDIES, instituteId };

const post = async (handler: Endpoint, params: Record<string, string>, more: Record<string, string> = {}) => {
  const { status, json } = await call(handler, { method: 'POST', headers: { ...headers, ...more }, params });
  return [status, json()];
};

test('a body without a required field may be left out', async () => {
  expect(await post(createList, { id: instituteId })).toMatchObject([201, { version: '1.05' }]);
  const outside = { issuingIes: 'Faculdade', issuingIesCode: '4321', description: null };
  const { id } = await createRegistration(tenant.caller, { ...request, ...outside }, Date.now());
  for (const [event, status] of [
    ['accepted', 'Accepted'],
    ['approved', 'Approved'],
    ['registered', 'Registered'],
  ] as const)
    expect(await post(changeRegistration, { id, event })).toMatchObject([200, { status }]);
});

test('a body with a field that is required may not', async () => {
  const degree = await aDegree(tenant);
  const json = { 'Content-Type': 'application/json' };
  expect(await post(changeDegree, { id: degree.id, event: 'canceled' }, json)).toMatchObject([
    422,
    { code: 'InvalidFields', details: { field: 'body', reason: 'is required' } },
  ]);
  const { id } = await createEmission(tenant.caller, request, Date.now());
  for (const [event, field] of [
    ['sentToRegistry', 'registrarInstituteId'],
    ['canceled', 'reason'],
  ] as const)
    expect(await post(changeEmission, { id, event })).toMatchObject([
      422,
      { code: 'InvalidFields', details: { field } },
    ]);
});
