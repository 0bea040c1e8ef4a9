import type { ValidationResults } from '../../pki/findings/validation-results.ts';
import type { SignerReport } from '../cades/verify-signers.ts';
import type { SignatureFormat } from '../format-of.ts';
import type { Change } from '../pades/verify/changes.ts';
import type { TimestampReport } from '../timestamp/verify.ts';
import type { CoveredPart, FileCoverage } from './report-parts.ts';

/** The fields that the reports of all formats share. */
type Common = Pick<
  SignerReport,
  | 'certificate'
  | 'claimedTimeMs'
  | 'timestamps'
  | 'provenTimeMs'
  | 'intact'
  | 'verdict'
  | 'judgedAtMs'
  | 'policy'
  | 'digest'
  | 'bytes'
  | 'valid'
  | 'results'
>;

/** A signature over a signature. */
export type FoundCountersignature = Pick<
  Common,
  'certificate' | 'claimedTimeMs' | 'intact' | 'verdict' | 'valid' | 'results'
>;

/** One signature, in any format. */
export type FoundSignature = Common & {
  readonly kind: 'signature' | 'document-timestamp' | 'countersignature';
  /** Its place in the file, for formats that have one. */
  readonly place?: string | undefined;
  /** The name of its field, in a PDF. */
  readonly field?: string | undefined;
  readonly covers: readonly CoveredPart[];
  /** Whether it is detached and its content was not given. */
  readonly lacksContent?: boolean;
  /** Changes to the file after it; undefined for formats without revisions. */
  readonly changes?: readonly Change[] | undefined;
  readonly archiveTimestamps: readonly TimestampReport[];
  readonly countersignatures: readonly FoundCountersignature[];
};

/** The signatures and coverage of a file, as its format's verifier found them. */
export type FoundFile = {
  readonly format: SignatureFormat;
  readonly signatures: readonly FoundSignature[];
  readonly coverage: FileCoverage;
  /** Findings on the file and not on one signature. */
  readonly results?: ValidationResults | undefined;
};
