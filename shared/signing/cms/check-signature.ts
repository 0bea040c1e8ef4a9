import type { KeyObject } from 'node:crypto';
import type { AlgorithmIdentifier, Certificate } from '../../pki/certificate/certificate.ts';
import { displayName } from '../../pki/findings/display.ts';
import { errorFinding, passedFinding } from '../../pki/findings/validation-results.ts';
import type { CheckOutcome } from '../../pki/path/checks.ts';
import { isForgeable } from '../../pki/path/key-strength.ts';
import { schemeOf } from '../../pki/path/signature-schemes.ts';
import type { Digest } from '../digest.ts';
import { orUndefined } from './ber-or-der.ts';
import {
  brokenResult,
  type CheckResult,
  type Integrity,
  intactResult,
  uncheckedResult,
} from './integrity.ts';
import { algorithmName, ECDSA_WITH, RSA_WITH, SIGNATURE } from './oids.ts';
import type { SignerInfo } from './read.ts';

/** The key that must have made a signature, and the algorithm with its digest in it. */
export type KeyAndAlgorithm = { readonly key: KeyObject; readonly algorithm: AlgorithmIdentifier };

/**
 * The key and algorithm to check a signature with, or the result that says why there is none. `content` is the result
 * of the content's own check, for the message.
 */
export function keyAndAlgorithm(
  { signatureAlgorithm }: SignerInfo,
  digest: Digest,
  certificate: Certificate,
  content: Integrity,
): KeyAndAlgorithm | CheckResult {
  const who = displayName(certificate);
  const key = orUndefined(() => certificate.publicKey);
  if (!key)
    return unsupportedResult(
      `the key of ${who}, of the kind ${algorithmName(certificate.keyAlgorithm.oid)},`,
      content,
    );
  const algorithm = resolveAlgorithm(signatureAlgorithm, digest);
  if (!algorithm)
    return unsupportedResult(
      `the algorithm ${algorithmName(signatureAlgorithm.oid)} with ${digest},`,
      content,
    );
  // Key forgery: anyone can sign with such a key, for instance RSA with the exponent 1 (see key-strength.ts).
  if (isForgeable(key))
    return brokenResult(errorFinding('AlgorithmNotAllowed', `Others than ${who} can sign with their key.`));
  return { key, algorithm };
}

export function signatureResults(
  outcome: CheckOutcome,
  { algorithm }: KeyAndAlgorithm,
  certificate: Certificate,
  content: Integrity,
): CheckResult[] {
  const who = displayName(certificate);
  switch (outcome) {
    case 'made':
      return [intactResult(passedFinding(`The key of ${who} made this signature.`))];
    case 'not-made':
      return [
        brokenResult(
          errorFinding(
            'SignatureAlgorithmValidationFailed',
            `The key of ${who} did not make this signature.`,
          ),
        ),
      ];
    case 'unsupported':
      return [
        unsupportedResult(`the algorithm ${algorithmName(algorithm.oid)} with the key of ${who},`, content),
      ];
    case 'not-checked':
      return [
        uncheckedResult(
          errorFinding(
            'SignatureAlgorithmValidationFailed',
            `Whether the key of ${who} made this signature was not checked: the file asks for more checks than one may. ${describeContent(content)}`,
          ),
        ),
      ];
  }
}

const unsupportedResult = (what: string, content: Integrity): CheckResult =>
  uncheckedResult(
    errorFinding(
      'AlgorithmNotAllowed',
      `The signature uses ${what} which is not supported here: who made it was not checked. ${describeContent(content)}`,
    ),
  );

function describeContent(content: Integrity): string {
  if (content === undefined) return 'The content was not checked either.';
  return content
    ? 'The content has the hash that the signature names.'
    : 'The content does not have the hash that the signature names.';
}

const ACCEPTED = new Set(['rsa', 'rsa-pss', 'ecdsa', 'eddsa']);

/**
 * The algorithm with its digest, as X.509 names it. CMS may name only the kind of key and leave the digest to the
 * SignerInfo. Algorithm substitution (RFC 8933, 3): a signature algorithm for another digest than the SignerInfo's is not
 * accepted. EdDSA has a digest of its own and signs the attributes directly (RFC 8419).
 */
function resolveAlgorithm(algorithm: AlgorithmIdentifier, digest: Digest): AlgorithmIdentifier | undefined {
  const named = { ...algorithm, oid: withDigest(algorithm.oid, digest) };
  const scheme = orUndefined(() => schemeOf(named));
  return scheme && ACCEPTED.has(scheme.kind) && (scheme.kind === 'eddsa' || scheme.digest === digest)
    ? named
    : undefined;
}

function withDigest(oid: string, digest: Digest): string {
  if (oid === SIGNATURE.rsa) return RSA_WITH[digest];
  if (oid === SIGNATURE.ecPublicKey) return ECDSA_WITH[digest];
  return oid;
}
