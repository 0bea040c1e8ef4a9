import type { Certificate } from '../../pki/certificate/certificate.ts';
import {
  errorFinding,
  type Finding,
  passedFinding,
  warningFinding,
} from '../../pki/findings/validation-results.ts';
import { type Checks, checkSignedBy } from '../../pki/path/checks.ts';
import type { Digest } from '../digest.ts';
import { algorithmName } from './algorithm-names.ts';
import {
  algorithmsMatch,
  contentTypeMatches,
  digestMatches,
  repeatedAttributes,
  unknownAttributes,
} from './check-attributes.ts';
import { keyAndAlgorithm, signatureFindings } from './check-signature.ts';
import { broken, type Checked, holding, type Integrity, integrityOf, unchecked } from './integrity.ts';
import type { SignerInfo } from './read.ts';
import { certificatesNamed } from './signer-certificate.ts';
import { bindingOf } from './signing-certificate.ts';

/**
 * 'cades': the signer's certificate must be bound by a signed attribute. 'cms': that it is not is only told.
 * 'timestamp': an unbound token is no timestamp (RFC 3161, 2.4.1).
 */
type Profile = 'cades' | 'cms' | 'timestamp';

export type SignerContext = {
  /** Those of the signature, and any others that are at hand. */
  readonly certificates: readonly Certificate[];
  /** Undefined for a countersignature, whose content is a signature and has no type. */
  readonly contentType: string | undefined;
  /** The content's hash; undefined when it was not taken with this digest. */
  readonly contentHash: (digest: Digest) => Buffer | undefined;
  readonly profile: Profile;
  readonly checks: Checks;
};

/** Whether the signature holds together. It does not say whether its certificate is to be trusted. */
export type SignerCheck = {
  readonly intact: Integrity;
  readonly certificate: Certificate | undefined;
  readonly findings: readonly Finding[];
};

/**
 * Checks what needs no trust: the content's hash, the signature over the signed attributes, and that the certificate is
 * the signer's. A signature without signed attributes is left unchecked; see checkDirectSigner.
 */
export function checkSigner(signer: SignerInfo, context: SignerContext): SignerCheck {
  const certificate = certificateOf(signer, context.certificates);
  return signerCheck(certificate, everyCheck(signer, certificate, context));
}

export const signerCheck = (
  certificate: Certificate | undefined,
  checked: readonly Checked[],
): SignerCheck => ({
  certificate,
  intact: integrityOf(checked),
  findings: checked.map(({ finding }) => finding),
});

/** Of several by the same name, the one that the signer bound. */
export function certificateOf(
  signer: SignerInfo,
  certificates: readonly Certificate[],
): Certificate | undefined {
  const candidates = certificatesNamed(signer.id, certificates);
  return candidates.find((candidate) => bindingOf(signer.signed, candidate) === 'bound') ?? candidates[0];
}

function everyCheck(
  signer: SignerInfo,
  certificate: Certificate | undefined,
  context: SignerContext,
): Checked[] {
  const { signedDer, digest } = signer;
  if (!signedDer)
    return [
      unchecked(errorFinding('RequiredSignedAttributeMissing', 'The signature has no signed attributes.')),
    ];
  if (!digest) return [unsupportedDigest(signer)];
  const ofContent = digestMatches(signer, digest, context.contentHash(digest));
  const ofAttributes = [
    contentTypeMatches(signer, context.contentType),
    ofContent,
    ...algorithmsMatch(signer),
    ...repeatedAttributes(signer),
    ...unknownAttributes(signer),
  ];
  if (!certificate) return [...ofAttributes, CERTIFICATE_MISSING];
  return [
    ...ofAttributes,
    certificateMatches(signer, certificate, context.profile),
    ...signatureMatches(signer, signedDer, digest, certificate, ofContent.intact, context.checks),
  ];
}

export const unsupportedDigest = ({ digestOid }: SignerInfo): Checked =>
  unchecked(
    errorFinding(
      'AlgorithmNotAllowed',
      `The digest algorithm ${algorithmName(digestOid)} is not supported here: whether the content is as signed was not checked.`,
    ),
  );

export const CERTIFICATE_MISSING: Checked = unchecked(
  errorFinding(
    'SigningCertificateNotFound',
    "The signer's certificate is not in the signature: who made it was not checked.",
  ),
);

function certificateMatches({ signed }: SignerInfo, certificate: Certificate, profile: Profile): Checked {
  const binding = bindingOf(signed, certificate);
  if (binding === 'bound')
    return holding(passedFinding("The signer's certificate is bound by the signature."));
  // Certificate substitution: the same key, in the certificate of somebody else.
  if (binding === 'mismatch')
    return broken(
      errorFinding('SigningCertificateDigestMismatch', 'The signature was made for another certificate.'),
    );
  return unboundSigner(profile);
}

export function unboundSigner(profile: Profile): Checked {
  const unbound = [
    'SignatureVulnerableToSignerSubstitution',
    "No signed attribute says which certificate is the signer's.",
  ] as const;
  if (profile === 'timestamp') return broken(errorFinding(...unbound));
  return holding(profile === 'cades' ? errorFinding(...unbound) : warningFinding(...unbound));
}

function signatureMatches(
  signer: SignerInfo,
  tbs: Buffer,
  digest: Digest,
  certificate: Certificate,
  content: Integrity,
  checks: Checks,
): Checked[] {
  const usable = keyAndAlgorithm(signer, digest, certificate, content);
  if ('finding' in usable) return [usable];
  const { key, algorithm } = usable;
  const { signature } = signer;
  const outcome = checkSignedBy({ tbs, signatureAlgorithm: algorithm, signature }, key, checks);
  return signatureFindings(outcome, usable, digest, certificate, content);
}
