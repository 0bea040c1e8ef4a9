import type { Caller } from '../../../../shared/access/caller.ts';
import { securityContext } from '../../domain/security-contexts.ts';
import { findAuthentication, openAuthentication, refuseUnlessOpen, spend } from './authentication.ts';
import { type Judged, judged, type Offer, readCertificate, refuseWrongSignature } from './proof.ts';
import { boundBy, type Wish } from './wish.ts';

const ASKED_UNDER_NOTHING = { securityContextId: null, ignoreRevocationStatusUnknown: false };

/** A fresh nonce, base64, for this application to use once. */
export const giveNonce = async (caller: Caller, nowMs: number): Promise<string> =>
  (await openAuthentication('nonce', caller, ASKED_UNDER_NOTHING, nowMs)).secret;

/** Says who signed a nonce. The security context comes with the signature: the nonce was asked for under none. */
export async function authenticate(
  caller: Caller,
  { nonce, certificate: text, signature, ...wish }: Offer & Wish & { readonly nonce: string },
  nowMs: number,
): Promise<Judged> {
  const rules = boundBy(wish);
  const certificate = readCertificate(text);
  const found = await findAuthentication('nonce', canonical(nonce), caller);
  refuseUnlessOpen(found, 'completed', nowMs);
  refuseWrongSignature(found, certificate, signature);
  await spend(found, 'completed');
  return judged(securityContext(rules.securityContextId), certificate, rules, nowMs);
}

// Base64 can write the same bytes in several ways, by bits that nobody reads.
const canonical = (base64: string): string => Buffer.from(base64, 'base64').toString('base64');
