import type {
  ValidationItem,
  ValidationItemType,
  ValidationResults,
} from '../../pki/findings/validation-results.ts';

/** What a signature or a file comes to, in the indications of EN 319 102-1 (TOTAL-PASSED, TOTAL-FAILED, INDETERMINATE). */
export const VERDICTS = ['passed', 'failed', 'indeterminate'] as const;
export type ReportVerdict = (typeof VERDICTS)[number];

/** The same in the words that the exit code of `npm run verify` follows. `valid` is exactly `passed`. */
export const OUTCOMES = ['valid', 'invalid', 'undetermined'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Why: the sub-indications of EN 319 102-1, 5.1.3, that a report can give. */
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

/** What one finding means when it is an error. */
export type Meaning = {
  readonly verdict: Exclude<ReportVerdict, 'passed'>;
  readonly reason: Reason;
  readonly outcome: Exclude<Outcome, 'valid'>;
};

const failed = (reason: Reason): Meaning => ({ verdict: 'failed', reason, outcome: 'invalid' });
/** EN 319 102-1 leaves it open; a person must not rely on the signature. */
const refused = (reason: Reason): Meaning => ({ verdict: 'indeterminate', reason, outcome: 'invalid' });
/** Something is missing, unsupported or out of reach. It says nothing against the signature. */
const open = (reason: Reason): Meaning => ({ verdict: 'indeterminate', reason, outcome: 'undetermined' });

/**
 * What every type of finding means. One table, so that the command line, the operation and the page agree.
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

  // Never errors. Should one be, nothing is known of it.
  Success: open('GENERIC'),
  CertificateIssuerValid: open('GENERIC'),
};

/** What stands where the content of a detached signature was not given. */
export const NO_CONTENT: Meaning = open('SIGNED_DATA_NOT_FOUND');
/** What stands where an XML document holds more than its signatures cover: a constraint of ours that is not met. */
export const PARTLY_COVERED: Meaning = open('SIG_CONSTRAINTS_FAILURE');
export const NO_SIGNATURE: Meaning = open('GENERIC');

/** What changes the meaning of a finding beside its type. */
export type Circumstances = {
  /** Whether any root was given to trust. Without one, nothing is held against a chain that ends at none. */
  readonly hasAnchors: boolean;
  /** Whether a good timestamp proves when the signature existed: the certificate was judged at that time. */
  readonly isTimeProven: boolean;
};

/** What each failure means that no other failure explains. @example meaningsOf(results, { hasAnchors: true, isTimeProven: false }) */
export const meaningsOf = (results: ValidationResults, circumstances: Circumstances): Meaning[] =>
  causesIn(results).map((cause) => meaningOf(cause, circumstances));

type Cause = { readonly item: ValidationItem; readonly isOfAuthority: boolean };

/** The failures that other failures rest on. */
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
  // The signature existed before its certificate did: this a timestamp does prove.
  if (type === 'CertificateNotYetValid' && isTimeProven) return failed('NOT_YET_VALID');
  const meaning = MEANINGS[type];
  return !hasAnchors && meaning.reason === 'NO_CERTIFICATE_CHAIN_FOUND' ? open(meaning.reason) : meaning;
}

// A missing attribute is open too, and yet keeps nobody from checking.
const PREVENTS_CHECKING: readonly Reason[] = ['CRYPTO_CONSTRAINTS_FAILURE', 'NO_SIGNING_CERTIFICATE_FOUND'];

const doesPrevent = ({ reason }: Meaning): boolean => PREVENTS_CHECKING.includes(reason);
const isOpen = ({ outcome }: Meaning): boolean => outcome === 'undetermined';

/** The failure that decides, in words. @example mainCause(results) // 'The content is not the one that was signed.' */
export const mainCause = (results: ValidationResults): string | undefined =>
  causeBy(
    results,
    ({ verdict }) => verdict === 'failed',
    (meaning) => !isOpen(meaning),
    doesPrevent,
  );

/** Why integrity could not be checked, in words. */
export const uncheckedCause = (results: ValidationResults): string | undefined =>
  causeBy(results, doesPrevent, isOpen);

/** The message of the first failure that the first of these tests finds, else of any. */
function causeBy(
  results: ValidationResults,
  ...tests: readonly ((meaning: Meaning) => boolean)[]
): string | undefined {
  const causes = causesIn(results).map(({ item }) => item);
  const found = tests.map((test) => causes.find(({ type }) => test(MEANINGS[type])));
  return (found.find((item) => item !== undefined) ?? causes[0])?.message;
}
