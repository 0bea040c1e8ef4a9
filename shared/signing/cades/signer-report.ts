import type { Certificate } from '../../pki/certificate/certificate.ts';
import { displayName } from '../../pki/findings/display.ts';
import {
  errorFinding,
  type Finding,
  passedFinding,
  resultsOf,
  type ValidationResults,
  warningFinding,
} from '../../pki/findings/validation-results.ts';
import type { Integrity } from '../cms/integrity.ts';
import type { CertificateVerdict } from '../cms/judge.ts';
import type { NamedPolicy } from '../cms/policy.ts';
import type { Digest } from '../digest.ts';
import type { TimestampReport } from '../timestamp/verify.ts';

/** The bytes of a signature, for whoever compares them elsewhere. They are not judged by themselves. */
export type SignatureBytes = {
  /** The digest of the content that the signer signed (RFC 5652, 11.2); undefined for formats without one. */
  readonly messageDigest: Buffer | undefined;
  readonly signatureValue: Buffer | undefined;
  /** Whether the file brings CRLs or OCSP responses along, as it needs for its long term. */
  readonly hasEvidence: boolean;
};

export type SignerReport = {
  readonly certificate: Certificate | undefined;
  /** Undefined for an unknown digest algorithm. */
  readonly digest: Digest | undefined;
  /** The signer's own claim, which nobody vouches for. */
  readonly claimedTimeMs: number | undefined;
  readonly timestamps: readonly TimestampReport[];
  /** The latest first. */
  readonly archiveTimestamps: readonly TimestampReport[];
  /** The earliest time that a valid timestamp proves. */
  readonly provenTimeMs: number | undefined;
  /** Whether this certificate's key signed the content as it is; undefined where that could not be checked. */
  readonly intact: Integrity;
  /** The verdict on the certificate at `judgedAtMs`: the proven time, else the time of verification. */
  readonly verdict: CertificateVerdict | undefined;
  readonly judgedAtMs: number;
  readonly policy: NamedPolicy | undefined;
  /** Undefined where the signature could not be read. */
  readonly bytes?: SignatureBytes | undefined;
  /** Countersignatures (RFC 5652, 11.4), each with its own verdict. They add no trust to this signature. */
  readonly countersignatures: readonly SignerReport[];
  /** No finding is an error. */
  readonly valid: boolean;
  readonly results: ValidationResults;
};

/** The report on a signature that was not checked, with the reason. */
export const unprovenSigner = (intact: Integrity, finding: Finding, atMs: number): SignerReport => ({
  certificate: undefined,
  digest: undefined,
  claimedTimeMs: undefined,
  timestamps: [],
  archiveTimestamps: [],
  provenTimeMs: undefined,
  intact,
  verdict: undefined,
  judgedAtMs: atMs,
  policy: undefined,
  countersignatures: [],
  valid: false,
  results: resultsOf([finding]),
});

/**
 * Findings on countersignatures for the signature that holds them. A forged countersignature is an error there: the file
 * must not pass as valid while it shows a person who did not sign. An untrusted or unchecked one is a warning.
 */
export const countersignatureFindings = (reports: readonly SignerReport[]): Finding[] =>
  reports.map(({ certificate, intact, valid, results: innerValidationResults }) => {
    const inner = { innerValidationResults };
    const of = certificate ? ` of ${displayName(certificate)}` : '';
    if (valid) return passedFinding(`The countersignature${of} is valid.`, inner);
    if (intact === false)
      return errorFinding(
        'SignatureAlgorithmValidationFailed',
        `The countersignature${of} is not good.`,
        inner,
      );
    return intact
      ? warningFinding('CertificateValidationFailed', `The countersignature${of} is not valid.`, inner)
      : warningFinding('AlgorithmNotAllowed', `The countersignature${of} could not be checked.`, inner);
  });
