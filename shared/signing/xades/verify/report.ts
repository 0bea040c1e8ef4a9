import type { Certificate } from '../../../pki/certificate/certificate.ts';
import type { ValidationResults } from '../../../pki/findings/validation-results.ts';
import type { CertificateVerdict } from '../../cms/judge.ts';
import type { NamedPolicy } from '../../cms/policy.ts';
import type { Digest } from '../../digest.ts';
import type { TimestampReport } from '../../timestamp/verify.ts';
import type { DocumentCoverage } from './document-coverage.ts';
import type { Coverage } from './references.ts';

export type XadesSignatureReport = {
  /** Where the signature stands. */
  readonly path: string;
  readonly id: string | undefined;
  /** What the signature is about. Only this was verified; all else in the document anyone may have written. */
  readonly covers: readonly Coverage[];
  /** The signer's. */
  readonly certificate: Certificate | undefined;
  readonly digest: Digest | undefined;
  /** What the signer says; nobody vouches for it. */
  readonly claimedTimeMs: number | undefined;
  readonly timestamps: readonly TimestampReport[];
  /** Over the signature and all that was added before each; in their order. */
  readonly archiveTimestamps: readonly TimestampReport[];
  /** The path of the signature whose value this one signs, where it is a countersignature. */
  readonly countersigns: string | undefined;
  /** The earliest time that a good timestamp proves. */
  readonly provenTimeMs: number | undefined;
  readonly policy: NamedPolicy | undefined;
  /** What is covered is as it was signed, by the key of this certificate; undefined where that could not be checked. */
  readonly intact: boolean | undefined;
  /** Of the certificate at `judgedAtMs`: the proven time, else the time of judgement. */
  readonly verdict: CertificateVerdict | undefined;
  readonly judgedAtMs: number;
  /** Nothing failed. */
  readonly valid: boolean;
  readonly results: ValidationResults;
};

export type XadesReport = {
  /** In the order in which they stand in the document. */
  readonly signatures: readonly XadesSignatureReport[];
  /** Of what had to be covered: the whole document, unless the caller named elements. */
  readonly coverage: DocumentCoverage;
  /** There is a signature, every one is valid, and what had to be covered is. */
  readonly valid: boolean;
  /** Of the document as a whole; what each signature is about stands with it. */
  readonly results: ValidationResults;
};
