import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { handler as change } from '../../../../functions/credentials/emissions/endpoints/change-emission.ts';
import { handler as create } from '../../../../functions/credentials/emissions/endpoints/create-emission.ts';
import { handler as get } from '../../../../functions/credentials/emissions/endpoints/get-emission.ts';
import { handler as getXml } from '../../../../functions/credentials/emissions/endpoints/get-emission-xml.ts';
import { handler as list } from '../../../../functions/credentials/emissions/endpoints/list-emissions.ts';
import { handler as resend } from '../../../../functions/credentials/emissions/endpoints/resend-emission.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import type { Request } from '../../../requests/http-event.ts';
import {
  askWith,
  foundRegistry,
  foundUniversity,
  idOf,
  keyOf,
  listWith,
  recordedEvents,
  STUDENT,
} from './registry-stage.ts';

const registry = await foundRegistry();
const key = await keyOf(registry.issuer);

const ask = (handler: Endpoint, request: Request = {}, by = key) => askWith(by, handler, request);
const created = (fields: object = {}, by = key) =>
  ask(create, { json: { ...STUDENT, instituteId: registry.issuer.institute.id, ...fields } }, by);
const changed = (id: string, event: string, json: object, by = key) =>
  ask(change, { params: { id, event }, json }, by);

const xml = (root: string) => Buffer.from(`<${root}><Nome>Maria</Nome></${root}>`).toString('base64');

