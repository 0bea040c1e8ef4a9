import { describe, expect, test, vi } from 'vitest';
import { KINDS, type KindName } from '../../../../functions/credentials/items/domain/kinds.ts';
import { receiversOfATest } from '../../../shared/webhooks/receivers.ts';
import { DATA } from './sample-data.ts';
import { sentTo, webhookStage } from './webhook-stage.ts';

// The table of data models of the specification (3, part B), word for word: what is common to all is added below. The
// issue settles the rest: updateDate always, and subscriptionId except for lists and inspection files.
const MODELS = {
  Degree:
    'studentName, studentSocialName, studentCpf, course, issuingIes, registeringIes, verificationCode, version',
  Emission: 'studentName, studentSocialName, studentCpf, course, issuingIes, version, reason',
  Registration:
    'studentName, studentCpf, course, issuingIes, description, version, reason, cancellationReason',
  AcademicTranscript:
    'studentName, studentSocialName, studentCpf, course, issuingIes, type, version, verificationCode, reason',
  Curriculum: 'code, course, iesName, version, validationCode, reason',
  CancellationList:
    'iesCode, iesName, sequenceNumber, version, maximumNextUpdateDate, signerDocumentId, signerDocumentUrl',
  InspectionFile: 'type, iesCode, inspectedDegreesNumber, startDate, endDate, version, details',
  Restamp: 'documentType, documentId, identifier, archivingExpiringDate, date, errorReason',
} as const;
const ON_STATUS_CHANGE = 'reason, cancellationReason';
const ONCE_REGISTERED = 'degreeId';
const OF_ITS_REGISTRATION = 'registrationStatus, registrationCancellationReason';

const COMMON = 'id, creationDate, updateDate, status';
const WITHOUT_SUBSCRIPTION: readonly string[] = ['CancellationList', 'InspectionFile'];

const fieldsOf = (family: keyof typeof MODELS, ...more: string[]): string[] =>
  [COMMON, ...(WITHOUT_SUBSCRIPTION.includes(family) ? [] : ['subscriptionId']), MODELS[family], ...more]
    .flatMap((names) => names.split(', '))
    .toSorted();

const receiver = receiversOfATest();
const stage = webhookStage();
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NUMBERS: readonly string[] = ['sequenceNumber', 'inspectedDegreesNumber'];

/** A receiver of everything that the organization and its institute send. */
async function receiveAll() {
  vi.stubEnv('Webhooks__RestampEvents', 'true');
  const inbox = await receiver();
  await stage.sendTo(inbox);
  await stage.setInstitute({ enabled: true, shouldUseSubscriptionWebhookSettings: true });
  return {
    /** The one event that the last change caused, as it arrived. */
    async next() {
      const before = inbox.received.length;
      await stage.deliver();
      const sent = sentTo(inbox).slice(before);
      expect(sent).toHaveLength(1);
      return sent[0] ?? { type: '', data: {} };
    },
  };
}

/** The fields of an event, each of the type that every payload has. */
function fieldsIn({ data }: { readonly data: Record<string, unknown> }): string[] {
  for (const [name, value] of Object.entries(data)) {
    const expected = NUMBERS.includes(name) ? 'number' : 'string';
    expect([name, value === null ? expected : typeof value]).toEqual([name, expected]);
    if (value !== null && /date$/i.test(name)) expect(value).toMatch(ISO);
  }
  return Object.keys(data).toSorted();
}

// Each way passes every event of its table, and begins anew where one ends.
const WAYS: Readonly<Record<KindName, readonly (readonly string[])[]>> = {
  degree: [['concluded', 'canceledTemporarily', 'restored', 'canceled']],
  emission: [['signed', 'sentToRegistry', 'canceled']],
  registration: [
    ['accepted', 'approved', 'registered', 'signed'],
    ['accepted', 'rejected'],
    ['accepted', 'canceled'],
  ],
  transcript: [['concluded', 'canceledTemporarily', 'restored', 'canceled']],
  curriculum: [['concluded', 'canceled']],
  cancellationList: [['signed']],
  inspectionFile: [['signed'], ['generationError']],
  restamp: [['updated', 'applyingError', 'updated', 'applied']],
};
const kinds = Object.keys(WAYS) as KindName[];

