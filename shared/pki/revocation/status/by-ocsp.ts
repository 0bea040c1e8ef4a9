import { createHash } from 'node:crypto';
import {
  type Certificate,
  CertificateMalformed,
  PublicKeyUnsupported,
} from '../../certificate/certificate.ts';
import { extendedKeyUsage, KEY_PURPOSE, keyUsage } from '../../extensions/extensions.ts';
import { accessAddresses, crlDistributionPoints, isOcspNoCheck } from '../../extensions/locations.ts';
import { displayName, formatTime } from '../../findings/display.ts';
import { warningFinding } from '../../findings/validation-results.ts';
import { sameName } from '../../name/match.ts';
import { isChecked } from '../../path/checks.ts';
import { algorithmObjection } from '../../path/rules/algorithms.ts';
import { DIGESTS } from '../../path/signature-schemes.ts';
import { type Path, validatePath } from '../../path/validate.ts';
import { freshnessOf } from '../freshness.ts';
import { OCSP_NONCE } from '../ocsp/request.ts';
import type { OcspResponse, SingleResponse } from '../ocsp/response.ts';
import {
  type Evidence,
  joinEvidence,
  NO_EVIDENCE,
  type RevocationContext,
  type RevocationOutcome,
} from './context.ts';

/** The status of the path's target by this response (RFC 6960, 3.2). */
export async function statusByOcsp(
  path: Path,
  response: OcspResponse,
  context: RevocationContext,
): Promise<RevocationOutcome> {
  const [certificate, issuer] = path;
  const single = issuer && response.statuses.find((status) => isAbout(status, certificate, issuer));
  if (!issuer || !single) return unusableOutcome('it is for another certificate');
  const unknown = [response, single]
    .flatMap(({ extensions }) => [...extensions])
    .find(([oid, { critical }]) => critical && oid !== OCSP_NONCE);
  if (unknown) return unusableOutcome(`it has the critical extension ${unknown[0]}, which is unknown here`);
  const signer = await findSigner(path, issuer, response, context);
  if (typeof signer === 'string') return unusableOutcome(signer);
  const evidence = joinEvidence([{ ...NO_EVIDENCE, ocspResponses: [response] }, signer]);
  return conclude(certificate, single, evidence, context);
}

/** Whether an authorized responder signed the response, whatever its date. */
export async function isAuthentic(
  path: Path,
  response: OcspResponse,
  context: RevocationContext,
): Promise<boolean> {
  const [, issuer] = path;
  return issuer !== undefined && typeof (await findSigner(path, issuer, response, context)) !== 'string';
}

function conclude(
  certificate: Certificate,
  single: SingleResponse,
  evidence: Evidence,
  context: RevocationContext,
): RevocationOutcome {
  const { status, thisUpdateMs, nextUpdateMs } = single;
  const freshness = freshnessOf(single, context);
  if (freshness === 'from the future')
    return unusableOutcome(`it is of ${formatTime(thisUpdateMs)}, which is in the future`);
  if (status === 'unknown') return unusableOutcome('the responder does not know the certificate');
  // certificateHold can be lifted (RFC 5280, 5.3.1), so an old response does not prove it. Every other reason is final.
  const isRevoked = status !== 'good' && status.revokedAtMs <= context.atMs;
  if (isRevoked && (freshness !== 'old' || status.reason !== 'certificateHold'))
    return { status: 'revoked', by: 'OCSP', revocation: status, evidence };
  if (freshness === 'old')
    return unusableOutcome(`newer data was due on ${formatTime(nextUpdateMs ?? thisUpdateMs)}`);
  if (thisUpdateMs > certificate.notAfterMs)
    return unusableOutcome(
      'it was made after the certificate expired, when revoked ones are no longer known',
    );
  return { status: 'good', by: 'OCSP', isLate: freshness === 'late', thisUpdateMs, nextUpdateMs, evidence };
}

function isAbout({ certificateId }: SingleResponse, certificate: Certificate, issuer: Certificate): boolean {
  const digest = DIGESTS[certificateId.hashOid];
  return (
    digest !== undefined &&
    certificateId.serialDer.equals(certificate.serialDer) &&
    certificateId.issuerNameHash.equals(hash(digest, issuer.subject.der)) &&
    certificateId.issuerKeyHash.equals(hash(digest, issuer.keyBits))
  );
}

