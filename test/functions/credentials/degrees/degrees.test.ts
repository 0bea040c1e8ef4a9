import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createDegree, preparingDegree } from '../../../../functions/credentials/degrees/domain/degrees.ts';
import { handler as create } from '../../../../functions/credentials/degrees/endpoints/create-degree.ts';
import { handler as get } from '../../../../functions/credentials/degrees/endpoints/get-degree.ts';
import { handler as getXml } from '../../../../functions/credentials/degrees/endpoints/get-degree-xml.ts';
import { handler as resend } from '../../../../functions/credentials/degrees/endpoints/resend-degree.ts';
import { commitChanges } from '../../../../functions/credentials/flows/domain/change-item.ts';
import { findByCode } from '../../../../functions/credentials/items/domain/codes.ts';
import { isVerificationCode } from '../../../../functions/credentials/items/domain/verification-code.ts';
import { AlreadyExists } from '../../../../shared/store/refusals.ts';
import { call } from '../../../requests/http-event.ts';
import { aDegree, STUDIES, signed, stored } from '../items/own-items.ts';
import { callerOf, keyOf, ownTenant, registerSilentWebhook } from '../items/own-tenant.ts';

const tenant = await ownTenant({ emecCode: '12' });
const headers = await keyOf(tenant);
const request = { ...STUDIES, instituteId: tenant.institute.id };

describe('a degree', () => {
  test('is created of its fields, with two files', async () => {
    const json = { ...request, studentName: 'Maria & João <Silva>', studentSocialName: 'Mário' };
    const made = await call(create, { headers, json });
    expect([made.status, made.json()]).toMatchObject([
      201,
      {
        status: 'Created',
        studentName: 'Maria & João <Silva>',
        subscriptionId: tenant.organizationId,
        registeringInstituteId: tenant.institute.id,
        files: [{ name: 'diploma' }, { name: 'academic-documentation' }],
      },
    ]);
    const { id, verificationCode } = made.json() as { id: string; verificationCode: string };
    const xml = async (name: string) => (await call(getXml, { headers, params: { id, name } })).text;
    const studies =
      '<Versao>1.05</Versao><Aluno><Nome>Maria &amp; João &lt;Silva&gt;</Nome><NomeSocial>Mário</NomeSocial>' +
      '<CPF>52998224725</CPF></Aluno><Curso>Engenharia Civil</Curso>' +
      '<IESEmissora>Universidade Própria</IESEmissora>';
    expect(await xml('diploma')).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>\n<Diploma>${studies}` +
        '<IESRegistradora>Universidade Própria</IESRegistradora>' +
        `<CodigoValidacao>${verificationCode}</CodigoValidacao></Diploma>\n`,
    );
    expect(await xml('academic-documentation')).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>\n<DocumentacaoAcademicaRegistro>${studies}</DocumentacaoAcademicaRegistro>\n`,
    );
    expect((await call(get, { headers, params: { id } })).json()).toEqual(made.json());
  });

  test('has a code of both institutes by which anybody finds it, and no two have the same', async () => {
    const registrar = await ownTenant({ kinds: ['Registradora'], emecCode: '345' });
    const caller = callerOf([tenant.organizationId, registrar.organizationId]);
    const other = { registeringInstituteId: registrar.institute.id };
    const degrees = [
      await aDegree(tenant),
      await aDegree({ ...tenant, caller }, other),
      await aDegree(tenant),
    ];
    const codes = degrees.map(({ data }) => data.verificationCode);
    expect(codes.map((code) => code.replace(/[0-9a-f]{16}$/, 'hex'))).toEqual([
      '12.12.hex',
      '12.345.hex',
      '12.12.hex',
    ]);
    expect([codes.every(isVerificationCode), new Set(codes).size]).toEqual([true, 3]);
    for (const { id, data } of degrees)
      expect(await findByCode(data.verificationCode)).toMatchObject({ kind: 'degree', id });
  });

  test('is of an organization that issues, registered by one that registers, with signers', async () => {
    const issuer = await ownTenant({ kinds: ['Emissora'] });
    const registrar = await ownTenant({ kinds: ['Registradora'] });
    const nobody = await ownTenant({ signers: [] });
    const both = callerOf([issuer.organizationId, registrar.organizationId]);
    for (const [caller, fields, code] of [
      [issuer.caller, { instituteId: issuer.institute.id }, 'OrganizationKindMismatch'],
      [registrar.caller, { instituteId: registrar.institute.id }, 'OrganizationKindMismatch'],
      [nobody.caller, { instituteId: nobody.institute.id }, 'SignersRequired'],
      [issuer.caller, { instituteId: tenant.institute.id }, 'InstituteNotFound'],
      [
        issuer.caller,
        { instituteId: issuer.institute.id, registeringInstituteId: registrar.institute.id },
        'InstituteNotFound',
      ],
      [
        both,
        { instituteId: issuer.institute.id, registeringInstituteId: issuer.institute.id },
        'OrganizationKindMismatch',
      ],
    ] as const) {
      const made = createDegree(caller, { ...STUDIES, ...fields }, Date.now());
      await expect(made).rejects.toMatchObject({ code });
    }
  });

  test('by an id that is chosen is created once', async () => {
    const id = randomUUID();
    const create = async () => {
      const { degree, others } = await preparingDegree(tenant.caller, request, Date.now(), { id });
      await commitChanges([degree, ...others]);
      return degree.after;
    };
    const made = await create();
    await expect(create()).rejects.toBeInstanceOf(AlreadyExists);
    expect(await stored(made)).toEqual(made);
  });

  test.each([
    ['a CPF with punctuation', { studentCpf: '529.982.247-25' }],
    ['a name of blanks', { studentName: '   ' }],
    ['no course', { course: undefined }],
    ['a name longer than 500 letters', { studentName: 'x'.repeat(501) }],
  ])('with %s is refused', async (_, fields) => {
    const answer = await call(create, { headers, json: { ...request, ...fields } });
    expect([answer.status, answer.json()]).toMatchObject([422, { code: 'InvalidFields' }]);
  });

  test('is sent again as it is now', async () => {
    const own = await ownTenant();
    await registerSilentWebhook(own.organizationId);
    const key = await keyOf(own);
    const degree = await aDegree(own);
    const types = async () => (await call(resend, { headers: key, params: { id: degree.id } })).json();
    expect(await types()).toEqual({ types: ['DegreeCreated'] });
    await signed(degree);
    expect(await types()).toEqual({ types: ['DegreeConcluded'] });
  });
});