describe('an emission', () => {
  test('is created with the file that is written of its fields, and is read', async () => {
    const made = await created();
    expect([made.status, made.json()]).toEqual([
      201,
      {
        ...STUDENT,
        id: expect.any(String),
        subscriptionId: registry.issuer.organizationId,
        instituteId: registry.issuer.institute.id,
        status: 'Created',
        creationDate: expect.any(String),
        updateDate: expect.any(String),
        reason: null,
        cancellationReason: null,
        problems: [],
        issuingIes: registry.issuer.institute.name,
        registrarInstituteId: null,
        registrationId: null,
        registrationStatus: null,
        registrationCancellationReason: null,
        degreeId: null,
        files: [expect.objectContaining({ name: 'academic-documentation', signedAt: null })],
      },
    ]);
    const params = { id: idOf(made) };
    expect((await ask(get, { params })).json()).toEqual(made.json());
    const file = await ask(getXml, { params: { ...params, name: 'academic-documentation' } });
    expect([file.status, file.text]).toEqual([
      200,
      expect.stringMatching(/<DocumentacaoAcademicaRegistro>.*<CPF>11144477735<\/CPF>/s),
    ]);
  });

  test("is created with the client's own file, which has its root", async () => {
    const own = [{ name: 'academic-documentation', content: xml('DocumentacaoAcademicaRegistro') }];
    const made = await created({ files: own });
    const file = await ask(getXml, { params: { id: idOf(made), name: 'academic-documentation' } });
    expect(file.text).toBe(
      '<DocumentacaoAcademicaRegistro><Nome>Maria</Nome></DocumentacaoAcademicaRegistro>',
    );
    const other = await created({ files: [{ name: 'academic-documentation', content: xml('Diploma') }] });
    expect([other.status, other.json()]).toMatchObject([422, { code: 'InvalidXml' }]);
  });

  test('is of an institute of an organization that issues and names signers', async () => {
    const both = await keyOf(registry.issuer, registry.registrar);
    const wrongKind = await created({ instituteId: registry.registrar.institute.id }, both);
    expect([wrongKind.status, wrongKind.json()]).toMatchObject([422, { code: 'OrganizationKindMismatch' }]);
    const silent = await foundUniversity(['Emissora'], { signers: [] });
    const unsigned = await created({ instituteId: silent.institute.id }, await keyOf(silent));
    expect([unsigned.status, unsigned.json()]).toMatchObject([422, { code: 'SignersRequired' }]);
    const foreign = await created({ instituteId: silent.institute.id });
    expect([foreign.status, foreign.json()]).toMatchObject([
      404,
      { code: 'InstituteNotFound', resourceId: silent.institute.id },
    ]);
  });

  test('is sent to a registrar that the key does not reach, and shows how the request stands', async () => {
    const id = await registry.signed();
    const sent = await changed(id, 'sentToRegistry', {
      ...{ registrarInstituteId: registry.registrar.institute.id, description: 'Graduation of March' },
    });
    expect([sent.status, sent.json()]).toMatchObject([
      200,
      { status: 'SentToRegistry', registrationStatus: 'Created', registrationId: expect.any(String) },
    ]);
    const { registrationId } = sent.json() as { registrationId: string };
    await registry.act(registrationId, 'accepted');
    expect((await ask(get, { params: { id } })).json()).toMatchObject({ registrationStatus: 'Accepted' });
    const again = await changed(id, 'sentToRegistry', {
      registrarInstituteId: registry.registrar.institute.id,
    });
    expect([again.status, again.json()]).toMatchObject([
      422,
      { code: 'InvalidStatus', details: { status: 'SentToRegistry', registrationStatus: 'Accepted' } },
    ]);
  });

  test('is sent to no institute that does not register', async () => {
    const id = await registry.signed();
    for (const registrarInstituteId of [randomUUID(), registry.issuer.institute.id]) {
      const sent = await changed(id, 'sentToRegistry', { registrarInstituteId });
      expect([sent.status, sent.json()]).toMatchObject([
        422,
        { code: 'RegistrarNotFound', details: { registrarInstituteId } },
      ]);
    }
    expect((await ask(get, { params: { id } })).json()).toMatchObject({ status: 'Signed' });
  });

  test.each([
    ['sentToRegistry', {}, 'registrarInstituteId', 'is required for sentToRegistry'],
    [
      'sentToRegistry',
      { registrarInstituteId: 'x', reason: 'why' },
      'reason',
      'is not a field of sentToRegistry',
    ],
    ['canceled', {}, 'reason', 'is required for canceled'],
    ['canceled', { reason: 'why', description: 'a' }, 'description', 'is not a field of canceled'],
  ])('%s with %j is refused for its %s', async (event, json, field, reason) => {
    const answer = await changed(await registry.signed(), event, json);
    expect([answer.status, answer.json()]).toMatchObject([
      422,
      { code: 'InvalidFields', details: { field, reason } },
    ]);
  });

  test('has no event that a client does not cause', async () => {
    const id = await registry.signed();
    for (const event of ['signed', 'registered', 'created', 'constructor'])
      expect((await changed(id, event, { reason: 'why' })).status).toBe(404);
  });

  test('is sent again to the webhook: the latest event of each of its families', async () => {
    const { emissionId } = await registry.sent('accepted');
    const before = (await recordedEvents(registry.issuer)).length;
    const answer = await ask(resend, { method: 'POST', params: { id: emissionId } });
    const types = ['EmissionSentToRegistry', 'EmissionRegistrationAccepted'];
    expect([answer.status, answer.json()]).toEqual([202, { types }]);
    const recorded = (await recordedEvents(registry.issuer)).slice(before).map(({ type }) => type);
    expect(recorded.toSorted()).toEqual(types.toSorted());
  });

  test('is found by the name and the course of its student', async () => {
    const id = idOf(await created({ studentName: 'Carla Prado', course: 'Medicina' }));
    for (const query of [{ text: 'prado' }, { course: 'Medicina' }] as Record<string, string>[])
      expect(await listWith(key, list, query)).toEqual([id]);
  });

  test('has no file by another name, nor a signed one before it is signed', async () => {
    const id = await registry.signed();
    const answer = await ask(getXml, { params: { id, name: 'diploma' } });
    expect([answer.status, answer.json()]).toMatchObject([
      404,
      { code: 'FileNotFound', resourceId: 'diploma' },
    ]);
    const unsigned = await ask(getXml, {
      ...{ params: { id: idOf(await created()), name: 'academic-documentation' }, query: { type: 'Signed' } },
    });
    expect(unsigned.status).toBe(404);
  });
});
