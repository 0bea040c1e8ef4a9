import type {
  ValidationItem,
  ValidationItemType,
  ValidationResults,
} from '../../pki/findings/validation-results.ts';

/** The indications of EN 319 102-1, 5.1.3: TOTAL-PASSED, TOTAL-FAILED, INDETERMINATE. */
export const VERDICTS = ['passed', 'failed', 'indeterminate'] as const;
export type ReportVerdict = (typeof VERDICTS)[number];

/** The outcomes that set the exit code of `npm run verify`. `valid` is exactly `passed`. */
export const OUTCOMES = ['valid', 'invalid', 'undetermined'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The sub-indications of EN 319 102-1, 5.1.3, that a report can give. */
export const REASONS = [
  'FORMAT_FAILURE',
  'HASH_FAILURE',
  'SIG_CRYPTO_FAILURE',
  'NOT_YET_VALID',
  'SIG_CONSTRAINTS_FAILURE',
  'CHAIN_CONSTRAINTS_FAILURE',
  'CERTIFICATE_CHAIN_GENERAL_FAILURE',
  'CRYPTO_CONSTRAINTS_FAILURE',
  'POLICY_PROCESSING_ERROR',
  'SIGNATURE_POLICY_NOT_AVAILABLE',
  'NO_SIGNING_CERTIFICATE_FOUND',
  'NO_CERTIFICATE_CHAIN_FOUND',
  'REVOKED_NO_POE',
  'REVOKED_CA_NO_POE',
  'OUT_OF_BOUNDS_NO_POE',
  'TRY_LATER',
  'SIGNED_DATA_NOT_FOUND',
  'GENERIC',
] as const;
export type Reason = (typeof REASONS)[number];

/** The meaning of a finding that is an error. */
export type Meaning = {
  readonly verdict: Exclude<ReportVerdict, 'passed'>;
  readonly reason: Reason;
  readonly outcome: Exclude<Outcome, 'valid'>;
};

const failed = (reason: Reason): Meaning => ({ verdict: 'failed', reason, outcome: 'invalid' });
/** Indeterminate by EN 319 102-1, and nobody should rely on the signature. */
const refused = (reason: Reason): Meaning => ({ verdict: 'indeterminate', reason, outcome: 'invalid' });
/** Something is missing, unsupported or unreachable. It is no evidence against the signature. */
const open = (reason: Reason): Meaning => ({ verdict: 'indeterminate', reason, outcome: 'undetermined' });

/**
 * The meaning of every type of finding. One table, so that the command line, the operation and the page agree.
 * Revoked and expired stay indeterminate even with a timestamp: a signature timestamp proves that a signature existed,
 * never that it was made only after the revocation or the expiry (EN 319 102-1, 5.1.3: REVOKED and EXPIRED ask for that).
 */
export const MEANINGS: Readonly<Record<ValidationItemType, Meaning>> = {
  DecodeError: failed('FORMAT_FAILURE'),
  ContentTypeMismatch: failed('FORMAT_FAILURE'),
  InvalidXmlSignatureSchema: failed('FORMAT_FAILURE'),
  XmlDSigCoreValidationFailed: failed('FORMAT_FAILURE'),
  TimestampWithMoreThanOneSigner: failed('FORMAT_FAILURE'),
  TimestampValidationException: failed('FORMAT_FAILURE'),
  MessageDigestMismatch: failed('HASH_FAILURE'),
  TimestampMessageImprintMismatch: failed('HASH_FAILURE'),
  SignatureAlgorithmValidationFailed: failed('SIG_CRYPTO_FAILURE'),

  CertificateRevoked: refused('REVOKED_NO_POE'),
  CertificateExpired: refused('OUT_OF_BOUNDS_NO_POE'),
  CertificateNotYetValid: refused('OUT_OF_BOUNDS_NO_POE'),
  CertificateChainRootNotTrusted: refused('NO_CERTIFICATE_CHAIN_FOUND'),
  CertificateIssuerNotFound: refused('NO_CERTIFICATE_CHAIN_FOUND'),
  UnknownRootTrustStatus: refused('NO_CERTIFICATE_CHAIN_FOUND'),
  InvalidCertificateSignature: refused('CERTIFICATE_CHAIN_GENERAL_FAILURE'),
  CertificateIssuerInvalid: refused('CERTIFICATE_CHAIN_GENERAL_FAILURE'),
  CertificateValidationFailed: refused('CERTIFICATE_CHAIN_GENERAL_FAILURE'),
  InvalidKeyUsage: refused('CHAIN_CONSTRAINTS_FAILURE'),
  InvalidCertificationPathLen: refused('CHAIN_CONSTRAINTS_FAILURE'),
  UnauthorizedIssuer: refused('CHAIN_CONSTRAINTS_FAILURE'),
  UnauthorizedACIssuer: refused('CHAIN_CONSTRAINTS_FAILURE'),
  SigningCertificateDigestMismatch: refused('NO_SIGNING_CERTIFICATE_FOUND'),
  SignaturePolicyMismatch: refused('POLICY_PROCESSING_ERROR'),
  SigningTimeOutOfCertificateValidity: refused('SIG_CONSTRAINTS_FAILURE'),
  CompleteReferencesMismatch: refused('SIG_CONSTRAINTS_FAILURE'),
  InvalidSignatureTimestamp: refused('SIG_CONSTRAINTS_FAILURE'),
  InvalidReferencesTimestamp: refused('SIG_CONSTRAINTS_FAILURE'),
  InvalidArchiveTimestamp: refused('SIG_CONSTRAINTS_FAILURE'),
  ForbiddenSignedAttributePresent: refused('SIG_CONSTRAINTS_FAILURE'),
  ForbiddenUnsignedAttributePresent: refused('SIG_CONSTRAINTS_FAILURE'),
  UnknownSignedAttributesPresent: refused('SIG_CONSTRAINTS_FAILURE'),

  SigningCertificateNotFound: open('NO_SIGNING_CERTIFICATE_FOUND'),
  AlgorithmNotAllowed: open('CRYPTO_CONSTRAINTS_FAILURE'),
  RequiredSignedAttributeMissing: open('SIG_CONSTRAINTS_FAILURE'),
  RequiredUnsignedAttributeMissing: open('SIG_CONSTRAINTS_FAILURE'),
  UnknownUnsignedAttributesPresent: open('SIG_CONSTRAINTS_FAILURE'),
  SignatureVulnerableToSignerSubstitution: open('SIG_CONSTRAINTS_FAILURE'),
  SignatureTimestampIgnored: open('SIG_CONSTRAINTS_FAILURE'),
  UncertifiedDateReference: open('SIG_CONSTRAINTS_FAILURE'),
  UnacceptableSignaturePolicy: open('SIGNATURE_POLICY_NOT_AVAILABLE'),
  CertificateRevocationStatusUnknown: open('TRY_LATER'),
  RevocationDataIssuedBeforeGracePeriod: open('TRY_LATER'),
  InvalidCrl: open('TRY_LATER'),
  InvalidOcspResponse: open('TRY_LATER'),
  InvalidTsl: open('TRY_LATER'),

  // These are never errors. The entries complete the table.
  Success: open('GENERIC'),
  CertificateIssuerValid: open('GENERIC'),
};

/** The content of a detached signature was not given. */
export const NO_CONTENT: Meaning = open('SIGNED_DATA_NOT_FOUND');
/** An XML document holds more than its signatures cover, which fails a constraint of ours. */
export const PARTLY_COVERED: Meaning = open('SIG_CONSTRAINTS_FAILURE');
export const NO_SIGNATURE: Meaning = open('GENERIC');

/** The facts that change the meaning of a finding, beside its type. */
export type Circumstances = {
  /** Whether any trust anchor was given. Without one, an untrusted chain is undetermined and not invalid. */
  readonly hasAnchors: boolean;
  /** Whether a valid timestamp proves a time at which the certificate was judged. */
  readonly isTimeProven: boolean;
};

/** The meanings of the root causes among the errors. @example meaningsOf(results, { hasAnchors: true, isTimeProven: false }) */
export const meaningsOf = (results: ValidationResults, circumstances: Circumstances): Meaning[] =>
  causesIn(results).map((cause) => meaningOf(cause, circumstances));

type Cause = { readonly item: ValidationItem; readonly isOfAuthority: boolean };

/** The innermost errors, which explain the others. */
function causesIn({ errors }: ValidationResults, isOfAuthority = false): Cause[] {
  return errors.flatMap((item) => {
    const inner = item.innerValidationResults;
    const deeper = inner ? causesIn(inner, isOfAuthority || item.type === 'CertificateIssuerInvalid') : [];
    return deeper.length > 0 ? deeper : [{ item, isOfAuthority }];
  });
}

function meaningOf(
  { item: { type }, isOfAuthority }: Cause,
  { hasAnchors, isTimeProven }: Circumstances,
): Meaning {
  if (type === 'CertificateRevoked' && isOfAuthority) return refused('REVOKED_CA_NO_POE');
  // A timestamp does prove that the signature existed before its certificate was valid.
  if (type === 'CertificateNotYetValid' && isTimeProven) return failed('NOT_YET_VALID');
  const meaning = MEANINGS[type];
  return !hasAnchors && meaning.reason === 'NO_CERTIFICATE_CHAIN_FOUND' ? open(meaning.reason) : meaning;
}

// A missing attribute is open too, and does not prevent a check.
const PREVENTS_CHECKING: readonly Reason[] = ['CRYPTO_CONSTRAINTS_FAILURE', 'NO_SIGNING_CERTIFICATE_FOUND'];

const doesPrevent = ({ reason }: Meaning): boolean => PREVENTS_CHECKING.includes(reason);
const isUndetermined = ({ outcome }: Meaning): boolean => outcome === 'undetermined';

/** Whether nothing speaks against a signature: its errors are about what is missing or not supported. */
export const isOpen = (results: ValidationResults): boolean =>
  causesIn(results).every(({ item }) => isUndetermined(MEANINGS[item.type]));

/** The message of the error that decides. @example mainCause(results) // 'The content is not the one that was signed.' */
export const mainCause = (results: ValidationResults): string | undefined =>
  causeBy(
    results,
    ({ verdict }) => verdict === 'failed',
    (meaning) => !isUndetermined(meaning),
    doesPrevent,
  );

/** The message that says why integrity could not be checked. */
export const uncheckedCause = (results: ValidationResults): string | undefined =>
  causeBy(results, doesPrevent, isUndetermined);

/** The message of the first error that the tests find, tried in order; else of any error. */
function causeBy(
  results: ValidationResults,
  ...tests: readonly ((meaning: Meaning) => boolean)[]
): string | undefined {
  const causes = causesIn(results).map(({ item }) => item);
  const found = tests.map((test) => causes.find(({ type }) => test(MEANINGS[type])));
  return (found.find((item) => item !== undefined) ?? causes[0])?.message;
}
