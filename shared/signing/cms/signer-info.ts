import { verify } from 'node:crypto';
import { context } from '../../der/tags.ts';
import { explicit, integer, NULL, octetString, oid, retag, sequence, setOf, time } from '../../der/write.ts';
import { type Certificate, parseCertificate } from '../../pki/certificate/certificate.ts';
import { checkHash, digestAlgorithm, hashOf, type SigningDigest } from '../digest.ts';
import { SignatureMismatch, SigningRefused } from '../errors.ts';
import { checkKey } from '../key.ts';
import { ATTRIBUTE, ECDSA_WITH, SIGNATURE } from './oids.ts';
import { policyIdentifier, type SignaturePolicy } from './policy.ts';

/** The state between preparing and completing, as JSON of a few kilobytes. Bytes are Base64. */
export type SignerState = {
  readonly digest: SigningDigest;
  readonly contentType: string;
  readonly certificate: string;
  readonly signedAttributes: string;
};

/** `hash` is the digest of `toSign`. A key signs one or the other. */
export type Prepared<State> = {
  readonly digest: SigningDigest;
  readonly hash: Buffer;
  readonly toSign: Buffer;
  readonly state: State;
};

export type SignerInput = SignedContent & { readonly digest: SigningDigest };

const ALLOWED = new Set<string>(['sha256', 'sha384', 'sha512']);

/**
 * The first step: prepares the exact bytes, and their hash, that the certificate's key must sign (RFC 5652, 5.4).
 * @example const { hash, state } = prepareSignerInfo({ certificate, digest: 'sha256', contentDigest, contentType: CONTENT.data });
 */
export function prepareSignerInfo(input: SignerInput): Prepared<SignerState> {
  const { certificate, digest, contentDigest, contentType } = input;
  if (!ALLOWED.has(digest))
    throw new SigningRefused(
      'digest-not-allowed',
      `${digest} makes no new signatures: use SHA-256 or longer.`,
    );
  checkKey(certificate.publicKey);
  checkHash(digest, contentDigest);
  const toSign = signedAttributes(input);
  const state = {
    digest,
    contentType,
    certificate: certificate.der.toString('base64'),
    signedAttributes: toSign.toString('base64'),
  };
  lastSigner = { text: state.certificate, certificate };
  return { digest, hash: hashOf(digest, toSign), toSign, state };
}

/**
 * Refuses a signature that the certificate's key did not make over the prepared bytes; answers that certificate.
 * Call it before a timestamp over the signature is requested. @example checkSignature(state, signature);
 */
export function checkSignature(state: SignerState, signature: Buffer): Certificate {
  const certificate = signerOf(state);
  if (!verify(state.digest, fromBase64(state.signedAttributes), certificate.publicKey, signature))
    throw new SignatureMismatch(
      `The signature does not come from the key of ${certificate.subject.text}, or is over something else. Nothing was written.`,
    );
  return certificate;
}

// A cache of one: both steps mostly run in one process, and parsing a key takes longer than using it.
let lastSigner: { readonly text: string; readonly certificate: Certificate } | undefined;

function signerOf({ certificate: text }: SignerState): Certificate {
  if (lastSigner?.text !== text) lastSigner = { text, certificate: parseCertificate(fromBase64(text)) };
  return lastSigner.certificate;
}

const fromBase64 = (text: string): Buffer => Buffer.from(text, 'base64');

/** The second step: writes the SignerInfo (RFC 5652, 5.3) around a signature, which is checked first. */
export function completeSignerInfo(state: SignerState, signature: Buffer, timestampToken?: Buffer): Buffer {
  const { issuer, serialDer, publicKey } = checkSignature(state, signature);
  const version = integer(1); // 1: the signer is named by issuer and serial number
  return sequence(
    version,
    sequence(issuer.der, serialDer),
    digestAlgorithm(state.digest),
    retag(context(0), fromBase64(state.signedAttributes)),
    publicKey.asymmetricKeyType === 'ec'
      ? sequence(oid(ECDSA_WITH[state.digest]))
      : sequence(oid(SIGNATURE.rsa), NULL),
    octetString(signature),
    ...(timestampToken ? [explicit(1, attribute(ATTRIBUTE.signatureTimestamp, timestampToken))] : []),
  );
}

export const attribute = (type: string, ...values: Buffer[]): Buffer => sequence(oid(type), setOf(...values));

export type SignedContent = {
  readonly contentType: string;
  readonly contentDigest: Buffer;
  readonly certificate: Certificate;
  /** Left out in PDF signatures, whose dictionary has the time. */
  readonly signingTimeMs?: number | undefined;
  readonly policy?: SignaturePolicy | undefined;
};

/** The signed attributes (RFC 5652, 11; EN 319 122-1, 5.2) as the SET OF that is signed. */
export function signedAttributes(content: SignedContent): Buffer {
  const { contentType, contentDigest, certificate, signingTimeMs, policy } = content;
  return setOf(
    attribute(ATTRIBUTE.contentType, oid(contentType)),
    attribute(ATTRIBUTE.messageDigest, octetString(contentDigest)),
    attribute(ATTRIBUTE.signingCertificateV2, signingCertificate(certificate)),
    ...(signingTimeMs === undefined ? [] : [attribute(ATTRIBUTE.signingTime, time(signingTimeMs))]),
    ...(policy ? [attribute(ATTRIBUTE.signaturePolicy, policyIdentifier(policy))] : []),
  );
}

// Signer substitution (RFC 5035): without this attribute another certificate with the same key could replace the signer's.
// SHA-256 is the attribute's default and is not written.
function signingCertificate({ der, issuer, serialDer }: Certificate): Buffer {
  const issuerSerial = sequence(sequence(explicit(4, issuer.der)), serialDer);
  return sequence(sequence(sequence(octetString(hashOf('sha256', der)), issuerSerial)));
}
