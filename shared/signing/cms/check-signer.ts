import type { Certificate } from '../../pki/certificate/certificate.ts';
import { errorFinding, passedFinding, warningFinding } from '../../pki/findings/validation-results.ts';
import { type Checks, checkSignedBy } from '../../pki/path/checks.ts';
import type { Digest } from '../digest.ts';
import {
  checkAlgorithmProtection,
  checkContentType,
  checkMessageDigest,
  checkSingleAttributes,
  checkUnknownAttributes,
} from './check-attributes.ts';
import { keyAndAlgorithm, signatureResults } from './check-signature.ts';
import {
  brokenResult,
  type CheckResult,
  type CheckSummary,
  type Integrity,
  intactResult,
  integrityOf,
  uncheckedResult,
} from './integrity.ts';
import { algorithmName } from './oids.ts';
import type { SignerInfo } from './read.ts';
import { bindingOf, findCertificates } from './signer-certificate.ts';

/**
 * 'cades': a signed attribute must bind the signer's certificate (EN 319 122-1, 5.2.2). 'cms': a missing binding is a
 * warning. 'timestamp': a token without it is no timestamp (RFC 3161, 2.4.2).
 */
type Profile = 'cades' | 'cms' | 'timestamp';

export type SignerContext = {
  /** The certificates of the signature, and others that are known. */
  readonly certificates: readonly Certificate[];
  /** Undefined for a countersignature, whose content is a signature and has no type. */
  readonly contentType: string | undefined;
  /** The content's hash; undefined when it was not computed with this digest. */
  readonly contentHash: (digest: Digest) => Buffer | undefined;
  readonly profile: Profile;
  readonly checks: Checks;
};

/** The integrity of a signature. It says nothing about trust in its certificate. */
export type SignerCheck = CheckSummary & { readonly certificate: Certificate | undefined };

/**
 * RFC 5652, 5.6, without trust: checks the message digest, the signature over the signed attributes, and the binding of
 * the certificate. A signature without signed attributes stays unchecked here; see checkDirectSigner.
 */
export function checkSigner(signer: SignerInfo, context: SignerContext): SignerCheck {
  const certificate = certificateOf(signer, context.certificates);
  return summarizeChecks(certificate, runChecks(signer, certificate, context));
}

export const summarizeChecks = (
  certificate: Certificate | undefined,
  checked: readonly CheckResult[],
): SignerCheck => ({
  certificate,
  intact: integrityOf(checked),
  findings: checked.map(({ finding }) => finding),
});

/**
 * The signer's certificate. Signer substitution: anyone can add a certificate of the same issuer and serial number, so
 * the one that the signer bound (RFC 5035) comes first.
 */
export function certificateOf(
  signer: SignerInfo,
  certificates: readonly Certificate[],
): Certificate | undefined {
  const candidates = findCertificates(signer.id, certificates);
  return candidates.find((candidate) => bindingOf(signer.signed, candidate) === 'bound') ?? candidates[0];
}

function runChecks(
  signer: SignerInfo,
  certificate: Certificate | undefined,
  context: SignerContext,
): CheckResult[] {
  const { signedDer, digest } = signer;
  if (!signedDer)
    return [
      uncheckedResult(
        errorFinding('RequiredSignedAttributeMissing', 'The signature has no signed attributes.'),
      ),
    ];
  if (!digest) return [unsupportedDigestResult(signer)];
  const ofContent = checkMessageDigest(signer, digest, context.contentHash(digest));
  const ofAttributes = [
    checkContentType(signer, context.contentType),
    ofContent,
    ...checkAlgorithmProtection(signer),
    ...checkSingleAttributes(signer),
    ...checkUnknownAttributes(signer),
  ];
  if (!certificate) return [...ofAttributes, CERTIFICATE_MISSING];
  return [
    ...ofAttributes,
    checkSigningCertificate(signer, certificate, context.profile),
    ...checkSignatureValue(signer, signedDer, digest, certificate, ofContent.intact, context.checks),
  ];
}

export const unsupportedDigestResult = ({ digestOid }: SignerInfo): CheckResult =>
  uncheckedResult(
    errorFinding(
      'AlgorithmNotAllowed',
      `The digest algorithm ${algorithmName(digestOid)} is not supported here: whether the content is as signed was not checked.`,
    ),
  );

export const CERTIFICATE_MISSING: CheckResult = uncheckedResult(
  errorFinding(
    'SigningCertificateNotFound',
    "The signer's certificate is not in the signature: who made it was not checked.",
  ),
);

function checkSigningCertificate(
  { signed }: SignerInfo,
  certificate: Certificate,
  profile: Profile,
): CheckResult {
  const binding = bindingOf(signed, certificate);
  if (binding === 'bound')
    return intactResult(passedFinding("The signer's certificate is bound by the signature."));
  // Signer substitution (RFC 5035): the signer's key, in a certificate that the signer did not bind.
  if (binding === 'mismatch')
    return brokenResult(
      errorFinding('SigningCertificateDigestMismatch', 'The signature was made for another certificate.'),
    );
  return unboundSignerResult(profile);
}

export function unboundSignerResult(profile: Profile): CheckResult {
  const unbound = [
    'SignatureVulnerableToSignerSubstitution',
    "No signed attribute says which certificate is the signer's.",
  ] as const;
  if (profile === 'timestamp') return brokenResult(errorFinding(...unbound));
  return intactResult(profile === 'cades' ? errorFinding(...unbound) : warningFinding(...unbound));
}

function checkSignatureValue(
  signer: SignerInfo,
  tbs: Buffer,
  digest: Digest,
  certificate: Certificate,
  content: Integrity,
  checks: Checks,
): CheckResult[] {
  const usable = keyAndAlgorithm(signer, digest, certificate, content);
  if ('finding' in usable) return [usable];
  const { key, algorithm } = usable;
  const { signature } = signer;
  const outcome = checkSignedBy({ tbs, signatureAlgorithm: algorithm, signature }, key, checks);
  return signatureResults(outcome, usable, certificate, content);
}
