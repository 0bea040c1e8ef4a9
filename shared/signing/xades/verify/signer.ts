import { type KeyObject, verify } from 'node:crypto';
import {
  type Certificate,
  CertificateMalformed,
  PublicKeyUnsupported,
  parseCertificate,
} from '../../../pki/certificate.ts';
import { checkUnits, isCostly } from '../../../pki/path/key-cost.ts';
import { isForgeable } from '../../../pki/path/key-strength.ts';
import { type Finding, failed, passed, warned } from '../../../pki/validation-results.ts';
import { called } from '../../../pki/verdict-words.ts';
import { hashOf } from '../../digest.ts';
import { pairToDer } from '../ecdsa.ts';
import { spend, type Work } from '../xml/work.ts';
import type { Facts } from './facts.ts';

export type SignerCheck = {
  readonly certificate: Certificate | undefined;
  /** Every one that came with the signature: they may lie on the signer's path. */
  readonly certificates: readonly Certificate[];
  readonly findings: readonly Finding[];
};

/** Finds the signer's certificate by the digest that was signed, and checks the signature with its key. */
export function checkSigner(facts: Facts, work: Work): SignerCheck {
  const certificates = facts.evidence.certificates.flatMap(readable);
  const digests = facts.properties?.certificateDigests ?? [];
  if (digests.length === 0) return withoutBinding(facts, certificates, work);
  const certificate = certificates.find(({ der }) =>
    digests.every(({ digest, hash }) => hashOf(digest, der).equals(hash)),
  );
  if (!certificate) {
    const finding = certificates.length
      ? failed(
          'SigningCertificateDigestMismatch',
          'The signature was made for a certificate that is not in it.',
        )
      : failed('SigningCertificateNotFound', "The signer's certificate is not in the signature.");
    return { certificate, certificates, findings: [finding] };
  }
  return {
    certificate,
    certificates,
    findings: [
      passed("The signer's certificate is bound by the signature."),
      ...madeBy(facts, certificate, work),
    ],
  };
}

// Nothing signed says whose signature it is: any certificate with the same key could be put in.
function withoutBinding(facts: Facts, certificates: readonly Certificate[], work: Work): SignerCheck {
  const certificate = certificates[0];
  const finding = failed(
    'SignatureVulnerableToSignerSubstitution',
    "No signed property says which certificate is the signer's.",
  );
  return {
    certificate,
    certificates,
    findings: [finding, ...(certificate ? madeBy(facts, certificate, work) : [])],
  };
}

function madeBy(facts: Facts, certificate: Certificate, work: Work): Finding[] {
  const { key: kind, digest } = facts.method;
  const key = usableKey(certificate);
  spend(work, key ? checkUnits(key) : 0);
  if (!key || key.asymmetricKeyType !== kind || isCostly(key))
    return [
      failed(
        'AlgorithmNotAllowed',
        `The key of ${called(certificate)} cannot have made a signature of this algorithm.`,
      ),
    ];
  if (isForgeable(key))
    return [failed('AlgorithmNotAllowed', `Others than ${called(certificate)} can sign with their key.`)];
  if (!isSignedBy(key, facts))
    return [
      failed(
        'SignatureAlgorithmValidationFailed',
        `The key of ${called(certificate)} did not make this signature.`,
      ),
    ];
  return [passed(`The key of ${called(certificate)} made this signature.`), ...weaknesses(key, digest)];
}

function isSignedBy(key: KeyObject, { method, signed, value }: Facts): boolean {
  const signature = method.key === 'ec' ? pairToDer(key, value) : value;
  if (!signature) return false;
  try {
    return verify(method.digest, signed, key, signature);
  } catch {
    return false; // a key or a signature that OpenSSL will not even look at
  }
}

const FEWEST_STRONG_RSA_BITS = 2048;

function weaknesses(key: KeyObject, digest: string): Finding[] {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? FEWEST_STRONG_RSA_BITS;
  const found: Finding[] = [];
  if (digest === 'sha1')
    found.push(
      warned('AlgorithmNotAllowed', 'The signature rests on SHA-1: two contents with one hash can be made.'),
    );
  if (bits < FEWEST_STRONG_RSA_BITS)
    found.push(
      warned(
        'AlgorithmNotAllowed',
        `An RSA key of ${bits} bits is weak; ${FEWEST_STRONG_RSA_BITS} are enough.`,
      ),
    );
  return found;
}

function usableKey(certificate: Certificate): KeyObject | undefined {
  try {
    return certificate.publicKey;
  } catch (error) {
    if (error instanceof PublicKeyUnsupported) return undefined;
    throw error;
  }
}

function readable(der: Buffer): Certificate[] {
  try {
    return [parseCertificate(der)];
  } catch (error) {
    if (error instanceof CertificateMalformed) return [];
    throw error;
  }
}
