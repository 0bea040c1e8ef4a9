import type { ValidationResults } from '../../pki/findings/validation-results.ts';
import type { SignerReport } from '../cades/verify-signers.ts';
import type { SignatureFormat } from '../format-of.ts';
import type { Change } from '../pades/verify/changes.ts';
import type { TimestampReport } from '../timestamp/verify.ts';
import type { CoveredPart, FileCoverage } from './report-parts.ts';

/** What the engines' reports of all formats have alike. */
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
  | 'valid'
  | 'results'
>;

/** A signature over a signature. */
export type FoundCountersignature = Pick<
  Common,
  'certificate' | 'claimedTimeMs' | 'intact' | 'verdict' | 'valid' | 'results'
>;

/** One signature, in whatever format. */
export type FoundSignature = Common & {
  readonly kind: 'signature' | 'document-timestamp' | 'countersignature';
  /** Where it stands in the file, if that says something. */
  readonly place?: string | undefined;
  readonly covers: readonly CoveredPart[];
  /** Whether it is detached and came without what it is over. */
  readonly lacksContent?: boolean;
  /** What came into the file after it; undefined where a format has no such thing. */
  readonly changes?: readonly Change[] | undefined;
  readonly archiveTimestamps: readonly TimestampReport[];
  readonly countersignatures: readonly FoundCountersignature[];
};

/** A file as its engine found it. */
export type FoundFile = {
  readonly format: SignatureFormat;
  readonly signatures: readonly FoundSignature[];
  readonly coverage: FileCoverage;
  /** What concerns the file and no one signature. */
  readonly results?: ValidationResults | undefined;
};
