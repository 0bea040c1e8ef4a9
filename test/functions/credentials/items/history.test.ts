import { expect, test } from 'vitest';
import { changeDegree } from '../../../../functions/credentials/degrees/domain/change-degree.ts';
import { changeEmission } from '../../../../functions/credentials/emissions/domain/change-emission.ts';
import { createEmission } from '../../../../functions/credentials/emissions/domain/emissions.ts';
import { handler as listRegistrars } from '../../../../functions/credentials/emissions/endpoints/list-registrars.ts';
import { handler as getHistory } from '../../../../functions/credentials/flows/endpoints/get-history.ts';
import { listItems } from '../../../../functions/credentials/items/domain/item-lists.ts';
import { problemsOf } from '../../../../functions/credentials/items/domain/problems.ts';
import { changeRegistration } from '../../../../functions/credentials/registrations/domain/change-registration.ts';
import { call } from '../../../requests/http-event.ts';
import { signItem } from '../emissions/registry-stage.ts';
import { aDegree, STUDIES, signed } from './own-items.ts';
import { keyFor, ownTenant } from './own-tenant.ts';

const issuer = await ownTenant({ kinds: ['Emissora'], name: 'Faculdade de Sá' });
const registrar = await ownTenant({ kinds: ['Registradora'], name: 'Universidade de Registro' });
const both = await ownTenant();

const historyOf = async (tenant: typeof issuer, items: string, id: string) => {
  const answer = await call(getHistory, {
    headers: await keyFor([tenant.organizationId]),
    params: { items, id },
  });
  return answer.json() as { entries: { event: string; date: string }[]; code?: string };
};

test('the history of a degree says what happened, why, and who did it; the newest first', async () => {
  const degree = await signed(await aDegree(both));
  const person = { id: 'm1', name: 'Carla Reis' };
  const byCarla = { ...both.caller, person };
  const suspend = { event: 'canceledTemporarily', reason: 'Under review' } as const;
  await changeDegree(byCarla, degree.id, suspend, Date.now());
  const annul = { event: 'canceled', reason: 'Forged', cancellationReason: 'Erro de Fato' } as const;
  await changeDegree(both.caller, degree.id, annul, Date.now());
  const none = { reason: null, cancellationReason: null };
  const { entries } = await historyOf(both, 'degrees', degree.id);
  expect(entries.map(({ date, ...entry }) => entry)).toEqual([
    {
      ...{ event: 'canceled', status: 'Canceled', by: 'own' },
      ...{ reason: 'Forged', cancellationReason: 'Erro de Fato' },
    },
    {
      event: 'canceledTemporarily',
      status: 'CanceledTemporarily',
      by: 'Carla Reis',
      ...none,
      reason: 'Under review',
    },
    { event: 'concluded', status: 'Concluded', by: null, ...none },
    { event: 'created', status: 'Created', by: 'own', ...none },
  ]);
  expect(await historyOf(issuer, 'degrees', degree.id)).toMatchObject({ code: 'ItemNotFound' });
});

test('an emission whose request is rejected is a problem until it is sent again', async () => {
  const { id } = await createEmission(
    issuer.caller,
    { ...STUDIES, instituteId: issuer.institute.id },
    Date.now(),
  );
  await signItem({ kind: 'emission', id });
  const send = { event: 'sentToRegistry', registrarInstituteId: registrar.institute.id } as const;
  const { data } = await changeEmission(issuer.caller, id, send, Date.now());
  const problems = async (status?: string) => {
    const request = { page: 1, pageSize: 9, problem: true, status };
    const { items, totalCount } = await listItems('emission', issuer.organizationId, request);
    return [totalCount, ...items.flatMap((item) => problemsOf(item).map(({ message }) => message))];
  };
  expect(await problems()).toEqual([0]);
  const reject = { event: 'rejected', reason: 'A page is missing' } as const;
  await changeRegistration(registrar.caller, data.registrationId ?? '', reject, Date.now());
  const rejected = [1, 'The registration request is Rejected: A page is missing'];
  expect(await problems()).toEqual(rejected);
  expect(await problems('SentToRegistry')).toEqual(rejected);
  expect(await problems('Canceled')).toEqual([0]);
  const { entries } = await historyOf(issuer, 'emissions', id);
  expect(entries.map(({ event }) => event)).toEqual([
    ...['EmissionRegistrationRejected', 'sentToRegistry', 'signed', 'created'],
  ]);
  await changeEmission(issuer.caller, id, send, Date.now());
  expect(await problems()).toEqual([0]);
});

test('registrars are the institutes of all organizations that register', async () => {
  const headers = await keyFor([issuer.organizationId]);
  const { registrars } = (await call(listRegistrars, { headers })).json() as { registrars: { id: string }[] };
  const ids = registrars.map(({ id }) => id);
  expect(ids).toContain(registrar.institute.id);
  expect(ids).not.toContain(issuer.institute.id);
});
