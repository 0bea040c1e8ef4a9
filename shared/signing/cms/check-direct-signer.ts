import { TAG } from '../../der/tags.ts';
import type { Certificate } from '../../pki/certificate/certificate.ts';
import { errorFinding, passedFinding } from '../../pki/findings/validation-results.ts';
import { type CheckOutcome, tryChargeCheck } from '../../pki/path/checks.ts';
import { isCostly } from '../../pki/path/key-cost.ts';
import { schemeOf } from '../../pki/path/signature-schemes.ts';
import type { Digest } from '../digest.ts';
import { SigningRefused } from '../errors.ts';
import { isSignatureOfHash } from '../key-verify.ts';
import { type KeyAndAlgorithm, keyAndAlgorithm, signatureFindings } from './check-signature.ts';
import {
  CERTIFICATE_MISSING,
  certificateOf,
  type SignerCheck,
  type SignerContext,
  signerCheck,
  unboundSigner,
  unsupportedDigest,
} from './check-signer.ts';
import { type Checked, holding, unchecked } from './integrity.ts';
import { CONTENT } from './oids.ts';
import type { SignerInfo } from './read.ts';

export type DirectSignerContext = SignerContext & {
  /** The content's first bytes, as many as START_BYTES of them; undefined when they are not at hand. */
  readonly contentStart: Uint8Array | undefined;
};

/**
 * How much of the content tells whether it could be signed attributes. The shortest, a message digest by SHA-1 alone,
 * take 39 bytes; the hash that an adbe.pkcs7.sha1 signature is over takes 20, and may begin like them.
 */
export const START_BYTES = 32;

/** Checks a signature that has no signed attributes: its key signed the content's hash itself (RFC 5652, 5.4). */
export async function checkDirectSigner(
  signer: SignerInfo,
  context: DirectSignerContext,
): Promise<SignerCheck> {
  const certificate = certificateOf(signer, context.certificates);
  return signerCheck(certificate, await everyCheck(signer, certificate, context));
}

async function everyCheck(
  signer: SignerInfo,
  certificate: Certificate | undefined,
  context: DirectSignerContext,
): Promise<Checked[]> {
  const { digest } = signer;
  if (!context.contentStart) return [notChecked('its content is not at hand')];
  // Attribute confusion: the signed attributes of one signature, passed off as the content of another that has none.
  if (mayBeAttributes(context.contentStart))
    return [notChecked('its content could be the signed attributes of another signature')];
  const allowed = attributesMayBeMissing(context);
  if (!digest) return [allowed, unsupportedDigest(signer)];
  if (!certificate) return [allowed, CERTIFICATE_MISSING];
  return [allowed, unboundSigner('cms'), ...(await signatureMatches(signer, digest, certificate, context))];
}

const mayBeAttributes = (start: Uint8Array): boolean => start[0] === TAG.SET && start.length >= START_BYTES;

const notChecked = (why: string): Checked =>
  unchecked(
    errorFinding(
      'RequiredSignedAttributeMissing',
      `The signature has no signed attributes, and ${why}: it was not checked.`,
    ),
  );

// RFC 5652, 5.3: they may be missing from plain data alone. CAdES always has them.
const attributesMayBeMissing = ({ profile, contentType }: SignerContext): Checked =>
  holding(
    profile === 'cms' && (contentType === CONTENT.data || contentType === undefined)
      ? passedFinding('The signature is over the content itself, without signed attributes.')
      : errorFinding(
          'RequiredSignedAttributeMissing',
          'The signature has no signed attributes: nothing signed says whose it is or of which type its content is.',
        ),
  );

async function signatureMatches(
  signer: SignerInfo,
  digest: Digest,
  certificate: Certificate,
  context: DirectSignerContext,
): Promise<Checked[]> {
  const hash = context.contentHash(digest);
  if (!hash)
    return [
      unchecked(
        errorFinding(
          'MessageDigestMismatch',
          `The content's ${digest} hash, which was signed, could not be taken.`,
        ),
      ),
    ];
  const usable = keyAndAlgorithm(signer, digest, certificate, undefined);
  if ('finding' in usable) return [usable];
  const outcome = tryChargeCheck(usable.key, context.checks)
    ? await outcomeOverHash(usable, digest, hash, signer.signature)
    : 'not-checked';
  return signatureFindings(outcome, usable, digest, certificate, undefined);
}

// A hash alone is enough for PKCS#1 v1.5 and for the curves that sign here. RSA-PSS and EdDSA take the content.
async function outcomeOverHash(
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
