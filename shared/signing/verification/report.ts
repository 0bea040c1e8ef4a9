import type { CertificateModel } from '../../pki/certificate-model.ts';
import type { ValidationResults } from '../../pki/validation-results.ts';
import type { CertificateStatus } from '../cms/judge.ts';
import type { SignatureFormat } from '../format-of.ts';
import type { Change } from '../pades/verify/changes.ts';
import type { Outcome, Reason, ReportVerdict } from './reasons.ts';

/** What a signature or a file comes to, in both vocabularies. */
export type Conclusion = {
  readonly outcome: Outcome;
  readonly verdict: ReportVerdict;
  readonly reasons: readonly Reason[];
};

/** What of a file a signature is over. */
export const COVERED_KINDS = [
  'file',
  'revision',
  'content',
  'document',
  'element',
  'signature',
  'nothing',
] as const;
export type CoveredPart = {
  /** 'revision' is a PDF as it was when it was signed; 'content' what a CMS signature is over. */
  readonly kind: (typeof COVERED_KINDS)[number];
  /** Of an element or a signature inside an XML document; of content outside of its signature, the name of the file. */
  readonly path: string | null;
  /** Of a revision: so many from the beginning of the file. */
  readonly bytes: number | null;
  /** Whether the path is the root of the document. */
  readonly isRoot: boolean;
  /** Whether every signature that stands in it is left out, and may so hold anything. */
  readonly withoutSignatures: boolean;
  /** XML comments inside, which no signature covers. */
  readonly comments: number;
};

/** Whether all that was asked for is covered: the whole file, unless some elements were named. */
export type FileCoverage = {
  readonly isComplete: boolean;
  readonly covered: readonly string[];
  readonly missing: readonly string[];
};

/**
 * 'verified': the chain ends at a trusted root of ICP-Brasil. 'claimed': the certificate has ICP-Brasil's fields or
 * policies, and no such chain. 'no': neither.
 */
export const ICP_BRASIL_STANDINGS = ['verified', 'claimed', 'no'] as const;
export type IcpBrasilStanding = (typeof ICP_BRASIL_STANDINGS)[number];

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
