import { expect } from 'vitest';
import { handler as getList } from '../../../functions/credentials/cancellation-lists/endpoints/get-cancellation-list.ts';
import { handler as getCurriculum } from '../../../functions/credentials/curriculums/endpoints/get-curriculum.ts';
import { handler as getDegree } from '../../../functions/credentials/degrees/endpoints/get-degree.ts';
import { handler as getEmission } from '../../../functions/credentials/emissions/endpoints/get-emission.ts';
import { handler as getInspection } from '../../../functions/credentials/inspection-files/endpoints/get-inspection-file.ts';
import type { KindName } from '../../../functions/credentials/items/domain/kinds.ts';
import { handler as getRegistration } from '../../../functions/credentials/registrations/endpoints/get-registration.ts';
import { handler as getRestamp } from '../../../functions/credentials/restamps/endpoints/get-restamp.ts';
import { handler as getTranscript } from '../../../functions/credentials/transcripts/endpoints/get-transcript.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { call } from '../../requests/http-event.ts';
import type { Tenant } from './items/own-tenant.ts';

// The models and the event types of the specification (3, part B), as its tables have them.

const words = (text: string) => text.split(' ');
const OF_ORGANIZATION = 'id creationDate updateDate status subscriptionId';
const EMISSION = `${OF_ORGANIZATION} studentName studentSocialName studentCpf course issuingIes version reason`;

// EmissionRegistration is before Emission: a type is of the first family that it begins with.
const TABLE: Readonly<Record<string, { readonly fields: string; readonly events: string }>> = {
  Degree: {
    fields: `${OF_ORGANIZATION} studentName studentSocialName studentCpf course issuingIes registeringIes verificationCode version`,
    events: 'Created Concluded Canceled CanceledTemporarily Restored',
  },
  EmissionRegistration: {
    fields: `${EMISSION} registrationStatus registrationCancellationReason`,
    events: 'Accepted Approved Rejected Canceled Registered',
  },
  Emission: { fields: EMISSION, events: 'Created Signed SentToRegistry Registered Canceled' },
  Registration: {
    fields: `${OF_ORGANIZATION} studentName studentCpf course issuingIes description version reason cancellationReason`,
    events: 'Created Accepted Approved Rejected Registered Signed Canceled',
  },
  AcademicTranscript: {
    fields: `${OF_ORGANIZATION} studentName studentSocialName studentCpf course issuingIes type version verificationCode reason`,
    events: 'Created Concluded Canceled CanceledTemporarily',
  },
  Curriculum: {
    fields: `${OF_ORGANIZATION} code course iesName version validationCode reason`,
    events: 'Created Concluded Canceled',
  },
  CancellationList: {
    fields:
      'id creationDate updateDate status iesCode iesName sequenceNumber version maximumNextUpdateDate signerDocumentId signerDocumentUrl',
    events: 'Created Signed',
  },
  InspectionFile: {
    fields:
      'id creationDate updateDate status type iesCode inspectedDegreesNumber startDate endDate version details',
    events: 'Created Signed GenerationError',
  },
  Restamp: {
    fields: `${OF_ORGANIZATION} documentType documentId identifier archivingExpiringDate date errorReason`,
    events: 'Created Updated Applied ApplyingError',
  },
};
/** The 38 types. */
export const ALL_TYPES = Object.entries(TABLE).flatMap(([family, { events }]) =>
  words(events).map((event) => `${family}${event}`),
);

/** The fields that the data of a type always has. */
const fieldsOf = (type: string) =>
  words(Object.entries(TABLE).find(([family]) => type.startsWith(family))?.[1].fields ?? '');

const GET: Readonly<Record<KindName, Endpoint>> = {
  ...{ degree: getDegree, emission: getEmission, registration: getRegistration, transcript: getTranscript },
  ...{ curriculum: getCurriculum, cancellationList: getList, inspectionFile: getInspection },
  restamp: getRestamp,
};

type Readers = { readonly issuer: Tenant; readonly headers: Record<string, string> };

/** An item as its operation answers it, with the signer's document of its first file. */
async function readItem(
  [kind, id]: readonly [KindName, string],
  { issuer, headers }: Readers,
): Promise<Record<string, unknown>> {
  const isOfInstitute = kind === 'cancellationList' || kind === 'inspectionFile';
  const params: Record<string, string> = isOfInstitute ? { id: issuer.institute.id, itemId: id } : { id };
  const item = (await call(GET[kind], { headers, params })).json() as Record<string, unknown>;
  const [file] = item.files as Record<string, unknown>[];
  const { signerDocumentId = null, signerDocumentUrl = null } = file ?? {};
  return { ...item, signerDocumentId, signerDocumentUrl };
}

/** Whose webhook it is: the organization of the issuer or of the registrar, or the institute of the issuer. */
export type ReceiverName = 'issuer' | 'registrar' | 'institute';
export type Received = {
  readonly at: ReceiverName;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
};

/** An event that must arrive. */
export type ExpectedEvent = {
  readonly at?: ReceiverName;
  readonly of: readonly [KindName, string];
  /** What the test knows of the data. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The fields that the model has only on such an occasion. */
  readonly added?: readonly string[];
};

const DATE = /^\d{4}-\d\d-\d\d$/;
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** That these events arrived, and no others, each with the fields of its model and the values of its item. */
export async function checkReceived(
  received: readonly Received[],
  events: Readonly<Record<string, ExpectedEvent>>,
  readers: Readers,
): Promise<void> {
  const nameOf = (at: string, type: string) => `${at} ${type}`;
  expect(received.map(({ at, type }) => nameOf(at, type)).toSorted()).toEqual(
    Object.entries(events)
      .map(([type, { at = 'issuer' }]) => nameOf(at, type))
      .toSorted(),
  );
  for (const { type, data } of received) {
    const { of, data: known, added = [] } = events[type] as ExpectedEvent;
    const fields = [...fieldsOf(type), ...added];
    expect([type, Object.keys(data).toSorted()]).toEqual([type, fields.toSorted()]);
    const item = await readItem(of, readers);
    const expected = Object.fromEntries(fields.map((field) => [field, item[field]]));
    expect([type, data]).toStrictEqual([type, { ...expected, ...known, id: of[1] }]);
    for (const [field, value] of Object.entries(data)) {
      if (/^id$|Id$/.test(field) && value !== null)
        expect([field, value]).toEqual([field, expect.any(String)]);
      if (/^date$|Date$/.test(field) && value !== null)
        expect([field, value]).toEqual([
          field,
          expect.stringMatching(field === 'startDate' || field === 'endDate' ? DATE : TIME),
        ]);
    }
    expect([data.creationDate, data.updateDate]).not.toContain(null);
  }
}
