import type { INSPECTION_TYPES, RESTAMPED_TYPES, TRANSCRIPT_TYPES } from '../vocabulary.ts';

// What each kind of item knows beyond the common part. The names are those of the events.

/** The person and the course of a credential. A course is told by its name. */
type Studies = {
  readonly studentName: string;
  readonly studentSocialName: string | null;
  readonly studentCpf: string;
  readonly course: string;
  /** The name of the issuing institution. */
  readonly issuingIes: string;
  /** The version of the layout of its XML. */
  readonly version: string;
};

export type DegreeData = Studies & {
  readonly registeringIes: string;
  readonly registeringInstituteId: string;
  readonly verificationCode: string;
  /** Why its transcript could not be generated. */
  readonly academicTranscriptCreationError: string | null;
  readonly transcriptId: string | null;
  /** The emission that it was registered from. */
  readonly emissionId: string | null;
};

export type EmissionData = Studies & {
  /** The registrar's institute that it is sent to. */
  readonly registrarInstituteId: string | null;
  readonly registrationId: string | null;
  /** A state of the registration request; null before it is sent. */
  readonly registrationStatus: string | null;
  readonly registrationCancellationReason: string | null;
  /** Once it is registered. */
  readonly degreeId: string | null;
};

export type RegistrationData = Studies & {
  /** The e-MEC code of the issuing institution, which begins the verification code. */
  readonly issuingIesCode: string;
  /** The name of the registering institution. */
  readonly registeringIes: string;
  /** The code of the diploma, known before its XML is written. It is taken when the diploma is registered. */
  readonly verificationCode: string;
  readonly description: string | null;
  /** Of a request that an emission was sent as. */
  readonly emissionId: string | null;
};

export type TranscriptData = Studies & {
  readonly type: (typeof TRANSCRIPT_TYPES)[number];
  readonly verificationCode: string;
};

export type CurriculumData = {
  readonly code: string;
  readonly course: string;
  readonly iesName: string;
  readonly version: string;
  readonly validationCode: string;
};

export type CancellationListData = {
  readonly iesCode: string;
  readonly iesName: string;
  /** From 1, without a gap. */
  readonly sequenceNumber: number;
  readonly version: string;
  readonly maximumNextUpdateDate: string;
  /** How many degrees it names. */
  readonly annulledDegreesNumber: number;
};

export type InspectionFileData = {
  readonly type: (typeof INSPECTION_TYPES)[number];
  readonly iesCode: string;
  readonly inspectedDegreesNumber: number;
  readonly startDate: string;
  readonly endDate: string;
  readonly version: string;
  /** Why it could not be generated. */
  readonly details: string | null;
};

export type RestampData = {
  /** The kind of the item whose signed file is stamped, and its id. */
  readonly documentType: (typeof RESTAMPED_TYPES)[number];
  readonly documentId: string;
  /** The name of the file. */
  readonly identifier: string;
  /**
   * Until when the newest proof of the file can be verified. Before it is applied: of the token before, of the timestamps
   * in the file, or without any of the certificates of the signers. Once it is applied: of its own token.
   */
  readonly archivingExpiringDate: string;
  /** The time that its token tells. Null until it is applied. */
  readonly date: string | null;
  /** Why the last attempt failed. */
  readonly errorReason: string | null;
  /** The restamps of the file whose tokens are stamped with it, in their order. */
  readonly earlierRestampIds: readonly string[];
  /** The number of the attempt that it is at, from 1. */
  readonly attempts: number;
  /** When a failed one is tried again. */
  readonly retryDate: string | null;
  readonly tokenSha256: string | null;
};
