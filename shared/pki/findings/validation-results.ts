/** Every type of check that a validation tells of, by its established name. */
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
  /** A sentence for a person: what was checked, of what, and how it came out. */
  readonly message: string;
  readonly detail?: string;
  readonly innerValidationResults?: ValidationResults;
};

/** What was checked, with what each check rests on below it. Nothing in `errors` means valid. */
export type ValidationResults = {
  readonly passedChecks: readonly ValidationItem[];
  readonly errors: readonly ValidationItem[];
  readonly warnings: readonly ValidationItem[];
};

type Outcome = keyof ValidationResults;

/** One check and how it came out. */
export type Finding = ValidationItem & { readonly outcome: Outcome };

type Details = Pick<ValidationItem, 'detail' | 'innerValidationResults'>;

/** @example passed('The certificate is in its validity.') */
export const passedFinding = (message: string, more: Details = {}): Finding => ({
  outcome: 'passedChecks',
  type: 'Success',
  message,
  ...more,
});

/** @example failed('CertificateExpired', 'The certificate expired on 2025-01-31.') */
export const errorFinding = (type: ValidationItemType, message: string, more: Details = {}): Finding => ({
  outcome: 'errors',
  type,
  message,
  ...more,
});

/** Something that a person should know and that is no failure. */
export const warningFinding = (type: ValidationItemType, message: string, more: Details = {}): Finding => ({
  outcome: 'warnings',
  type,
  message,
  ...more,
});

/** @example const results = resultsOf([passed('…'), failed('CertificateExpired', '…')]); */
export function resultsOf(findings: readonly Finding[]): ValidationResults {
  const results: Record<Outcome, ValidationItem[]> = { passedChecks: [], errors: [], warnings: [] };
  for (const { outcome, ...item } of findings) results[outcome].push(item);
  return results;
}

/** Whether nothing failed. @example if (!isValid(results)) … */
export const isValid = ({ errors }: ValidationResults): boolean => errors.length === 0;

/** Every failure, those that others rest on included, from the outside in. @example everyError(results)[0]?.message */
export const allErrors = ({ errors }: ValidationResults): ValidationItem[] =>
  errors.flatMap((item) => [
    item,
    ...(item.innerValidationResults ? allErrors(item.innerValidationResults) : []),
  ]);
