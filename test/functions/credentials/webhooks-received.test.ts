import { beforeEach, expect, test, vi } from 'vitest';
import { handler as createList } from '../../../functions/credentials/cancellation-lists/endpoints/create-cancellation-list.ts';
import { handler as changeCurriculum } from '../../../functions/credentials/curriculums/endpoints/change-curriculum.ts';
import { handler as createCurriculum } from '../../../functions/credentials/curriculums/endpoints/create-curriculum.ts';
import { handler as changeDegree } from '../../../functions/credentials/degrees/endpoints/change-degree.ts';
import { handler as createDegree } from '../../../functions/credentials/degrees/endpoints/create-degree.ts';
import { handler as changeEmission } from '../../../functions/credentials/emissions/endpoints/change-emission.ts';
import { WEBHOOKS } from '../../../functions/credentials/events/contract.ts';
import { handler as createInspection } from '../../../functions/credentials/inspection-files/endpoints/create-inspection-file.ts';
import { handler as changeRestamp } from '../../../functions/credentials/restamps/endpoints/change-restamp.ts';
import { handler as createRestamp } from '../../../functions/credentials/restamps/endpoints/create-restamp.ts';
import { handler as changeTranscript } from '../../../functions/credentials/transcripts/endpoints/change-transcript.ts';
import { handler as createTranscript } from '../../../functions/credentials/transcripts/endpoints/create-transcript.ts';
import { forFile } from '../../runner/for-file.ts';
import { signItem } from './emissions/registry-stage.ts';
import { STUDIES, signed, stored } from './items/own-items.ts';
import { DAY_MS, requestFor, restampStage, aDegree as storedDegree } from './restamps/stage.ts';
import { sentEmission } from './sent-emission.ts';
import { type Operations, runOneTask, startReceivers } from './webhook-receivers.ts';
import { ALL_TYPES, type ExpectedEvent, TIME } from './webhook-table.ts';

// Every event of the specification (3, part B) is caused by an operation, or by a signature or a task that follows it, and
// received over HTTP. Its fields are those of the table; their values are what reading the item answers and the test says.

let own: Operations;
const stage = await forFile(restampStage());
const receivers = await forFile(startReceivers());
vi.stubEnv('Webhooks__RestampEvents', 'true');
beforeEach(async () => {
  own = await receivers.found();
});

const institute = () => own.tenants.issuer.institute;

const REASONS = ['reason', 'cancellationReason'] as const;
const ANNULMENT = { reason: 'Fraud', cancellationReason: 'Erro de Fato' };

test('a degree is created, concluded, suspended, restored and annulled', async () => {
  const id = await own.operate(createDegree, own.studies());
  const of = ['degree', id] as const;
  const known = {
    ...{ ...STUDIES, studentSocialName: 'Mara', subscriptionId: own.tenants.issuer.organizationId },
    ...{ issuingIes: institute().name, registeringIes: institute().name },
    verificationCode: expect.stringMatching(/^1234\.1234\./),
  };
  await own.expectEvents({ DegreeCreated: { of, data: { ...known, status: 'Created' } } });

  const told = (status: string, reasons: object) => ({
    of,
    added: REASONS,
    data: { ...known, status, ...reasons },
  });
  await signed(await stored({ kind: 'degree', id }));
  await own.expectEvents({ DegreeConcluded: told('Concluded', { reason: null, cancellationReason: null }) });
  await own.changed(changeDegree, id, 'canceledTemporarily', { reason: 'Inquiry' });
  const suspended = { reason: 'Inquiry', cancellationReason: null };
  await own.expectEvents({ DegreeCanceledTemporarily: told('CanceledTemporarily', suspended) });
  await own.changed(changeDegree, id, 'restored', { reason: 'Cleared' });
  await own.expectEvents({
    DegreeRestored: told('Concluded', { reason: 'Cleared', cancellationReason: null }),
  });
  await own.changed(changeDegree, id, 'canceled', ANNULMENT);
  await own.expectEvents({ DegreeCanceled: told('Canceled', ANNULMENT) });
});

