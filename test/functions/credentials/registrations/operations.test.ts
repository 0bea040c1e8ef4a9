import { describe, expect, test } from 'vitest';
import { handler as getEmission } from '../../../../functions/credentials/emissions/endpoints/get-emission.ts';
import { findByCode } from '../../../../functions/credentials/items/domain/codes.ts';
import { fileKey } from '../../../../functions/credentials/items/domain/item.ts';
import { isVerificationCode } from '../../../../functions/credentials/items/domain/verification-code.ts';
import { handler as change } from '../../../../functions/credentials/registrations/endpoints/change-registration.ts';
import { handler as create } from '../../../../functions/credentials/registrations/endpoints/create-registration.ts';
import { handler as get } from '../../../../functions/credentials/registrations/endpoints/get-registration.ts';
import { handler as getXml } from '../../../../functions/credentials/registrations/endpoints/get-registration-xml.ts';
import { handler as list } from '../../../../functions/credentials/registrations/endpoints/list-registrations.ts';
import { institutes } from '../../../../functions/credentials/tenants/domain/organization.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import type { Request } from '../../../requests/http-event.ts';
import { keysWritten } from '../../documents/stage/commit-before.ts';
import {
  askWith,
  degreeOf,
  emissionOf,
  foundRegistry,
  foundUniversity,
  idOf,
  keyOf,
  listWith,
  missingFilesOf,
  recordedEvents,
  requestOf,
  STUDENT,
  shown,
  signItem,
  textOf,
} from '../emissions/registry-stage.ts';

const registry = await foundRegistry();
const key = await keyOf(registry.registrar);
const issuersKey = await keyOf(registry.issuer);

const OUTSIDE = { issuingIes: 'Faculdade de Fora', issuingIesCode: '4321' };

const ask = (handler: Endpoint, request: Request = {}, by = key) => askWith(by, handler, request);
const created = (fields: object = {}, by = key) =>
  ask(
    create,
    { json: { ...STUDENT, ...OUTSIDE, instituteId: registry.registrar.institute.id, ...fields } },
    by,
  );
const changed = (id: string, event: string, json: object = {}, by = key) =>
  ask(change, { params: { id, event }, json }, by);
const diploma = (text: string, root = 'Diploma') => [
  { name: 'diploma', content: Buffer.from(`<${root}>${text}</${root}>`).toString('base64') },
];
const xmlOf = async (id: string, name = 'diploma') => (await ask(getXml, { params: { id, name } })).text;

/** A request of the registrar's own that is approved. */
async function approved(fields: object = {}): Promise<string> {
  const id = idOf(await created(fields));
  await changed(id, 'accepted');
  expect((await changed(id, 'approved')).json()).toMatchObject({ status: 'Approved' });
  return id;
}

