import type { ValidationResults } from '../../pki/findings/validation-results.ts';
import type { CertificateModel } from '../../pki/model/certificate-model.ts';
import type { CertificateStatus } from '../cms/judge.ts';
import type { SignatureFormat } from '../format-of.ts';
import type { Change } from '../pades/verify/changes.ts';
import type { Conclusion, CoveredPart, FileCoverage, IcpBrasilStanding } from './report-parts.ts';

/** The signer and the verdict on their certificate. */
type Signed = {
  readonly signer: CertificateModel | null;
  readonly icpBrasil: IcpBrasilStanding;
  /** Null where the certificate was not judged, because the signature is not intact. */
  readonly certificateStatus: CertificateStatus | null;
  /** True: the bytes are as signed. False: they are not. Null: that could not be checked. */
  readonly intact: boolean | null;
  readonly validationResults: ValidationResults;
};

export type TimestampModel = {
  readonly time: string | null;
  readonly authority: CertificateModel | null;
  readonly valid: boolean;
  /** Decimal. */
  readonly serialNumber: string | null;
  /** The digest that the authority stamped, base64. */
  readonly messageImprint: string | null;
  readonly validationResults: ValidationResults;
};

export type CountersignatureModel = Conclusion & Signed & { readonly claimedTime: string | null };

/** One signature. Times are ISO 8601. */
export type SignatureModel = Conclusion &
  Signed & {
    readonly kind: 'signature' | 'document-timestamp' | 'countersignature';
    readonly place: string | null;
    readonly judgedAt: string | null;
    /** The signer's own claim, which nobody vouches for. */
    readonly claimedTime: string | null;
    /** The earliest time that a trusted timestamp proves. */
    readonly provenTime: string | null;
    readonly timestamps: readonly TimestampModel[];
    readonly archiveTimestamps: readonly TimestampModel[];
    readonly countersignatures: readonly CountersignatureModel[];
    /** A sentence for each covered part. */
    readonly covers: readonly string[];
    readonly coveredParts: readonly CoveredPart[];
    /** A sentence for each later change; null for formats without revisions. */
    readonly changes: readonly string[] | null;
    readonly changedParts: readonly Change[];
    readonly policy: string | null;
    /** The name of its field, in a PDF. */
    readonly fieldName: string | null;
    readonly digestAlgorithm: string | null;
    /** The digest of the content that was signed, base64; null for XML, which has one for each reference. */
    readonly messageDigest: string | null;
    /** Base64. */
    readonly signatureValue: string | null;
    /** Whether it has a proven time, and the file brings the revocation data along to judge it without the network. */
    readonly isLongTerm: boolean;
  };

/** The report that the command line, the operation and the page show. */
export type VerificationReport = Conclusion & {
  /** The name of the file, if given. */
  readonly file: string | null;
  readonly format: SignatureFormat;
  readonly coverage: FileCoverage;
  /** Findings on the file and not on one signature. */
  readonly validationResults: ValidationResults | null;
  readonly signatures: readonly SignatureModel[];
};
