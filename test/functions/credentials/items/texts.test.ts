import { describe, expect, test } from 'vitest';
import { handler as createList } from '../../../../functions/credentials/cancellation-lists/endpoints/create-cancellation-list.ts';
import { handler as createCurriculum } from '../../../../functions/credentials/curriculums/endpoints/create-curriculum.ts';
import { handler as changeDegree } from '../../../../functions/credentials/degrees/endpoints/change-degree.ts';
import { handler as createDegree } from '../../../../functions/credentials/degrees/endpoints/create-degree.ts';
import { handler as getXml } from '../../../../functions/credentials/degrees/endpoints/get-degree-xml.ts';
import { handler as listDegrees } from '../../../../functions/credentials/degrees/endpoints/list-degrees.ts';
import { handler as createRegistration } from '../../../../functions/credentials/registrations/endpoints/create-registration.ts';
import { call } from '../../../requests/http-event.ts';
import { aDegree, STUDIES } from './own-items.ts';
import { keyOf, ownTenant } from './own-tenant.ts';

const tenant = await ownTenant();
const headers = await keyOf(tenant);
const { id: instituteId } = tenant.institute;
const degree = { ...STUDIES, instituteId };
const registration = { ...degree, issuingIes: 'Faculdade', issuingIesCode: '4321' };
const curriculum = { code: 'CIV-2026', course: 'Engenharia Civil', instituteId };

// XML has no way to write the first three; the others are not seen, or change how the rest is read.
const UNSEEN = ['\u0000', '\u0001', '\uffff', '\n', '\u200b', '\u202e'];

const refusalOf = async (answer: ReturnType<typeof call>) => {
  const { status, json } = await answer;
  return [status, json()];
};
const INVALID = (field: string) => [422, { code: 'InvalidFields', details: { field } }];

describe('a character that XML cannot hold or that nobody sees is refused', () => {
  test.each([
    ['studentName', createDegree, degree],
    ['studentSocialName', createDegree, degree],
    ['course', createDegree, degree],
    ['version', createDegree, degree],
    ['issuingIes', createRegistration, registration],
    ['code', createCurriculum, curriculum],
    ['course', createCurriculum, curriculum],
    ['version', createList, {}],
  ] as const)('in %s', async (field, handler, request) => {
    const params = handler === createList ? { params: { id: instituteId } } : {};
    for (const character of UNSEEN) {
      const json = { ...request, [field]: `Ana${character}Prado` };
      expect(await refusalOf(call(handler, { headers, ...params, json }))).toMatchObject(INVALID(field));
    }
  });

  test('and nothing is created', async () => {
    const own = await ownTenant();
    const key = await keyOf(own);
    const json = { ...degree, instituteId: own.institute.id, studentName: 'Ana\u0000Prado' };
    expect(await refusalOf(call(createDegree, { headers: key, json }))).toMatchObject(INVALID('studentName'));
    expect((await call(listDegrees, { headers: key })).json()).toMatchObject({ totalCount: 0 });
  });

  test('in a reason and a description, which may have several lines', async () => {
    const { id } = await aDegree(tenant);
    const cancel = (reason: string) =>
      refusalOf(
        call(changeDegree, {
          headers,
          params: { id, event: 'canceled' },
          json: { reason, cancellationReason: 'Erro de Fato' },
        }),
      );
    expect(await cancel('Wrong\u0000course')).toMatchObject(INVALID('reason'));
    expect(await cancel('Wrong course.\nSee:\tminutes')).toMatchObject([200, { status: 'Canceled' }]);
    const json = { ...registration, description: 'March\u0007' };
    expect(await refusalOf(call(createRegistration, { headers, json }))).toMatchObject(
      INVALID('description'),
    );
  });
});

test('names of every script are in the file as they were sent', async () => {
  const studentName = 'Zoë 李 محمد \u{1F393} d’Ávila & <Filhos>';
  const made = (await call(createDegree, { headers, json: { ...degree, studentName } })).json();
  const { id } = made as { id: string };
  const xml = await call(getXml, { headers, params: { id, name: 'diploma' } });
  expect(xml.text).toContain('<Nome>Zoë 李 محمد \u{1F393} d’Ávila &amp; &lt;Filhos&gt;</Nome>');
});

test.each(['11111111111', '52998224724', '5299822472', '529.982.247-25'])(
  'a CPF that belongs to nobody is refused: %s',
  async (studentCpf) => {
    const json = { ...degree, studentCpf };
    expect(await refusalOf(call(createDegree, { headers, json }))).toMatchObject(INVALID('studentCpf'));
  },
);
