import * as z from 'zod';
import { examplesOf } from '../../../shared/http/reference/shapes.ts';
import { webhookModels } from '../../../shared/http/reference/webhooks.ts';
import { CancellationList } from '../cancellation-lists/contract.ts';
import { Curriculum } from '../curriculums/contract.ts';
import { Degree } from '../degrees/contract.ts';
import { Emission } from '../emissions/contract.ts';
import { InspectionFile } from '../inspection-files/contract.ts';
import { ITEM_ID, ItemModel } from '../items/shapes.ts';
import { Registration } from '../registrations/contract.ts';
import { Restamp } from '../restamps/contract.ts';
import { Transcript } from '../transcripts/contract.ts';

// The data of the events that webhooks are sent (specification 3, part B), under the names of its models. The fields are
// those of the items as their operations answer them.

const common = { id: true, creationDate: true, updateDate: true, status: true } as const;
const ofOrganization = { ...common, subscriptionId: true } as const;

const student = {
  studentName: true,
  studentCpf: true,
  course: true,
  issuingIes: true,
  version: true,
} as const;
const named = { ...student, studentSocialName: true } as const;

/** A model of events, with the example of its item. */
function modeled<Shape extends z.ZodObject>(
  shape: Shape,
  description: string,
  item: z.ZodType,
  more: object = {},
): Shape {
  const [example] = examplesOf(item) as readonly object[];
  return shape.meta({ description, examples: [shape.parse({ ...example, ...more })] });
}

export const DegreeUpdatedModel = modeled(
  Degree.pick({
    ...{ ...ofOrganization, ...named, registeringIes: true, verificationCode: true },
  }).extend({
    reason: ItemModel.shape.reason.optional().describe('On changes of the status.'),
    cancellationReason: ItemModel.shape.cancellationReason.optional().describe('On changes of the status.'),
    academicTranscriptCreationError: z
      .string()
      .optional()
      .describe('On the creation, where the transcript could not be generated.'),
  }),
  'A degree, as its events have it.',
  Degree,
  { academicTranscriptCreationError: undefined },
);

const EmissionEvent = Emission.pick({ ...ofOrganization, ...named, reason: true }).extend({
  degreeId: z.string().optional().describe('Once it is registered.'),
});
const NOT_YET = { degreeId: undefined };

export const EmissionUpdatedModel = modeled(
  EmissionEvent,
  'An emission, as its events have it.',
  Emission,
  NOT_YET,
);

export const EmissionRegistrationUpdatedModel = modeled(
  EmissionEvent.extend({
    registrationStatus: Emission.shape.registrationStatus,
    registrationCancellationReason: Emission.shape.registrationCancellationReason,
  }),
  'An emission and its registration request, as events of the request have them.',
  Emission,
  NOT_YET,
);

export const RegistrationUpdatedModel = modeled(
  Registration.pick({
    ...{ ...ofOrganization, ...student, description: true, reason: true, cancellationReason: true },
  }),
  'A registration request, as its events have it.',
  Registration,
);

export const AcademicTranscriptUpdatedModel = modeled(
  Transcript.pick({
    ...{ ...ofOrganization, ...named, type: true, verificationCode: true, reason: true },
  }),
  'An academic transcript, as its events have it.',
  Transcript,
);

export const CurriculumUpdatedModel = modeled(
  Curriculum.pick({
    ...{ ...ofOrganization, code: true, course: true, iesName: true, version: true },
    ...{ validationCode: true, reason: true },
  }),
  'A curriculum, as its events have it.',
  Curriculum,
);

export const CancellationListModel = modeled(
  CancellationList.pick({
    ...{ ...common, iesCode: true, iesName: true, sequenceNumber: true, version: true },
    maximumNextUpdateDate: true,
  }).extend({ signerDocumentId: z.string().nullable(), signerDocumentUrl: z.string().nullable() }),
  'A list of annulled degrees, as its events have it.',
  CancellationList,
  { signerDocumentId: null, signerDocumentUrl: null },
);

export const InspectionFileUpdatedModel = modeled(
  InspectionFile.pick({
    ...{ ...common, type: true, iesCode: true, inspectedDegreesNumber: true, startDate: true, endDate: true },
    ...{ version: true, details: true },
  }),
  'An inspection file, as its events have it.',
  InspectionFile,
);

export const RestampUpdatedModel = modeled(
  Restamp.pick({
    ...{ ...ofOrganization, documentType: true, documentId: true, identifier: true },
    ...{ archivingExpiringDate: true, date: true, errorReason: true },
  }),
  'A restamp, as its events have it.',
  Restamp,
);