test('a degree whose transcript cannot be generated says why', async () => {
  const files = [{ name: 'transcript', content: Buffer.from('<Other/>').toString('base64') }];
  const id = await own.operate(createDegree, {
    ...own.studies(),
    academicTranscript: { type: 'Final', files },
  });
  const academicTranscriptCreationError = expect.stringContaining('has the root Other');
  await own.expectEvents({
    DegreeCreated: {
      ...{ of: ['degree', id], added: ['academicTranscriptCreationError'] },
      data: { status: 'Created', academicTranscriptCreationError },
    },
  });
  // It says so once.
  await signed(await stored({ kind: 'degree', id }));
  await own.expectEvents({ DegreeConcluded: { of: ['degree', id], added: REASONS, data: { reason: null } } });
});

test('an emission is registered and its diploma signed', async () => {
  const { requestId, request, register } = await sentEmission(own);
  const degreeId = await register();
  await signItem({ kind: 'registration', id: requestId });
  await own.expectEvents({
    RegistrationSigned: request('Signed'),
    DegreeConcluded: {
      of: ['degree', degreeId],
      added: REASONS,
      data: { status: 'Concluded', reason: null },
    },
  });
});

test('an emission is rejected by its registrar and canceled by its issuer', async () => {
  const { id, emission, request, registration, act } = await sentEmission(own);
  const reason = 'A document is missing';
  await act('rejected', { reason });
  await own.expectEvents({
    RegistrationRejected: request('Rejected', { reason }),
    EmissionRegistrationRejected: emission('SentToRegistry', { reason, ...registration('Rejected') }),
  });
  await own.changed(changeEmission, id, 'canceled', { reason: 'The student gave up' });
  await own.expectEvents({ EmissionCanceled: emission('Canceled', { reason: 'The student gave up' }) });
});

test('an emission is canceled by its issuer while its request is open: the registrar is told too', async () => {
  const { id, emission, request } = await sentEmission(own);
  const reason = 'The student gave up';
  await own.changed(changeEmission, id, 'canceled', { reason });
  await own.expectEvents({
    EmissionCanceled: emission('Canceled', { reason }),
    RegistrationCanceled: request('Canceled', { reason }),
  });
});

test('a registration is canceled, and its degree annulled', async () => {
  const { emission, request, registration, act, register } = await sentEmission(own);
  const degreeId = await register();
  await act('canceled', ANNULMENT);
  const { reason, cancellationReason } = ANNULMENT;
  await own.expectEvents({
    RegistrationCanceled: request('Canceled', ANNULMENT),
    EmissionRegistrationCanceled: emission(
      'Registered',
      { degreeId, reason, ...registration('Canceled', cancellationReason) },
      ['degreeId'],
    ),
    DegreeCanceled: { of: ['degree', degreeId], added: REASONS, data: { status: 'Canceled', ...ANNULMENT } },
  });
});

test('a transcript is created, concluded, suspended, restored and canceled', async () => {
  const id = await own.operate(createTranscript, { ...own.studies(), type: 'Final' });
  const told = (status: string, reason: string | null): ExpectedEvent => ({
    of: ['transcript', id],
    data: { status, reason, type: 'Final', studentSocialName: 'Mara', issuingIes: institute().name },
  });
  await own.expectEvents({ AcademicTranscriptCreated: told('Created', null) });
  await signed(await stored({ kind: 'transcript', id }));
  await own.expectEvents({ AcademicTranscriptConcluded: told('Concluded', null) });
  await own.changed(changeTranscript, id, 'canceledTemporarily', { reason: 'Inquiry' });
  await own.expectEvents({ AcademicTranscriptCanceledTemporarily: told('CanceledTemporarily', 'Inquiry') });
  await own.changed(changeTranscript, id, 'restored', { reason: 'Cleared' });
  await own.expectEvents({ AcademicTranscriptConcluded: told('Concluded', 'Cleared') });
  await own.changed(changeTranscript, id, 'canceled', { reason: 'Replaced' });
  await own.expectEvents({ AcademicTranscriptCanceled: told('Canceled', 'Replaced') });
});

