import type { ValidationResults } from '../../../../../shared/pki/findings/validation-results.ts';
import type { ChangeKind } from '../../../../../shared/signing/pades/verify/changes.ts';
import type {
  Conclusion,
  CoveredPart,
  FileCoverage,
  IcpBrasilStanding,
} from '../../../../../shared/signing/verification/report-parts.ts';

/** A certificate, as far as the page shows it. */
export type ShownCertificate = {
  readonly subjectDisplayName: string;
  readonly issuerDisplayName: string;
  readonly issuer: ShownCertificate | null;
  readonly pkiBrazil: { readonly cpf: string | null; readonly cnpj: string | null };
  readonly serialNumber: string;
  readonly thumbprintSHA256: string;
  readonly validityStart: string;
  readonly validityEnd: string;
};

export type ShownTimestamp = {
  readonly time: string | null;
  readonly authority: ShownCertificate | null;
  readonly valid: boolean;
};

export type ShownSignature = Conclusion & {
  readonly kind: 'signature' | 'document-timestamp' | 'countersignature';
  readonly signer: ShownCertificate | null;
  readonly icpBrasil: IcpBrasilStanding;
  readonly certificateStatus: 'ACTIVE' | 'EXPIRED' | 'REVOKED' | 'UNTRUSTED' | 'STALE' | null;
  readonly intact: boolean | null;
  readonly place: string | null;
  readonly fieldName: string | null;
  readonly judgedAt: string | null;
  readonly claimedTime: string | null;
  readonly provenTime: string | null;
  readonly timestamps: readonly ShownTimestamp[];
  readonly archiveTimestamps: readonly ShownTimestamp[];
  readonly countersignatures: readonly (Conclusion & { readonly signer: ShownCertificate | null })[];
  readonly coveredParts: readonly CoveredPart[];
  readonly changes: readonly string[] | null;
  readonly changedParts: readonly {
    readonly kind: ChangeKind;
    readonly allowed: boolean;
    readonly what: string;
  }[];
  readonly policy: string | null;
  readonly validationResults: ValidationResults;
};

/** The response of POST /api/verification, as far as the page reads it. */
export type ShownReport = Conclusion & {
  readonly file: string | null;
  readonly format: string;
  readonly coverage: FileCoverage;
  readonly validationResults: ValidationResults | null;
  readonly signatures: readonly ShownSignature[];
};
