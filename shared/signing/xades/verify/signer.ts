import { constants, type KeyObject, verify } from 'node:crypto';
import { type Budget, chargeTime } from '../../../bounds/budget.ts';
import { integer, sequence } from '../../../der/write.ts';
import { unlessThrown } from '../../../errors/expected.ts';
import {
  type Certificate,
  CertificateMalformed,
  PublicKeyUnsupported,
  parseCertificate,
} from '../../../pki/certificate/certificate.ts';
import { displayName } from '../../../pki/findings/display.ts';
import { errorFinding, passedFinding } from '../../../pki/findings/validation-results.ts';
import { checkUnits, isCostly } from '../../../pki/path/key-cost.ts';
import { isForgeable } from '../../../pki/path/key-strength.ts';
import type { CheckSummary } from '../../cms/integrity.ts';
import { hashOf } from '../../digest.ts';
import type { SignatureMethod } from '../algorithms.ts';

import type { SignatureFacts } from './facts.ts';

export type SignerCheck = CheckSummary & {
  readonly certificate: Certificate | undefined;
  /** All the certificates in the signature. They may lie on the signer's path. */
  readonly certificates: readonly Certificate[];
};

/**
 * Finds the signer's certificate by its signed digest (EN 319 132-1, 5.2.2), and checks the signature value with its key.
 * Signer substitution: KeyInfo is unsigned, so the order and number of its certificates prove nothing.
 */
export function checkSigner(facts: SignatureFacts, budget: Budget): SignerCheck {
  const certificates = facts.evidence.certificates.flatMap(readCertificate);
  if (certificates.length === 0)
    return {
      ...{ certificate: undefined, certificates, intact: undefined },
      findings: [
        errorFinding('SigningCertificateNotFound', "The signer's certificate is not in the signature."),
      ],
    };
  const digests = facts.properties?.certificateDigests ?? [];
  if (digests.length === 0) return checkUnboundSigner(facts, certificates, budget);
  const certificate = certificates.find(({ der }) =>
    digests.every(({ digest, hash }) => hashOf(digest, der).equals(hash)),
  );
  if (!certificate) return checkWithoutSigner(facts, certificates, budget);
  const bound = passedFinding("The signer's certificate is bound by the signature.");
  const { intact, findings } = checkSignatureValue(facts, certificate, budget);
  return { certificate, certificates, intact, findings: [bound, ...findings] };
}

// Signer substitution: the certificate that the signer bound was replaced by another one of the same key. Where no key
// made the signature, the signer's certificate is only absent, and nothing was checked.
function checkWithoutSigner(
  facts: SignatureFacts,
  certificates: readonly Certificate[],
  budget: Budget,
): SignerCheck {
  const isReplaced = certificates.some((one) => checkSignatureValue(facts, one, budget).intact);
  return {
    ...{ certificate: undefined, certificates, intact: undefined },
    findings: [
      isReplaced
        ? errorFinding(
            'SigningCertificateDigestMismatch',
            'The signature was made for a certificate that is not in it, and another one of the same key is.',
          )
        : errorFinding('SigningCertificateNotFound', "The signer's certificate is not in the signature."),
    ],
  };
}

// Signer substitution: without a signed digest, anyone can put in another certificate with the same key. The finding
// says so. The key that signed is still found, among certificates in any order.
function checkUnboundSigner(
  facts: SignatureFacts,
  certificates: readonly Certificate[],
  budget: Budget,
): SignerCheck {
  const unsupported = facts.properties?.unsupportedBinding;
  const unbound = unsupported
    ? errorFinding(unsupported.type, unsupported.message)
    : errorFinding(
        'SignatureVulnerableToSignerSubstitution',
        "No signed property says which certificate is the signer's.",
      );
  let found: (CheckSummary & { readonly certificate: Certificate }) | undefined;
  for (const certificate of certificates) {
    const check = checkSignatureValue(facts, certificate, budget);
    // A key that could not be tried may be the signer's, so 'undefined' outweighs 'false' here.
    if (!found || check.intact || (check.intact === undefined && found.intact === false))
      found = { certificate, ...check };
    if (check.intact) break;
  }
  return {
    ...{ certificate: found?.certificate, certificates, intact: found?.intact },
    findings: [unbound, ...(found?.findings ?? [])],
  };
}