describe('a request for the diploma of an issuer outside', () => {
  test('is created without a file, and waits for acceptance', async () => {
    const made = await created({ description: 'Graduation of March' });
    expect([made.status, made.json()]).toEqual([
      201,
      {
        ...STUDENT,
        ...OUTSIDE,
        id: expect.any(String),
        subscriptionId: registry.registrar.organizationId,
        instituteId: registry.registrar.institute.id,
        status: 'Created',
        creationDate: expect.any(String),
        updateDate: expect.any(String),
        reason: null,
        cancellationReason: null,
        problems: [],
        registeringIes: registry.registrar.institute.name,
        verificationCode: expect.any(String),
        description: 'Graduation of March',
        emissionId: null,
        files: [],
      },
    ]);
    const { verificationCode } = made.json() as { verificationCode: string };
    expect(isVerificationCode(verificationCode)).toBe(true);
    expect(verificationCode.split('.').slice(0, 2)).toEqual(['4321', registry.registrar.institute.emecCode]);
    expect((await ask(get, { params: { id: idOf(made) } })).json()).toEqual(made.json());
  });

  test('is registered with a diploma that is written of its fields, with its code, for the signers', async () => {
    const id = await approved();
    const answer = await changed(id, 'registered');
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      { status: 'Registered', files: [{ name: 'diploma', signerDocumentId: null }] },
    ]);
    const { verificationCode } = (await requestOf(id)).data;
    const text = await xmlOf(id);
    expect(text).toContain(`<CodigoValidacao>${verificationCode}</CodigoValidacao>`);
    expect(text).toContain('<IESEmissora>Faculdade de Fora</IESEmissora>');
    expect(text).toContain(`<IESRegistradora>${registry.registrar.institute.name}</IESRegistradora>`);
    await signItem({ kind: 'registration', id });
    expect((await ask(get, { params: { id } })).json()).toMatchObject({
      status: 'Signed',
      files: [{ name: 'diploma', signedAt: expect.any(String) }],
    });
  });

  test("has the client's diploma of its creation, or that of its registration, which replaces it", async () => {
    const early = await approved({ files: diploma('early') });
    await changed(early, 'registered');
    expect(await xmlOf(early)).toBe('<Diploma>early</Diploma>');
    const late = await approved({ files: diploma('early') });
    expect((await changed(late, 'registered', { files: diploma('late') })).status).toBe(200);
    expect(await xmlOf(late)).toBe('<Diploma>late</Diploma>');
    expect((await requestOf(late)).files).toHaveLength(1);
    expect(await missingFilesOf(await requestOf(late))).toEqual([]);
  });

  test('refuses a file that is no diploma, and changes nothing', async () => {
    expect((await created({ files: diploma('x', 'Outro') })).json()).toMatchObject({ code: 'InvalidXml' });
    const id = await approved();
    for (const files of [diploma('x', 'Outro'), [], [...diploma('x'), ...diploma('y')]]) {
      const answer = await changed(id, 'registered', { files });
      expect([answer.status, answer.json()]).toMatchObject([422, { code: 'InvalidXml' }]);
    }
    expect(await requestOf(id)).toMatchObject({ state: 'Approved', files: [] });
  });

  test('is created by an organization that registers and names signers, alone', async () => {
    const wrongKind = await created({ instituteId: registry.issuer.institute.id }, issuersKey);
    expect([wrongKind.status, wrongKind.json()]).toMatchObject([422, { code: 'OrganizationKindMismatch' }]);
    const silent = await foundUniversity(['Registradora'], { signers: [] });
    const unsigned = await created({ instituteId: silent.institute.id }, await keyOf(silent));
    expect([unsigned.status, unsigned.json()]).toMatchObject([422, { code: 'SignersRequired' }]);
    for (const missing of ['issuingIes', 'issuingIesCode'])
      expect((await created({ [missing]: undefined })).json()).toMatchObject({
        ...{ code: 'InvalidFields', details: { field: missing } },
      });
  });

  test('has no degree to annul: a cancellation needs a reason alone, even after the registration', async () => {
    const id = await approved();
    await changed(id, 'registered');
    const answer = await changed(id, 'canceled', { reason: 'Registered by mistake' });
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      { status: 'Canceled', reason: 'Registered by mistake', cancellationReason: null },
    ]);
  });

  test.each([
    ['rejected', {}, 'reason', 'is required for rejected'],
    [
      'rejected',
      { reason: 'a', cancellationReason: 'Erro de Fato' },
      'cancellationReason',
      'is not a field of rejected',
    ],
    ['canceled', {}, 'reason', 'is required for canceled'],
    ['canceled', { reason: 'a', files: [] }, 'files', 'is not a field of canceled'],
    ['accepted', { reason: 'a' }, 'reason', 'is not a field of accepted'],
    ['registered', { reason: 'a' }, 'reason', 'is not a field of registered'],
  ])('%s with %j is refused for its %s', async (event, json, field, reason) => {
    const answer = await changed(idOf(await created()), event, json);
    expect([answer.status, answer.json()]).toMatchObject([
      422,
      { code: 'InvalidFields', details: { field, reason } },
    ]);
  });

  test('takes one of the six texts of the schema, to the letter', async () => {
    const id = idOf(await created());
    const other = await changed(id, 'canceled', { reason: 'a', cancellationReason: 'Erro de fato' });
    expect([other.status, other.json()]).toMatchObject([422, { code: 'InvalidFields' }]);
    const cancellationReason = 'Reemissão para Anotaçao de Registro';
    expect((await changed(id, 'canceled', { reason: 'a', cancellationReason })).json()).toMatchObject({
      ...{ status: 'Canceled', cancellationReason },
    });
  });

  test('is found by the name, the course and the code of its student', async () => {
    const id = idOf(await created({ studentName: 'Carla Prado', course: 'Medicina' }));
    const { verificationCode } = (await requestOf(id)).data;
    const queries: Record<string, string>[] = [{ text: 'prado' }, { course: 'Medicina' }];
    for (const query of [...queries, { text: verificationCode }])
      expect(await listWith(key, list, query)).toEqual([id]);
  });

  test('has no event that a client does not cause', async () => {
    const id = idOf(await created());
    for (const event of ['signed', 'created', 'sentToRegistry', 'constructor'])
      expect((await changed(id, event)).status).toBe(404);
  });
});

