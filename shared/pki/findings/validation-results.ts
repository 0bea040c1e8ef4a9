/** The types of validation checks. The specification gives the names. */
export const VALIDATION_ITEM_TYPES = [
  'Success',
  'CertificateNotYetValid',
  'CertificateExpired',
  'CertificateRevoked',
  'CertificateIssuerNotFound',
  'CertificateRevocationStatusUnknown',
  'CertificateChainRootNotTrusted',
  'InvalidCertificateSignature',
  'DecodeError',
  'RequiredSignedAttributeMissing',
  'ForbiddenSignedAttributePresent',
  'RequiredUnsignedAttributeMissing',
  'ForbiddenUnsignedAttributePresent',
  'ContentTypeMismatch',
  'MessageDigestMismatch',
  'SigningCertificateDigestMismatch',
  'SignatureAlgorithmValidationFailed',
  'RevocationDataIssuedBeforeGracePeriod',
  'UncertifiedDateReference',
  'SignaturePolicyMismatch',
  'SigningTimeOutOfCertificateValidity',
  'UnknownSignedAttributesPresent',
  'UnknownUnsignedAttributesPresent',
  'TimestampWithMoreThanOneSigner',
  'TimestampMessageImprintMismatch',
  'TimestampValidationException',
  'CompleteReferencesMismatch',
  'InvalidSignatureTimestamp',
  'InvalidReferencesTimestamp',
  'InvalidArchiveTimestamp',
  'InvalidKeyUsage',
  'InvalidOcspResponse',
  'UnauthorizedIssuer',
  'UnknownRootTrustStatus',
  'InvalidTsl',
  'InvalidCrl',
  'CertificateIssuerValid',
  'CertificateIssuerInvalid',
  'CertificateValidationFailed',
  'SignatureVulnerableToSignerSubstitution',
  'InvalidXmlSignatureSchema',
  'XmlDSigCoreValidationFailed',
  'SignatureTimestampIgnored',
  'InvalidCertificationPathLen',
  'SigningCertificateNotFound',
  'UnauthorizedACIssuer',
  'AlgorithmNotAllowed',
  'UnacceptableSignaturePolicy',
] as const;

export type ValidationItemType = (typeof VALIDATION_ITEM_TYPES)[number];

export type ValidationItem = {
  readonly type: ValidationItemType;
  /** A sentence for a person: the check, its object and its result. */
  readonly message: string;
  readonly detail: string | null;
  readonly innerValidationResults: ValidationResults | null;
};

/** The results of checks, each with the inner results that it depends on. No `errors` means valid. */
export type ValidationResults = {
  readonly passedChecks: readonly ValidationItem[];
  readonly errors: readonly ValidationItem[];
  readonly warnings: readonly ValidationItem[];
};

type Outcome = keyof ValidationResults;

/** One check and its result. */
export type Finding = ValidationItem & { readonly outcome: Outcome };

type Details = Partial<Pick<ValidationItem, 'detail' | 'innerValidationResults'>>;

// Empty fields are null: clients read them without asking whether they are there.
const NO_DETAILS = { detail: null, innerValidationResults: null };

/** @example passedFinding('The certificate is in its validity.') */
export const passedFinding = (message: string, more: Details = {}): Finding => ({
  outcome: 'passedChecks',
  type: 'Success',
  message,
  ...NO_DETAILS,
  ...more,
});

/** @example errorFinding('CertificateExpired', 'The certificate expired on 2025-01-31.') */
export const errorFinding = (type: ValidationItemType, message: string, more: Details = {}): Finding => ({
  outcome: 'errors',
  type,
  message,
  ...NO_DETAILS,
  ...more,
});

/** A finding that a person should know and that is not a failure. */
export const warningFinding = (type: ValidationItemType, message: string, more: Details = {}): Finding => ({
  outcome: 'warnings',
  type,
  message,
  ...NO_DETAILS,
  ...more,
});

/** @example const results = resultsOf([passedFinding('…'), errorFinding('CertificateExpired', '…')]); */
export function resultsOf(findings: readonly Finding[]): ValidationResults {
  const results: Record<Outcome, ValidationItem[]> = { passedChecks: [], errors: [], warnings: [] };
  for (const { outcome, ...item } of findings) results[outcome].push(item);
  return results;
}

/** Whether there are no errors. @example if (!isValid(results)) … */
export const isValid = ({ errors }: ValidationResults): boolean => errors.length === 0;

/** All errors, inner ones included, outer ones first. @example allErrors(results)[0]?.message */
export const allErrors = ({ errors }: ValidationResults): ValidationItem[] =>
  errors.flatMap((item) => [
    item,
    ...(item.innerValidationResults ? allErrors(item.innerValidationResults) : []),
  ]);
