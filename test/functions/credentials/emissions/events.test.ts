import { beforeAll, expect, test } from 'vitest';
import {
  emissionOf,
  foundRegistry,
  type Registry,
  recordedEvents,
  requestOf,
  STUDENT,
  sentNow,
  signItem,
  type University,
} from './registry-stage.ts';

// The fields of the specification's models (3, part B): an event has these, no more and no fewer.

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let registry: Registry;
beforeAll(async () => {
  registry = await foundRegistry();
});

const common = (id: string, status: string, { organizationId }: University) => ({
  id,
  status,
  creationDate: iso,
  updateDate: iso,
  subscriptionId: organizationId,
});

const { studentSocialName, ...named } = STUDENT;

const emissionModel = (id: string, status: string, fields: object = {}) => ({
  ...common(id, status, registry.issuer),
  ...STUDENT,
  issuingIes: registry.issuer.institute.name,
  reason: null,
  ...fields,
});

const requestModel = (id: string, status: string, fields: object = {}) => ({
  ...common(id, status, registry.registrar),
  ...named,
  issuingIes: registry.issuer.institute.name,
  description: null,
  reason: null,
  cancellationReason: null,
  ...fields,
});

/** The newest event of a type as it would be sent now: nothing has happened since it was recorded. */
const issuers = (type: string) => sentNow(registry.issuer, type);
const registrars = (type: string) => sentNow(registry.registrar, type);

test('an emission that is registered: every event of both webhooks has the fields of its model', async () => {
  const { id } = await registry.created();
  expect(await issuers('EmissionCreated')).toStrictEqual({
    type: 'EmissionCreated',
    data: emissionModel(id, 'Created'),
  });

  await signItem({ kind: 'emission', id });
  expect(await issuers('EmissionSigned')).toStrictEqual({
    type: 'EmissionSigned',
    data: emissionModel(id, 'Signed'),
  });

  const { data } = await registry.send(id, registry.registrar, 'Graduation of March');
  const requestId = data.registrationId ?? '';
  const description = 'Graduation of March';
  expect(await issuers('EmissionSentToRegistry')).toStrictEqual({
    type: 'EmissionSentToRegistry',
    data: emissionModel(id, 'SentToRegistry'),
  });
  expect(await registrars('RegistrationCreated')).toStrictEqual({
    type: 'RegistrationCreated',
    data: requestModel(requestId, 'Created', { description }),
  });

  for (const [event, status] of [
    ['accepted', 'Accepted'],
    ['approved', 'Approved'],
  ] as const) {
    await registry.act(requestId, event);
    const registration = { registrationStatus: status, registrationCancellationReason: null };
    expect(await issuers(`EmissionRegistration${status}`)).toStrictEqual({
      type: `EmissionRegistration${status}`,
      data: emissionModel(id, 'SentToRegistry', registration),
    });
    expect(await registrars(`Registration${status}`)).toStrictEqual({
      type: `Registration${status}`,
      data: requestModel(requestId, status, { description }),
    });
  }

  await registry.act(requestId, 'registered');
  const { degreeId } = (await emissionOf(id)).data;
  const { verificationCode } = (await requestOf(requestId)).data;
  expect(degreeId).toMatch(/^[0-9a-f-]{36}$/);
  expect(await issuers('EmissionRegistered')).toStrictEqual({
    type: 'EmissionRegistered',
    data: emissionModel(id, 'Registered', { degreeId }),
  });
  const registration = { registrationStatus: 'Registered', registrationCancellationReason: null };
  expect(await issuers('EmissionRegistrationRegistered')).toStrictEqual({
    type: 'EmissionRegistrationRegistered',
    data: emissionModel(id, 'Registered', { degreeId, ...registration }),
  });
  expect(await registrars('RegistrationRegistered')).toStrictEqual({
    type: 'RegistrationRegistered',
    data: requestModel(requestId, 'Registered', { description }),
  });
  const degreeModel = {
    ...STUDENT,
    issuingIes: registry.issuer.institute.name,
    registeringIes: registry.registrar.institute.name,
    verificationCode,
  };
  expect(await issuers('DegreeCreated')).toStrictEqual({
    type: 'DegreeCreated',
    data: { ...common(degreeId ?? '', 'Created', registry.issuer), ...degreeModel },
  });

  const before = (await recordedEvents(registry.issuer)).length;
  await signItem({ kind: 'registration', id: requestId });
  expect(await registrars('RegistrationSigned')).toStrictEqual({
    type: 'RegistrationSigned',
    data: requestModel(requestId, 'Signed', { description }),
  });
  // There is no EmissionRegistrationSigned: the issuer learns of it by its degree.
  expect((await recordedEvents(registry.issuer)).slice(before).map(({ type }) => type)).toEqual([
    'DegreeConcluded',
  ]);
  expect(await issuers('DegreeConcluded')).toStrictEqual({
    type: 'DegreeConcluded',
    data: {
      ...common(degreeId ?? '', 'Concluded', registry.issuer),
      ...{ ...degreeModel, reason: null, cancellationReason: null },
    },
  });
  expect(await issuers('EmissionRegistrationRegistered')).toStrictEqual({
    type: 'EmissionRegistrationRegistered',
    data: emissionModel(id, 'Registered', { degreeId, ...registration, registrationStatus: 'Signed' }),
  });
});

