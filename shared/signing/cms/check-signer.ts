import type { KeyObject } from 'node:crypto';
import type { Certificate } from '../../pki/certificate.ts';
import { type Checks, isChecked } from '../../pki/path/checks.ts';
import { isForgeable } from '../../pki/path/key-strength.ts';
import { type Finding, failed, passed, warned } from '../../pki/validation-results.ts';
import { called } from '../../pki/verdict-words.ts';
import type { Digest } from '../digest.ts';
import { orUndefined } from './ber-or-der.ts';
import { algorithmsMatch, contentTypeMatches, digestMatches, unknownAttributes } from './check-attributes.ts';
import type { SignerInfo } from './read.ts';
import { namedAlgorithm } from './signature-algorithm.ts';
import { certificatesNamed } from './signer-certificate.ts';
import { bindingOf } from './signing-certificate.ts';

export type SignerContext = {
  /** Those of the signature, and any others that are at hand. */
  readonly certificates: readonly Certificate[];
  readonly contentType: string;
  /** The content's hash; undefined when it was not taken with this digest. */
  readonly contentHash: (digest: Digest) => Buffer | undefined;
  /** 'cades': the signer's certificate must be bound by a signed attribute. 'cms': that it is not is only told. */
  readonly profile: 'cades' | 'cms';
  readonly checks: Checks;
};

/** Whether the signature holds together. It does not say whether its certificate is to be trusted. */
export type SignerCheck = {
  readonly intact: boolean | undefined;
  readonly certificate: Certificate | undefined;
  readonly findings: readonly Finding[];
};

/** Checks what needs no trust: the content's hash, the signature, and that the certificate is the signer's. */
export function checkSigner(signer: SignerInfo, context: SignerContext): SignerCheck {
  const certificate = certificateOf(signer, context.certificates);
  const findings = everyFinding(signer, certificate, context);
  return { intact: findings.every(({ outcome }) => outcome !== 'errors'), certificate, findings };
}

// Of several by the same name, the one that the signer bound.
function certificateOf(signer: SignerInfo, certificates: readonly Certificate[]): Certificate | undefined {
  const candidates = certificatesNamed(signer.id, certificates);
  return candidates.find((candidate) => bindingOf(signer.signed, candidate) === 'bound') ?? candidates[0];
}

function everyFinding(
  signer: SignerInfo,
  certificate: Certificate | undefined,
  context: SignerContext,
): Finding[] {
  const { signedDer, digest } = signer;
  // Without them, bytes that once were signed attributes could be passed off as signed content.
  if (!signedDer)
    return [failed('RequiredSignedAttributeMissing', 'The signature has no signed attributes.')];
  if (!digest)
    return [failed('AlgorithmNotAllowed', `The digest algorithm ${signer.digestOid} is not accepted.`)];
  const ofContent = [
    contentTypeMatches(signer, context.contentType),
    digestMatches(signer, digest, context.contentHash(digest)),
    ...algorithmsMatch(signer),
    ...unknownAttributes(signer),
  ];
  if (!certificate)
    return [
      ...ofContent,
      failed('SigningCertificateNotFound', "The signer's certificate is not in the signature."),
    ];
  return [
    ...ofContent,
    certificateMatches(signer, certificate, context.profile),
    ...signatureMatches(signer, signedDer, digest, certificate, context.checks),
  ];
}

function certificateMatches(
  { signed }: SignerInfo,
  certificate: Certificate,
  profile: SignerContext['profile'],
): Finding {
  const binding = bindingOf(signed, certificate);
  if (binding === 'bound') return passed("The signer's certificate is bound by the signature.");
  if (binding === 'mismatch')
    return failed('SigningCertificateDigestMismatch', 'The signature was made for another certificate.');
  const tell = profile === 'cades' ? failed : warned;
  return tell(
    'SignatureVulnerableToSignerSubstitution',
    "No signed attribute says which certificate is the signer's.",
  );
}

function signatureMatches(
  { signatureAlgorithm, signature }: SignerInfo,
  tbs: Buffer,
  digest: Digest,
  certificate: Certificate,
  checks: Checks,
): Finding[] {
  const key = orUndefined(() => certificate.publicKey);
  const algorithm = namedAlgorithm(signatureAlgorithm, digest);
  if (!key || !algorithm)
    return [
      failed(
        'AlgorithmNotAllowed',
        `The signature algorithm ${signatureAlgorithm.oid} is not accepted with ${digest} and the key of ${called(certificate)}.`,
      ),
    ];
  if (isForgeable(key))
    return [failed('AlgorithmNotAllowed', `Others than ${called(certificate)} can sign with their key.`)];
  return isChecked({ tbs, signatureAlgorithm: algorithm, signature }, key, checks)
    ? [passed(`The key of ${called(certificate)} made this signature.`), ...weaknesses(key, digest)]
    : [
        failed(
          'SignatureAlgorithmValidationFailed',
          `The key of ${called(certificate)} did not make this signature.`,
        ),
      ];
}

const FEWEST_STRONG_RSA_BITS = 2048;

function weaknesses(key: KeyObject, digest: Digest): Finding[] {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? FEWEST_STRONG_RSA_BITS;
  return [
    ...(digest === 'sha1'
      ? [
          warned(
            'AlgorithmNotAllowed',
            'The signature rests on SHA-1: two contents with one hash can be made.',
          ),
        ]
      : []),
    ...(bits < FEWEST_STRONG_RSA_BITS
      ? [
          warned(
            'AlgorithmNotAllowed',
            `An RSA key of ${bits} bits is weak; ${FEWEST_STRONG_RSA_BITS} are enough.`,
          ),
        ]
      : []),
  ];
}