test('a curriculum is created, concluded and canceled', async () => {
  const request = { code: 'CIV-2026', course: 'Engenharia Civil', instituteId: institute().id };
  const id = await own.operate(createCurriculum, request);
  const told = (status: string, reason: string | null): ExpectedEvent => ({
    of: ['curriculum', id],
    data: {
      status,
      reason,
      code: 'CIV-2026',
      course: 'Engenharia Civil',
      iesName: institute().name,
      version: '1.05',
    },
  });
  await own.expectEvents({ CurriculumCreated: told('Created', null) });
  await signed(await stored({ kind: 'curriculum', id }));
  await own.expectEvents({ CurriculumConcluded: told('Concluded', null) });
  await own.changed(changeCurriculum, id, 'canceled', { reason: 'Replaced' });
  await own.expectEvents({ CurriculumCanceled: told('Canceled', 'Replaced') });
});

test('a list of annulled degrees is created and signed, at the webhook of its institute', async () => {
  const id = await own.operate(createList, { version: '1.05' }, { id: institute().id });
  const told = (status: string, document: unknown): ExpectedEvent => ({
    ...{ at: 'institute', of: ['cancellationList', id] },
    data: {
      ...{ status, iesCode: '1234', iesName: institute().name, sequenceNumber: 1, version: '1.05' },
      ...{ signerDocumentId: document, signerDocumentUrl: document },
    },
  });
  await own.expectEvents({ CancellationListCreated: told('Created', null) });
  await signItem({ kind: 'cancellationList', id });
  await own.expectEvents({ CancellationListSigned: told('Signed', expect.any(String)) });
});

test('an inspection file is created and signed, or cannot be generated, at the webhook of its institute', async () => {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const inspected = async () => {
    const period = { startDate: day(Date.now() - DAY_MS), endDate: day(Date.now()) };
    const id = await own.operate(createInspection, { type: 'Issuer', ...period }, { id: institute().id });
    const told = (
      status: string,
      inspectedDegreesNumber: number,
      details: unknown = null,
    ): ExpectedEvent => ({
      ...{ at: 'institute', of: ['inspectionFile', id] },
      data: {
        status,
        inspectedDegreesNumber,
        details,
        type: 'Issuer',
        iesCode: '1234',
        version: '1.05',
        ...period,
      },
    });
    await own.expectEvents({ InspectionFileCreated: told('Created', 0) });
    await runOneTask({ task: 'generate', kind: 'inspectionFile', id, waitSeconds: 0 });
    return { id, told };
  };
  const none = await inspected();
  const details = 'The institute issued no degree that is signed in this period.';
  await own.expectEvents({ InspectionFileGenerationError: none.told('GenerationError', 0, details) });

  await signed(await stored({ kind: 'degree', id: await own.operate(createDegree, own.studies()) }));
  await receivers.deliver();
  const { id, told } = await inspected();
  await own.expectEvents({});
  await signItem({ kind: 'inspectionFile', id });
  await own.expectEvents({ InspectionFileSigned: told('Signed', 1) });
});

test('a restamp is created, fails, is tried again and is applied', async () => {
  const { organizationId } = own.tenants.issuer;
  const { id: documentId } = await storedDegree(stage, { organizationId, instituteId: institute().id });
  stage.useAuthorities(stage.down);
  const id = await own.operate(createRestamp, requestFor(documentId));
  const attempt = () => runOneTask({ task: 'restamp', kind: 'restamp', id, waitSeconds: 0 });
  const told = (status: string, data: object = {}): ExpectedEvent => ({
    of: ['restamp', id],
    data: { ...requestFor(documentId), status, date: null, errorReason: null, ...data },
  });
  await own.expectEvents({ RestampCreated: told('Created') });
  await attempt();
  const errorReason = expect.stringContaining('did not answer');
  await own.expectEvents({ RestampApplyingError: told('ApplyingError', { errorReason }) });
  await own.changed(changeRestamp, id, 'updated');
  await own.expectEvents({ RestampUpdated: told('Updated') });
  stage.useAuthorities(stage.timestampUrl);
  await attempt();
  await own.expectEvents({ RestampApplied: told('Applied', { date: expect.stringMatching(TIME) }) });
});

test('no type of the table is missing, and none is besides it', () => {
  expect(ALL_TYPES).toHaveLength(38);
  expect([...receivers.seen].toSorted()).toEqual(ALL_TYPES.toSorted());
  expect(Object.keys(WEBHOOKS).toSorted()).toEqual(ALL_TYPES.toSorted());
});