const hash = (digest: string, bytes: Buffer): Buffer => createHash(digest).update(bytes).digest();

/** The evidence that the issuer or its delegate signed the response (RFC 6960, 4.2.2.2), or the problem. */
async function findSigner(
  path: Path,
  issuer: Certificate,
  response: OcspResponse,
  context: RevocationContext,
): Promise<Evidence | string> {
  const { checks } = context.settings;
  try {
    if (isResponder(response, issuer) && isChecked(response, issuer.publicKey, checks))
      return objectionTo(response, issuer, context) ?? NO_EVIDENCE;
    const delegate = response.certificates.find(
      (one) => isResponder(response, one) && isChecked(response, one.publicKey, checks),
    );
    if (!delegate) return 'its signature is not one of the responder it names';
    return (
      objectionTo(response, delegate, context) ?? (await authorizeDelegate(path, delegate, response, context))
    );
  } catch (error) {
    if (error instanceof CertificateMalformed || error instanceof PublicKeyUnsupported)
      return `its signer's certificate cannot be used (${error.message})`;
    throw error;
  }
}

function objectionTo(
  response: OcspResponse,
  signer: Certificate,
  { settings }: RevocationContext,
): string | undefined {
  const objection = algorithmObjection(response, signer.publicKey, settings.algorithms);
  return objection && `it is signed ${objection}`;
}

function isResponder({ responder }: OcspResponse, certificate: Certificate): boolean {
  if ('name' in responder) return sameName(responder.name, certificate.subject);
  return responder.keyHash.equals(hash('sha1', certificate.keyBits));
}

// RFC 6960, 4.2.2.2: the issuer itself issues the delegate's certificate, with id-kp-OCSPSigning.
async function authorizeDelegate(
  path: Path,
  delegate: Certificate,
  response: OcspResponse,
  context: RevocationContext,
): Promise<Evidence | string> {
  const [, issuer, ...above] = path;
  if (!issuer || !extendedKeyUsage(delegate)?.includes(KEY_PURPOSE.ocspSigning))
    return `${displayName(delegate)} is not authorized as a responder by its certificate`;
  // RFC 5280, 4.2.1.3: a key for other uses signs no response.
  const usages = keyUsage(delegate);
  if (usages && !usages.has('digitalSignature') && !usages.has('nonRepudiation'))
    return `the key of ${displayName(delegate)} is not for signatures`;
  const delegatePath: Path = [delegate, issuer, ...above];
  const { algorithms, checks } = context.settings;
  const settings = { atMs: response.producedAtMs, algorithms, policies: {}, checks };
  const failure = validatePath(delegatePath, settings)[0]?.find(({ outcome }) => outcome === 'errors');
  if (failure) return `the certificate of its responder is not valid: ${failure.message.replace(/\.$/, '')}`;
  const evidence = { ...NO_EVIDENCE, signers: [delegate] };
  if (isOcspNoCheck(delegate) || !hasRevocationSource(delegate)) return evidence;
  if (delegate.sha256 === path[0].sha256 || context.inProgress.has(delegate.sha256))
    return `its responder, ${displayName(delegate)}, would vouch for itself`;
  const inProgress = new Set([...context.inProgress, path[0].sha256, delegate.sha256]);
  const outcome = await context.statusOf(delegatePath, { ...context, inProgress });
  if (outcome.status !== 'good')
    return `the certificate of its responder, ${displayName(delegate)}, is ${outcome.status}`;
  return joinEvidence([evidence, outcome.evidence]);
}

// RFC 6960, 4.2.2.2.1: a responder's certificate without any revocation address is trusted during its validity.
const hasRevocationSource = (delegate: Certificate): boolean =>
  crlDistributionPoints(delegate).length > 0 || accessAddresses(delegate, 'ocsp').length > 0;

const unusableOutcome = (why: string): RevocationOutcome => ({
  status: 'unknown',
  problems: [warningFinding('InvalidOcspResponse', `An OCSP response is not used: ${why}.`)],
});