function checkSignatureValue(facts: SignatureFacts, certificate: Certificate, budget: Budget): CheckSummary {
  const { method, signed } = facts;
  if (!method || !signed) return { intact: undefined, findings: [] }; // readClaim has reported why
  const key = usableKey(certificate);
  chargeTime(budget, key ? (key.asymmetricKeyType === 'ec' ? ECDSA_TRIES : 1) * checkUnits(key) : 0);
  const unsupported = (message: string): CheckSummary => ({
    intact: undefined,
    findings: [errorFinding('AlgorithmNotAllowed', message)],
  });
  if (!key || isCostly(key))
    return unsupported(
      `The key of ${displayName(certificate)} is of a kind or size that is not supported: the signature was not checked.`,
    );
  // Algorithm confusion: the method must be of the key's own kind.
  if (!KEY_TYPES[method.key].includes(key.asymmetricKeyType ?? ''))
    return {
      intact: false,
      findings: [
        errorFinding(
          'AlgorithmNotAllowed',
          `The key of ${displayName(certificate)} cannot have made a signature of this algorithm.`,
        ),
      ],
    };
  if (isForgeable(key))
    return unsupported(`Others than ${displayName(certificate)} can sign with their key.`);
  if (!isSignedBy(key, method, signed, facts.value))
    return {
      intact: false,
      findings: [
        errorFinding(
          'SignatureAlgorithmValidationFailed',
          `The key of ${displayName(certificate)} did not make this signature.`,
        ),
      ],
    };
  return {
    intact: true,
    findings: [passedFinding(`The key of ${displayName(certificate)} made this signature.`)],
  };
}

// OpenSSL itself refuses PKCS#1 v1.5 with a key that is for RSA-PSS alone.
const KEY_TYPES: Readonly<Record<SignatureMethod['key'], readonly string[]>> = {
  rsa: ['rsa', 'rsa-pss'],
  ec: ['ec'],
  ed25519: ['ed25519'],
  ed448: ['ed448'],
};

function isSignedBy(
  key: KeyObject,
  { digest, saltBytes }: SignatureMethod,
  signed: Buffer,
  value: Buffer,
): boolean {
  const padding =
    saltBytes === undefined
      ? { padding: constants.RSA_PKCS1_PADDING }
      : { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: saltBytes };
  const isBy = (dsaEncoding: 'ieee-p1363' | 'der', written: Buffer): boolean => {
    try {
      return verify(digest ?? null, signed, { key, dsaEncoding, ...padding }, written);
    } catch {
      return false; // OpenSSL throws for a key or signature that it cannot use
    }
  };
  // XML Signature, 6.4.3: ECDSA's r and s side by side, each as long as the curve's order.
  if (isBy('ieee-p1363', value)) return true;
  return key.asymmetricKeyType === 'ec' && OTHER_ECDSA.some((read) => isBy('der', read(value)));
}

// ECDSA values of other signers: the ECDSA-Sig-Value of RFC 3279, and two halves of another length than the curve's, as
// Java wrote them without their leading zeros, or with one too many.
const OTHER_ECDSA: readonly ((value: Buffer) => Buffer)[] = [
  (value) => value,
  (value) =>
    sequence(
      integer(value.subarray(0, Math.floor(value.length / 2))),
      integer(value.subarray(Math.floor(value.length / 2))),
    ),
];
const ECDSA_TRIES = 1 + OTHER_ECDSA.length;

function usableKey(certificate: Certificate): KeyObject | undefined {
  return unlessThrown(PublicKeyUnsupported, () => certificate.publicKey);
}

function readCertificate(der: Buffer): Certificate[] {
  try {
    return [parseCertificate(der)];
  } catch (error) {
    if (error instanceof CertificateMalformed) return [];
    throw error;
  }
}