type Family = {
  readonly data: z.ZodObject;
  /** When each of its events is sent, by the end of the type. */
  readonly events: Readonly<Record<string, string>>;
  /** What the example of an event says beyond that of the model. */
  readonly shows?: (event: string) => object;
};

const showsStatus = (event: string) => ({ status: event });

function family(name: string, { data, events, shows = showsStatus }: Family) {
  const [example] = examplesOf(data) as readonly object[];
  const rows = Object.entries(events).map(
    ([event, when]) => [`${name}${event}`, { when, data, example: { ...example, ...shows(event) } }] as const,
  );
  return Object.fromEntries(rows);
}

const REASONS = { reason: 'Wrong course', cancellationReason: 'Erro de Fato' };

export const WEBHOOKS = webhookModels({
  ...family('Degree', {
    data: DegreeUpdatedModel,
    events: {
      Created: 'A degree was created.',
      Concluded: 'Both files of a degree are signed.',
      Canceled: 'A degree was annulled.',
      CanceledTemporarily: 'A degree was suspended.',
      Restored: 'A suspended degree is valid again.',
    },
    shows: (event) => ({
      status: event === 'Restored' ? 'Concluded' : event,
      ...(event === 'Created' && { reason: undefined, cancellationReason: undefined }),
      ...(event === 'Canceled' && REASONS),
    }),
  }),
  ...family('Emission', {
    data: EmissionUpdatedModel,
    events: {
      Created: 'An emission was created.',
      Signed: 'The file of an emission is signed.',
      SentToRegistry: 'An emission was sent to its registrar.',
      Registered: 'The degree of an emission is registered.',
      Canceled: 'An emission was canceled.',
    },
    shows: (event) => ({ status: event, ...(event === 'Registered' && { degreeId: ITEM_ID }) }),
  }),
  ...family('EmissionRegistration', {
    data: EmissionRegistrationUpdatedModel,
    events: {
      Accepted: 'The registrar accepted the request of an emission.',
      Approved: 'The registrar approved the request of an emission.',
      Rejected: 'The registrar rejected the request of an emission.',
      Canceled: 'The registrar canceled the request of an emission.',
      Registered: 'The registrar registered the degree of an emission.',
    },
    shows: (event) => ({
      registrationStatus: event,
      ...(event === 'Registered' && { status: event, degreeId: ITEM_ID }),
    }),
  }),
  ...family('Registration', {
    data: RegistrationUpdatedModel,
    events: {
      Created: 'A registration was requested.',
      Accepted: 'A registration request was accepted.',
      Approved: 'A registration request was approved.',
      Rejected: 'A registration request was rejected.',
      Registered: 'A degree was registered.',
      Signed: 'The file of a registered degree is signed.',
      Canceled: 'A registration was canceled.',
    },
  }),
  ...family('AcademicTranscript', {
    data: AcademicTranscriptUpdatedModel,
    events: {
      Created: 'A transcript was created.',
      Concluded:
        'The file of a transcript is signed, or a suspended transcript is valid again. May come twice.',
      Canceled: 'A transcript was canceled.',
      CanceledTemporarily: 'A transcript was suspended.',
    },
  }),
  ...family('Curriculum', {
    data: CurriculumUpdatedModel,
    events: {
      Created: 'A curriculum was created.',
      Concluded: 'The file of a curriculum is signed.',
      Canceled: 'A curriculum was canceled.',
    },
  }),
  ...family('CancellationList', {
    data: CancellationListModel,
    events: {
      Created: 'A list of annulled degrees was created. For the webhook of the institute.',
      Signed: 'A list of annulled degrees is signed. For the webhook of the institute.',
    },
  }),
  ...family('InspectionFile', {
    data: InspectionFileUpdatedModel,
    events: {
      Created: 'An inspection file was asked for. For the webhook of the institute.',
      Signed: 'An inspection file is signed. For the webhook of the institute.',
      GenerationError: 'An inspection file could not be generated. For the webhook of the institute.',
    },
  }),
  ...family('Restamp', {
    data: RestampUpdatedModel,
    events: {
      Created: 'A restamp was created. Restamp events are off unless the instance sends them.',
      Updated: 'A restamp is tried again.',
      Applied: 'A restamp was applied.',
      ApplyingError: 'A restamp could not be applied.',
    },
  }),
});
