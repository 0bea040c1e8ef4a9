import { readTogether } from '../../../../shared/store/group/read.ts';
import type { Rendered, Withdrawn } from '../../../../shared/webhooks/engine.ts';
import type {
  CancellationListData,
  CurriculumData,
  DegreeData,
  EmissionData,
  InspectionFileData,
  RegistrationData,
  RestampData,
  TranscriptData,
} from '../../items/domain/data.ts';
import { type Item, items } from '../../items/domain/item.ts';
import { EMISSION_REGISTRATION, type KindName } from '../../items/domain/kinds.ts';
import { typeOf } from './event-types.ts';
import { isReceiver } from './receiver.ts';

/** What an event is about: an item, and the family of its types. */
export const subjectOf = ({ kind, id }: Pick<Item, 'kind' | 'id'>, family: string): string =>
  JSON.stringify([kind, id, family]);

/**
 * The event of an item as it is now: its latest one in the family, with its present data. Withdrawn where the item does
 * not exist any more, or its events do not go to this owner any more.
 */
export async function renderSubject(subject: string, owner: string): Promise<Rendered | Withdrawn> {
  const [kind, id, family] = JSON.parse(subject) as [KindName, string, string];
  const item = await readTogether(items, { kind, id });
  if (!item) return { withdrawn: `The ${kind} ${id} does not exist any more.` };
  const event = item.lastEvents[family];
  const type = event === undefined ? undefined : typeOf(family, event);
  if (type === undefined) return { withdrawn: `The ${kind} ${id} has no ${family} event that is sent.` };
  if (!(await isReceiver(item, family, owner)))
    return { withdrawn: `The ${family} events of the ${kind} ${id} do not go to this webhook any more.` };
  return { type, data: modelOf(item, family) };
}

const iso = (ms: number): string => new Date(ms).toISOString();

const common = ({ id, createdAtMs, updatedAtMs, state }: Item) => ({
  id,
  creationDate: iso(createdAtMs),
  updateDate: iso(updatedAtMs),
  status: state,
});

const ofOrganization = (item: Item) => ({ ...common(item), subscriptionId: item.organizationId });

type Model = (item: Item) => object;
const model =
  <Data extends object>(render: (item: Item<Data>) => object): Model =>
  (item) =>
    render(item as Item<Data>);

const studentOf = ({
  studentName,
  studentSocialName,
  studentCpf,
  course,
  issuingIes,
}: EmissionData | DegreeData | TranscriptData) => ({
  ...{ studentName, studentSocialName, studentCpf, course, issuingIes },
});

const emission = (item: Item<EmissionData>) => ({
  ...ofOrganization(item),
  ...studentOf(item.data),
  version: item.data.version,
  reason: item.reason,
  ...(item.data.degreeId !== null && { degreeId: item.data.degreeId }),
});

/** The data of the events of each kind: the fields of its model, no more and no fewer. */
const MODELS: Readonly<Record<KindName, Model>> = {
  degree: model<DegreeData>((item) => {
    const { registeringIes, verificationCode, version, academicTranscriptCreationError } = item.data;
    const isNew = item.lastEvents.Degree === 'created';
    return {
      ...ofOrganization(item),
      ...studentOf(item.data),
      ...{ registeringIes, verificationCode, version },
      ...(!isNew && { reason: item.reason, cancellationReason: item.cancellationReason }),
      ...(isNew && academicTranscriptCreationError !== null && { academicTranscriptCreationError }),
    };
  }),
  emission: model<EmissionData>(emission),
  registration: model<RegistrationData>((item) => {
    const { studentName, studentCpf, course, issuingIes, description, version } = item.data;
    const { reason, cancellationReason } = item;
    return {
      ...ofOrganization(item),
      ...{ studentName, studentCpf, course, issuingIes, description, version, reason, cancellationReason },
    };
  }),
  transcript: model<TranscriptData>((item) => {
    const { type, version, verificationCode } = item.data;
    return {
      ...ofOrganization(item),
      ...studentOf(item.data),
      type,
      version,
      verificationCode,
      reason: item.reason,
    };
  }),
  curriculum: model<CurriculumData>((item) => {
    const { code, course, iesName, version, validationCode } = item.data;
    return { ...ofOrganization(item), code, course, iesName, version, validationCode, reason: item.reason };
  }),
  cancellationList: model<CancellationListData>((item) => {
    const { iesCode, iesName, sequenceNumber, version, maximumNextUpdateDate } = item.data;
    const [file] = item.files;
    return {
      ...common(item),
      ...{ iesCode, iesName, sequenceNumber, version, maximumNextUpdateDate },
      signerDocumentId: file?.document?.id ?? null,
      signerDocumentUrl: file?.document?.url ?? null,
    };
  }),
  inspectionFile: model<InspectionFileData>((item) => {
    const { type, iesCode, inspectedDegreesNumber, startDate, endDate, version, details } = item.data;
    return { ...common(item), type, iesCode, inspectedDegreesNumber, startDate, endDate, version, details };
  }),
  restamp: model<RestampData>((item) => {
    const { documentType, documentId, identifier, archivingExpiringDate, date, errorReason } = item.data;
    return {
      ...ofOrganization(item),
      ...{ documentType, documentId, identifier, archivingExpiringDate, date, errorReason },
    };
  }),
};

/** The data of an item's event in a family of types. */
function modelOf(item: Item, family: string): object {
  if (family !== EMISSION_REGISTRATION) return MODELS[item.kind](item);
  const { data } = item as Item<EmissionData>;
  const { registrationStatus, registrationCancellationReason } = data;
  return { ...emission(item as Item<EmissionData>), registrationStatus, registrationCancellationReason };
}
