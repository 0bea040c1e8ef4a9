import type {
  CancellationListData,
  CurriculumData,
  DegreeData,
  EmissionData,
  InspectionFileData,
  RegistrationData,
  RestampData,
  TranscriptData,
} from '../../../../functions/credentials/items/domain/data.ts';
import type { KindName } from '../../../../functions/credentials/items/domain/kinds.ts';

const STUDIES = {
  studentName: 'Maria da Silva',
  studentSocialName: null,
  studentCpf: '52998224725',
  course: 'Engenharia Civil',
  issuingIes: 'Universidade Emissora',
  version: '1.05',
} as const;
const CODE = '1234.4321.9f86d081884c7d659a2f';

const degree: DegreeData = {
  ...STUDIES,
  registeringIes: 'Universidade Registradora',
  registeringInstituteId: 'r-1',
  verificationCode: CODE,
  academicTranscriptCreationError: null,
  transcriptId: 't-1',
  emissionId: null,
};
const emission: EmissionData = {
  ...STUDIES,
  registrarInstituteId: 'r-1',
  registrationId: null,
  registrationStatus: null,
  registrationCancellationReason: null,
  degreeId: null,
};
const registration: RegistrationData = {
  ...STUDIES,
  issuingIesCode: '1234',
  registeringIes: 'Universidade Registradora',
  verificationCode: CODE,
  description: 'Graduation of March',
  emissionId: 'e-1',
};
const transcript: TranscriptData = { ...STUDIES, type: 'Final', verificationCode: CODE };
const curriculum: CurriculumData = {
  code: 'CIV-2026',
  course: 'Engenharia Civil',
  iesName: 'Universidade Emissora',
  version: '1.05',
  validationCode: CODE,
};
const cancellationList: CancellationListData = {
  iesCode: '1234',
  iesName: 'Universidade Emissora',
  sequenceNumber: 7,
  version: '1.05',
  maximumNextUpdateDate: '2026-03-09T12:00:00.000Z',
  annulledDegreesNumber: 2,
};
const inspectionFile: InspectionFileData = {
  type: 'Issuer',
  iesCode: '1234',
  inspectedDegreesNumber: 12,
  startDate: '2026-01-01',
  endDate: '2026-02-01',
  version: '1.05',
  details: null,
};
const restamp: RestampData = {
  documentType: 'Degree',
  documentId: 'd-1',
  identifier: 'diploma',
  archivingExpiringDate: '2027-03-09T12:00:00.000Z',
  date: null,
  errorReason: null,
  earlierRestampIds: [],
  attempts: 1,
  retryDate: null,
  tokenSha256: null,
};

/** What an item of each kind knows, all of it: an event tells only the fields of its model. */
export const DATA = {
  ...{ degree, emission, registration, transcript, curriculum, cancellationList, inspectionFile, restamp },
} satisfies Record<KindName, object>;
