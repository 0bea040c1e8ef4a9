import type { Caller } from '../../../../shared/access/caller.ts';
import { type Certificate, parseCertificate } from '../../../../shared/pki/certificate/certificate.ts';
import { digestOid } from '../../../../shared/signing/digest.ts';
import {
  type JudgedCertificate,
  judgeCertificate,
  readCertificate,
  refuseWrongSignature,
  type SignatureProof,
} from '../../domain/certificate-proof.ts';
import { type SecurityContext, securityContext } from '../../domain/security-contexts.ts';
import { toSign } from '../../domain/to-sign.ts';
import { errors } from '../../errors.ts';
import {
  type Authentication,
  type AuthenticationOptions,
  findAuthentication,
  openAuthentication,
  refuseUnlessOpen,
  rulesOf,
  useNonce,
} from './authentication.ts';

/** The earlier generation of the interface: a token, and the bytes to sign. */
export async function startAuthentication(caller: Caller, options: AuthenticationOptions, nowMs: number) {
  const { secret, nonce } = await openAuthentication(caller, 'token', rulesOf(options), nowMs);
  const { data, hash } = toSign(nonce).toSign;
  return { token: secret, toSignData: data, toSignHash: hash, digestAlgorithmOid: digestOid('sha256') };
}

/** Accepts the one signature of a token, and judges its certificate. */
export async function submitSignedBytes(
  caller: Caller,
  token: string,
  proof: SignatureProof,
  nowMs: number,
): Promise<JudgedCertificate> {
  const certificate = readCertificate(proof.certificate);
  const found = await findAuthentication(caller, 'token', token);
  refuseUnlessOpen(found, 'signed', nowMs);
  const context = contextOf(found);
  refuseWrongSignature(found, certificate, proof.signature);
  await useNonce(found, 'signed', { certificate: certificate.der });
  return judgeCertificate(context, certificate, found, nowMs);
}

/** Tells a server, once, who signed under its token. The certificate is judged again, as of now. */
export async function finalizeAuthentication(
  caller: Caller,
  token: string,
  nowMs: number,
): Promise<JudgedCertificate> {
  const found = await findAuthentication(caller, 'token', token);
  refuseUnlessOpen(found, 'finalized', nowMs);
  const context = contextOf(found);
  const certificate = signerOf(found);
  await useNonce(found, 'finalized');
  return judgeCertificate(context, certificate, found, nowMs);
}

function contextOf({ securityContextId }: Authentication): SecurityContext {
  if (!securityContextId) throw errors.refuse('SecurityContextRequired');
  return securityContext(securityContextId);
}

function signerOf({ certificate }: Authentication): Certificate {
  if (!certificate) throw errors.refuse('ClientSignatureNotSet');
  return parseCertificate(certificate);
}
