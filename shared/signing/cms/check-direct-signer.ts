import { TAG } from '../../der/tags.ts';
import type { Certificate } from '../../pki/certificate/certificate.ts';
import { errorFinding, passedFinding } from '../../pki/findings/validation-results.ts';
import { type CheckOutcome, tryChargeCheck } from '../../pki/path/checks.ts';
import { isCostly } from '../../pki/path/key-cost.ts';
import { schemeOf } from '../../pki/path/signature-schemes.ts';
import type { Digest } from '../digest.ts';
import { SigningRefused } from '../errors.ts';
import { isSignatureOfHash } from '../key-verify.ts';
import { type KeyAndAlgorithm, keyAndAlgorithm, signatureResults } from './check-signature.ts';
import {
  CERTIFICATE_MISSING,
  certificateOf,
  type SignerCheck,
  type SignerContext,
  summarizeChecks,
  unboundSignerResult,
  unsupportedDigestResult,
} from './check-signer.ts';
import { type CheckResult, intactResult, uncheckedResult } from './integrity.ts';
import { CONTENT } from './oids.ts';
import type { SignerInfo } from './read.ts';

export type DirectSignerContext = SignerContext & {
  /** The first START_BYTES bytes of the content, or all of it; undefined when the content is not available. */
  readonly contentStart: Uint8Array | undefined;
};

/**
 * The number of first bytes that show whether content could be signed attributes. The shortest attributes, a SHA-1
 * message digest alone, have 39 bytes. The SHA-1 hash that an adbe.pkcs7.sha1 signature covers has 20 and may begin alike.
 */
export const START_BYTES = 32;

/** Checks a signature without signed attributes: the key signed the content's hash itself (RFC 5652, 5.4 and 5.6). */
export async function checkDirectSigner(
  signer: SignerInfo,
  context: DirectSignerContext,
): Promise<SignerCheck> {
  const certificate = certificateOf(signer, context.certificates);
  return summarizeChecks(certificate, await runChecks(signer, certificate, context));
}

async function runChecks(
  signer: SignerInfo,
  certificate: Certificate | undefined,
  context: DirectSignerContext,
): Promise<CheckResult[]> {
  const { digest } = signer;
  if (!context.contentStart) return [notCheckedBecause('its content is not at hand')];
  // Signed-attributes confusion: an attacker drops the attributes of a good signature and presents their DER as the
  // content of one without attributes. RFC 5652, 5.4 makes both verify. The first bytes show it.
  if (mayBeAttributes(context.contentStart))
    return [notCheckedBecause('its content could be the signed attributes of another signature')];
  const allowed = checkAttributesOptional(context);
  if (!digest) return [allowed, unsupportedDigestResult(signer)];
  if (!certificate) return [allowed, CERTIFICATE_MISSING];
  return [
    allowed,
    unboundSignerResult('cms'),
    ...(await checkSignatureValue(signer, digest, certificate, context)),
  ];
}

const mayBeAttributes = (start: Uint8Array): boolean => start[0] === TAG.SET && start.length >= START_BYTES;

const notCheckedBecause = (why: string): CheckResult =>
  uncheckedResult(
    errorFinding(
      'RequiredSignedAttributeMissing',
      `The signature has no signed attributes, and ${why}: it was not checked.`,
    ),
  );

// RFC 5652, 5.3: signed attributes may be missing for id-data only. CAdES requires them (EN 319 122-1, 5.2).
const checkAttributesOptional = ({ profile, contentType }: SignerContext): CheckResult =>
  intactResult(
    profile === 'cms' && (contentType === CONTENT.data || contentType === undefined)
      ? passedFinding('The signature is over the content itself, without signed attributes.')
      : errorFinding(
          'RequiredSignedAttributeMissing',
          'The signature has no signed attributes: nothing signed says whose it is or of which type its content is.',
        ),
  );

async function checkSignatureValue(
  signer: SignerInfo,
  digest: Digest,
  certificate: Certificate,
  context: DirectSignerContext,
): Promise<CheckResult[]> {
  const hash = context.contentHash(digest);
  if (!hash)
    return [
      uncheckedResult(
        errorFinding(
          'AlgorithmNotAllowed',
          `The content's ${digest} hash, which was signed, could not be taken: whether the content is as signed was not checked.`,
        ),
      ),
    ];
  const usable = keyAndAlgorithm(signer, digest, certificate, undefined);
  if ('finding' in usable) return [usable];
  const outcome = tryChargeCheck(usable.key, context.checks)
    ? await verifyOverHash(usable, digest, hash, signer.signature)
    : 'not-checked';
  return signatureResults(outcome, usable, certificate, undefined);
}

// A hash is enough for PKCS#1 v1.5 and for the supported curves. RSA-PSS and EdDSA need the content.
async function verifyOverHash(
  { key, algorithm }: KeyAndAlgorithm,
  digest: Digest,
  hash: Buffer,
  signature: Buffer,
): Promise<CheckOutcome> {
  const kind = schemeOf(algorithm)?.kind;
  if ((kind !== 'rsa' && kind !== 'ecdsa') || isCostly(key)) return 'unsupported';
  if (key.asymmetricKeyType !== (kind === 'rsa' ? 'rsa' : 'ec')) return 'not-made';
  try {
    return (await isSignatureOfHash(key, digest, hash, signature)) ? 'made' : 'not-made';
  } catch (error) {
    if (error instanceof SigningRefused) return 'unsupported'; // a curve that does not sign here
    throw error;
  }
}