test('a request that is rejected tells both sides why', async () => {
  const { emissionId, requestId } = await registry.sent();
  const reason = 'A document is missing';
  await registry.act(requestId, 'rejected', { reason });
  expect(await issuers('EmissionRegistrationRejected')).toStrictEqual({
    type: 'EmissionRegistrationRejected',
    data: emissionModel(emissionId, 'SentToRegistry', {
      ...{ reason, registrationStatus: 'Rejected', registrationCancellationReason: null },
    }),
  });
  expect(await registrars('RegistrationRejected')).toStrictEqual({
    type: 'RegistrationRejected',
    data: requestModel(requestId, 'Rejected', { reason }),
  });
});

test('a request that is canceled after its registration tells both sides why, and annuls the degree', async () => {
  const { emissionId, requestId } = await registry.sent('accepted', 'approved', 'registered');
  const [reason, cancellationReason] = ['Registered by mistake', 'Erro de Direito'];
  await registry.act(requestId, 'canceled', { reason, cancellationReason });
  const { degreeId } = (await emissionOf(emissionId)).data;
  const { verificationCode } = (await requestOf(requestId)).data;
  expect(await issuers('EmissionRegistrationCanceled')).toStrictEqual({
    type: 'EmissionRegistrationCanceled',
    data: emissionModel(emissionId, 'Registered', {
      ...{ reason, degreeId, registrationStatus: 'Canceled' },
      registrationCancellationReason: cancellationReason,
    }),
  });
  expect(await registrars('RegistrationCanceled')).toStrictEqual({
    type: 'RegistrationCanceled',
    data: requestModel(requestId, 'Canceled', { reason, cancellationReason }),
  });
  expect(await issuers('DegreeCanceled')).toStrictEqual({
    type: 'DegreeCanceled',
    data: {
      ...common(degreeId ?? '', 'Canceled', registry.issuer),
      ...{ ...STUDENT, issuingIes: registry.issuer.institute.name, verificationCode },
      ...{ registeringIes: registry.registrar.institute.name, reason, cancellationReason },
    },
  });
});

test('an emission that its issuer cancels tells the registrar, and nothing of a registrar to the issuer', async () => {
  const { emissionId, requestId } = await registry.sent('accepted');
  const before = (await recordedEvents(registry.issuer)).length;
  await registry.cancel(emissionId, 'The student gave up');
  expect((await recordedEvents(registry.issuer)).slice(before).map(({ type }) => type)).toEqual([
    'EmissionCanceled',
  ]);
  expect(await issuers('EmissionCanceled')).toStrictEqual({
    type: 'EmissionCanceled',
    data: emissionModel(emissionId, 'Canceled', { reason: 'The student gave up' }),
  });
  expect(await registrars('RegistrationCanceled')).toStrictEqual({
    type: 'RegistrationCanceled',
    data: requestModel(requestId, 'Canceled', { reason: 'The student gave up' }),
  });
  expect((await emissionOf(emissionId)).data.registrationStatus).toBe('Canceled');
});
