import type { Caller } from '../../../../shared/access/caller.ts';
import { type Certificate, parseCertificate } from '../../../../shared/pki/certificate/certificate.ts';
import { digestOid } from '../../../../shared/signing/digest.ts';
import { type SecurityContext, securityContext } from '../../domain/security-contexts.ts';
import { errors } from '../../errors.ts';
import {
  type Authentication,
  findAuthentication,
  openAuthentication,
  refuseUnlessOpen,
  spend,
} from './authentication.ts';
import { type Judged, judged, type Offer, readCertificate, refuseWrongSignature } from './proof.ts';
import { toSign } from './to-sign.ts';
import { boundBy, type Wish } from './wish.ts';

/** The earlier generation: a token, and what has to be signed under it. */
export async function startAuthentication(caller: Caller, wish: Wish, nowMs: number) {
  const { secret, nonce } = await openAuthentication('token', caller, boundBy(wish), nowMs);
  const { data, hash } = toSign(nonce).toSign;
  return { token: secret, toSignData: data, toSignHash: hash, digestAlgorithmOid: digestOid('sha256') };
}

/** Takes the one signature of a token, and says what it is worth. */
export async function submitSignedBytes(
  caller: Caller,
  token: string,
  offer: Offer,
  nowMs: number,
): Promise<Judged> {
  const certificate = readCertificate(offer.certificate);
  const found = await findAuthentication('token', token, caller);
  refuseUnlessOpen(found, 'signed', nowMs);
  const context = contextOf(found);
  refuseWrongSignature(found, certificate, offer.signature);
  await spend(found, 'signed', { certificate: certificate.der });
  return judged(context, certificate, found, nowMs);
}

/** Tells a server, once, who signed under its token. The certificate is judged as it stands at this moment. */
export async function finalizeAuthentication(caller: Caller, token: string, nowMs: number): Promise<Judged> {
  const found = await findAuthentication('token', token, caller);
  refuseUnlessOpen(found, 'finalized', nowMs);
  const context = contextOf(found);
  const certificate = signedWith(found);
  await spend(found, 'finalized');
  return judged(context, certificate, found, nowMs);
}

function contextOf({ securityContextId }: Authentication): SecurityContext {
  if (!securityContextId) throw errors.refuse('SecurityContextRequired');
  return securityContext(securityContextId);
}

function signedWith({ certificate }: Authentication): Certificate {
  if (!certificate) throw errors.refuse('ClientSignatureNotSet');
  return parseCertificate(certificate);
}