describe('a request of an emission', () => {
  test('is its registrar’s: the issuer does not find it, nor the registrar the emission', async () => {
    const { requestId, emissionId } = await registry.sent();
    const [theirs, ours] = [{ params: { id: requestId } }, { params: { id: emissionId } }];
    const answers = [await ask(get, theirs, issuersKey), await ask(getEmission, ours)];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect((await changed(requestId, 'accepted', {}, issuersKey)).status).toBe(404);
    expect([(await ask(get, theirs)).status, (await ask(getEmission, ours, issuersKey)).status]).toEqual([
      200, 200,
    ]);
  });

  test('has the signed documentation, which its registrar reads there', async () => {
    const { requestId } = await registry.sent();
    const text = await xmlOf(requestId, 'academic-documentation');
    expect(text).toMatch(/<DocumentacaoAcademicaRegistro>.*<!-- signed -->$/s);
    const original = await ask(getXml, {
      ...{ params: { id: requestId, name: 'academic-documentation' }, query: { type: 'Original' } },
    });
    expect(text).toBe(`${original.text}<!-- signed -->`);
  });

  test('gives the issuer a degree with both files, concluded by the one signature of the diploma', async () => {
    const { emissionId, requestId } = await registry.sent('accepted', 'approved');
    const { verificationCode } = (await requestOf(requestId)).data;
    expect(await findByCode(verificationCode)).toBeUndefined();
    expect((await changed(requestId, 'registered')).status).toBe(200);

    const { degreeId } = (await emissionOf(emissionId)).data;
    const degree = await degreeOf(degreeId ?? '');
    expect(degree).toMatchObject({
      state: 'Created',
      organizationId: registry.issuer.organizationId,
      instituteId: registry.issuer.institute.id,
      data: {
        ...STUDENT,
        issuingIes: registry.issuer.institute.name,
        registeringIes: registry.registrar.institute.name,
        registeringInstituteId: registry.registrar.institute.id,
        verificationCode,
        emissionId,
        transcriptId: null,
        academicTranscriptCreationError: null,
      },
      files: [
        { name: 'diploma', document: null, signed: null },
        { name: 'academic-documentation', signed: { length: expect.any(Number) } },
      ],
    });
    const { institute: issuer } = registry.issuer;
    expect(verificationCode.split('.').slice(0, 2)).toEqual([
      issuer.emecCode,
      registry.registrar.institute.emecCode,
    ]);
    expect(await findByCode(verificationCode)).toMatchObject({ kind: 'degree', id: degreeId });
    expect(await missingFilesOf(degree)).toEqual([]);
    const [diplomaFile] = degree.files;
    expect(diplomaFile && (await textOf(fileKey(degree, diplomaFile)))).toBe(await xmlOf(requestId));

    await signItem({ kind: 'registration', id: requestId });
    const concluded = await degreeOf(degreeId ?? '');
    const request = await requestOf(requestId);
    expect(concluded.state).toBe('Concluded');
    expect(concluded.files[0]?.signed).toEqual(request.files[0]?.signed);
    expect(await missingFilesOf(concluded)).toEqual([]);
    expect((await emissionOf(emissionId)).data.registrationStatus).toBe('Signed');
  });

  test('that is canceled after its registration annuls the degree, with one of the six texts', async () => {
    const { emissionId, requestId } = await registry.sent('accepted', 'approved', 'registered');
    const bare = await changed(requestId, 'canceled', { reason: 'Registered by mistake' });
    expect([bare.status, bare.json()]).toMatchObject([422, { code: 'CancellationReasonMismatch' }]);
    expect(await shown(emissionId)).toMatchObject({ request: 'Registered', degree: 'Created' });
    const fields = { reason: 'Registered by mistake', cancellationReason: 'Decisão Judicial' };
    expect((await changed(requestId, 'canceled', fields)).status).toBe(200);
    const { degreeId } = (await emissionOf(emissionId)).data;
    expect(await degreeOf(degreeId ?? '')).toMatchObject({ state: 'Canceled', ...fields });
  });

  test('is not registered by an institute that names no signers any more', async () => {
    const { requestId } = await registry.sent('accepted', 'approved');
    const other = await foundRegistry();
    const { requestId: unsigned } = await other.sent('accepted', 'approved');
    const institute = await institutes.get(other.registrar.institute.id);
    if (institute) await institutes.change(institute, { signers: [] });
    const answer = await changed(unsigned, 'registered', {}, await keyOf(other.registrar));
    expect([answer.status, answer.json()]).toMatchObject([422, { code: 'SignersRequired' }]);
    expect((await changed(requestId, 'registered')).status).toBe(200);
  });

  test('of an organization that registers its own emissions: one webhook, one commit, far from its limit', async () => {
    const own = await foundRegistry(await foundUniversity(['Emissora', 'Registradora']));
    const { emissionId, requestId } = await own.sent('accepted', 'approved');
    const before = (await recordedEvents(own.issuer)).length;
    const keys = await keysWritten(() => own.act(requestId, 'registered'));
    expect(keys.length).toBeGreaterThan(20);
    expect(keys.length).toBeLessThan(50);
    const types = (await recordedEvents(own.issuer)).slice(before).map(({ type }) => type);
    expect(types.toSorted()).toEqual([
      'DegreeCreated',
      'EmissionRegistered',
      'EmissionRegistrationRegistered',
      'RegistrationRegistered',
    ]);
    await signItem({ kind: 'registration', id: requestId });
    expect(await shown(emissionId)).toMatchObject({ request: 'Signed', degree: 'Concluded' });
  });
});
