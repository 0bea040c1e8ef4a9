import type { Certificate } from '../../../pki/certificate/certificate.ts';
import type { ValidationResults } from '../../../pki/findings/validation-results.ts';
import type { SignatureBytes } from '../../cades/signer-report.ts';
import type { CertificateVerdict } from '../../cms/judge.ts';
import type { NamedPolicy } from '../../cms/policy.ts';
import type { Digest } from '../../digest.ts';
import type { TimestampReport } from '../../timestamp/verify.ts';
import type { DocumentCoverage } from './document-coverage.ts';
import type { Coverage } from './references.ts';

export type XadesSignatureReport = {
  /** The path of the signature in the document. */
  readonly path: string;
  readonly id: string | undefined;
  /** The covered parts. Only these were verified; anyone may have written the rest of the document. */
  readonly covers: readonly Coverage[];
  /** Whether it also covers content outside of the document, which is not looked at. */
  readonly isDetached: boolean;
  readonly certificate: Certificate | undefined;
  readonly digest: Digest | undefined;
  /** The signer's own claim, which nobody vouches for. */
  readonly claimedTimeMs: number | undefined;
  readonly timestamps: readonly TimestampReport[];
  /** Each covers the signature and everything added before it; in document order. */
  readonly archiveTimestamps: readonly TimestampReport[];
  /** The path of the signature whose value this one signs, where it is a countersignature. */
  readonly countersigns: string | undefined;
  /** The earliest time that a valid timestamp proves. */
  readonly provenTimeMs: number | undefined;
  readonly policy: NamedPolicy | undefined;
  readonly bytes?: SignatureBytes | undefined;
  /** Whether this certificate's key signed the covered parts as they are; undefined where that could not be checked. */
  readonly intact: boolean | undefined;
  /** The verdict on the certificate at `judgedAtMs`: the proven time, else the time of verification. */
  readonly verdict: CertificateVerdict | undefined;
  readonly judgedAtMs: number;
  /** No finding is an error. */
  readonly valid: boolean;
  readonly results: ValidationResults;
};

export type XadesReport = {
  /** In document order. */
  readonly signatures: readonly XadesSignatureReport[];
  /** Coverage of the required parts: the whole document, unless the caller named elements. */
  readonly coverage: DocumentCoverage;
  /** There is a signature, all are valid, and the required parts are covered. */
  readonly valid: boolean;
  /** Findings on the document as a whole. Each signature has its own. */
  readonly results: ValidationResults;
};