describe.each(kinds)('the events of a %s', (kind) => {
  test('carry the fields of its model, no more and no fewer, from its creation to its end', async () => {
    const { next } = await receiveAll();
    const family = KINDS[kind].family as keyof typeof MODELS;
    const onChange = kind === 'degree' ? [ON_STATUS_CHANGE] : [];
    for (const way of WAYS[kind]) {
      let item = await stage.create(kind);
      expect(fieldsIn(await next())).toEqual(fieldsOf(family));
      for (const event of way) {
        item = await stage.move(item, event, { reason: 'So it is.' });
        const sent = await next();
        expect([event, fieldsIn(sent)]).toEqual([event, fieldsOf(family, ...onChange)]);
        expect(sent.data).toMatchObject({ id: item.id, status: item.state });
      }
    }
  });

  test('have the values of the item under the names of the model', async () => {
    const { next } = await receiveAll();
    const { id, organizationId, createdAtMs, updatedAtMs } = await stage.create(kind);
    const { data } = await next();
    const iso = (ms: number) => new Date(ms).toISOString();
    expect(data).toMatchObject({
      ...{ id, status: 'Created', creationDate: iso(createdAtMs), updateDate: iso(updatedAtMs) },
      ...('subscriptionId' in data && { subscriptionId: organizationId }),
    });
    const known: Record<string, unknown> = { ...DATA[kind], reason: null, cancellationReason: null };
    const own = MODELS[KINDS[kind].family as keyof typeof MODELS]
      .split(', ')
      .filter((name) => !name.startsWith('signerDocument'));
    expect(own.map((name) => [name, data[name]])).toEqual(own.map((name) => [name, known[name]]));
  });
});

test('every type of an event is on one of these ways, or is an emission’s or its registration’s', () => {
  const passed = kinds.map((kind) => new Set(WAYS[kind].flat()));
  const missing = kinds.map((kind, n) => KINDS[kind].states.events.filter((event) => !passed[n]?.has(event)));
  expect(missing.flat()).toEqual(['registered']);
});

describe('a degree', () => {
  test('that is annulled says why, by both reasons', async () => {
    const { next } = await receiveAll();
    const degree = await stage.create('degree');
    await next();
    await stage.move(degree, 'canceled', { reason: 'Wrong course', cancellationReason: 'Erro de Fato' });
    expect(await next()).toMatchObject({
      type: 'DegreeCanceled',
      data: { reason: 'Wrong course', cancellationReason: 'Erro de Fato' },
    });
  });

  test('whose transcript could not be generated says so when it is created, and then no more', async () => {
    const { next } = await receiveAll();
    const academicTranscriptCreationError = 'The XML file cannot be read.';
    const degree = await stage.create('degree', { academicTranscriptCreationError });
    const created = await next();
    expect(fieldsIn(created)).toEqual(fieldsOf('Degree', 'academicTranscriptCreationError'));
    expect(created.data).toMatchObject({ academicTranscriptCreationError });
    await stage.move(degree, 'concluded');
    expect(fieldsIn(await next())).toEqual(fieldsOf('Degree', ON_STATUS_CHANGE));
  });
});

describe('an emission', () => {
  test('has degreeId once it is registered, and not before', async () => {
    const { next } = await receiveAll();
    const emission = await stage.create('emission');
    await next();
    for (const event of ['signed', 'sentToRegistry']) {
      await stage.move(emission, event);
      expect(fieldsIn(await next())).toEqual(fieldsOf('Emission'));
    }
    const data = { ...DATA.emission, degreeId: 'd-1', registrationStatus: 'Registered' };
    await stage.move(emission, 'registered', { data });
    const registered = await next();
    expect(registered).toMatchObject({ type: 'EmissionRegistered', data: { degreeId: 'd-1' } });
    expect(fieldsIn(registered)).toEqual(fieldsOf('Emission', ONCE_REGISTERED));
  });

  test.each([
    ['accepted', 'Accepted'],
    ['approved', 'Approved'],
    ['rejected', 'Rejected'],
    ['canceled', 'Canceled'],
    ['registered', 'Registered'],
  ])('whose request is %s has the fields of both, under EmissionRegistration', async (event, status) => {
    const { next } = await receiveAll();
    const emission = await stage.create('emission');
    await next();
    await stage.moveRegistration(emission, event, {
      registrationStatus: status,
      registrationCancellationReason: 'It is incomplete.',
    });
    const sent = await next();
    expect(sent).toMatchObject({
      type: `EmissionRegistration${status}`,
      data: { registrationStatus: status, registrationCancellationReason: 'It is incomplete.' },
    });
    expect(fieldsIn(sent)).toEqual(fieldsOf('Emission', OF_ITS_REGISTRATION));
  });
});

test('a list tells the document at which it is signed, as soon as there is one', async () => {
  const { next } = await receiveAll();
  const list = await stage.create('cancellationList');
  expect((await next()).data).toMatchObject({ signerDocumentId: null, signerDocumentUrl: null });
  const file = { name: 'cancellation-list', sha256: 'ab', length: 1, signed: null, problem: null };
  const document = { id: 'doc-1', url: 'https://sign.example/doc-1' };
  await stage.move(list, 'signed', { files: [{ ...file, document }] });
  expect((await next()).data).toMatchObject({ signerDocumentId: 'doc-1', signerDocumentUrl: document.url });
});
