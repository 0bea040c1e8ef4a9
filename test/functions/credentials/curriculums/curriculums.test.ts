import { describe, expect, test } from 'vitest';
import { createCurriculum } from '../../../../functions/credentials/curriculums/domain/curriculums.ts';
import { handler as change } from '../../../../functions/credentials/curriculums/endpoints/change-curriculum.ts';
import { handler as create } from '../../../../functions/credentials/curriculums/endpoints/create-curriculum.ts';
import { handler as get } from '../../../../functions/credentials/curriculums/endpoints/get-curriculum.ts';
import { handler as getXml } from '../../../../functions/credentials/curriculums/endpoints/get-curriculum-xml.ts';
import { handler as list } from '../../../../functions/credentials/curriculums/endpoints/list-curriculums.ts';
import { takingCode } from '../../../../functions/credentials/items/domain/codes.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { AlreadyExists } from '../../../../shared/store/refusals.ts';
import { call } from '../../../requests/http-event.ts';
import { signed } from '../items/own-items.ts';
import { keyOf, ownTenant } from '../items/own-tenant.ts';

const tenant = await ownTenant({ emecCode: '77' });
const headers = await keyOf(tenant);
const CIVIL = { code: 'CIV-2026', course: 'Engenharia Civil', instituteId: tenant.institute.id };
const aCurriculum = () => createCurriculum(tenant.caller, { ...CIVIL, version: '1.05' }, Date.now());
const post = (json: object = {}) => call(create, { headers, json: { ...CIVIL, ...json } });

describe('a curriculum', () => {
  test('is created of its fields', async () => {
    const made = await post();
    expect([made.status, made.json()]).toMatchObject([
      201,
      { code: 'CIV-2026', course: 'Engenharia Civil', iesName: tenant.institute.name, status: 'Created' },
    ]);
    const { id, validationCode } = made.json() as Record<string, string>;
    const xml = await call(getXml, { headers, params: { id: String(id), name: 'curriculum' } });
    expect(xml.text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<CurriculoEscolar><Versao>1.05</Versao>' +
        '<CodigoCurriculo>CIV-2026</CodigoCurriculo><Curso>Engenharia Civil</Curso>' +
        `<IESEmissora>Universidade Própria</IESEmissora><CodigoValidacao>${validationCode}</CodigoValidacao>` +
        '</CurriculoEscolar>\n',
    );
  });

  test("is created with the client's file, byte for byte", async () => {
    const content = Buffer.from('<CurriculoEscolar a="1">\n<x/></CurriculoEscolar>');
    const made = await post({ files: [{ name: 'curriculum', content: content.toString('base64') }] });
    const { id } = made.json() as { id: string };
    const xml = await call(getXml, { headers, params: { id, name: 'curriculum' } });
    expect(xml.bytes).toEqual(content);
  });

  test('without a code or a course is refused', async () => {
    for (const json of [{ code: ' ' }, { course: undefined }])
      expect((await post(json)).json()).toMatchObject({ code: 'InvalidFields' });
  });

  test('has a validation code that no other item can take', async () => {
    const { validationCode } = (await aCurriculum()).data;
    expect(validationCode).toMatch(/^77\.77\.[0-9a-f]{16}$/);
    const taken = commit([takingCode(validationCode, { kind: 'degree', id: 'another' })]);
    await expect(taken).rejects.toBeInstanceOf(AlreadyExists);
  });

  test('is canceled with a reason, once', async () => {
    for (const { id } of [await aCurriculum(), await signed(await aCurriculum())]) {
      const cancel = (json: object) => call(change, { headers, params: { id, event: 'canceled' }, json });
      expect((await cancel({})).json()).toMatchObject({ code: 'InvalidFields' });
      const canceled = await cancel({ reason: 'Replaced' });
      expect([canceled.status, canceled.json()]).toMatchObject([
        200,
        { status: 'Canceled', reason: 'Replaced' },
      ]);
      expect((await cancel({ reason: 'Again' })).json()).toMatchObject({
        code: 'InvalidStatus',
        details: { status: 'Canceled', event: 'canceled' },
      });
    }
  });

  test('is read, and found by its course and code', async () => {
    const made = (await post({ course: 'Direito', code: 'DIR-1' })).json() as { id: string };
    expect((await call(get, { headers, params: { id: made.id } })).json()).toEqual(made);
    const queries: Record<string, string>[] = [{ course: 'Direito' }, { text: 'dir-' }];
    for (const query of queries)
      expect((await call(list, { headers, query })).json()).toMatchObject({ items: [made], totalCount: 1 });
  });
});
