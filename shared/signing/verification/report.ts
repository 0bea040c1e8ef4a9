import type { ValidationResults } from '../../pki/findings/validation-results.ts';
import type { CertificateModel } from '../../pki/model/certificate-model.ts';
import type { CertificateStatus } from '../cms/judge.ts';
import type { SignatureFormat } from '../format-of.ts';
import type { Change } from '../pades/verify/changes.ts';
import type { Conclusion, CoveredPart, FileCoverage, IcpBrasilStanding } from './report-parts.ts';

/** Who signed, countersigned or stamped, and how their certificate was judged. */
type Signed = {
  readonly signer: CertificateModel | null;
  readonly icpBrasil: IcpBrasilStanding;
  /** Null where the certificate was not judged, because the signature does not hold together. */
  readonly certificateStatus: CertificateStatus | null;
  /** True: the bytes are as signed. False: they are not. Null: that could not be checked. */
  readonly intact: boolean | null;
  readonly validationResults: ValidationResults;
};

export type TimestampModel = {
  readonly time: string | null;
  readonly authority: CertificateModel | null;
  readonly valid: boolean;
  readonly validationResults: ValidationResults;
};

export type CountersignatureModel = Conclusion & Signed & { readonly claimedTime: string | null };

/** One signature. Times are ISO 8601. */
export type SignatureModel = Conclusion &
  Signed & {
    readonly kind: 'signature' | 'document-timestamp' | 'countersignature';
    readonly place: string | null;
    readonly judgedAt: string | null;
    /** What the signer says; nobody vouches for it. */
    readonly claimedTime: string | null;
    /** The earliest time that a trusted timestamp proves. */
    readonly provenTime: string | null;
    readonly timestamps: readonly TimestampModel[];
    readonly archiveTimestamps: readonly TimestampModel[];
    readonly countersignatures: readonly CountersignatureModel[];
    /** A sentence for each part that is covered. */
    readonly covers: readonly string[];
    readonly coveredParts: readonly CoveredPart[];
    /** A sentence for each change after it; null where a format knows of none. */
    readonly changes: readonly string[] | null;
    readonly changedParts: readonly Change[];
    readonly policy: string | null;
  };

/** What the command line, the operation and the page all show. */
export type VerificationReport = Conclusion & {
  /** The name of the file, where one was given. */
  readonly file: string | null;
  readonly format: SignatureFormat;
  readonly coverage: FileCoverage;
  /** What concerns the file and no one signature. */
  readonly validationResults: ValidationResults | null;
  readonly signatures: readonly SignatureModel[];
};
