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

export type SignerReport = {
  readonly certificate: Certificate | undefined;
  /** Undefined when the digest algorithm is not known here. */
  readonly digest: Digest | undefined;
  /** What the signer says; nobody vouches for it. */
  readonly claimedTimeMs: number | undefined;
  readonly timestamps: readonly TimestampReport[];
  /** The latest first. */
  readonly archiveTimestamps: readonly TimestampReport[];
  /** The earliest time that a good timestamp proves. */
  readonly provenTimeMs: number | undefined;
  /** The content is the one signed, by the key of this certificate; undefined where that could not be checked. */
  readonly intact: Integrity;
  /** Of the certificate at `judgedAtMs`: the proven time, else the time of judgement. */
  readonly verdict: CertificateVerdict | undefined;
  readonly judgedAtMs: number;
  readonly policy: NamedPolicy | undefined;
  /** Signatures over this signature (RFC 5652, 11.4), each with its own verdict. They lend this one nothing. */
  readonly countersignatures: readonly SignerReport[];
  /** Nothing failed. */
  readonly valid: boolean;
  readonly results: ValidationResults;
};

/** A signature that was not looked into, and why. */
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
 * What countersignatures say of the signature that holds them. A forged one fails it: nobody is shown a file as good
 * that vouches for a person who did not sign. One that is only not trusted, or cannot be checked, is told.
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
