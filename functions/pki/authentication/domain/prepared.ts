import type { Caller } from '../../../../shared/access/caller.ts';
import { isValid } from '../../../../shared/pki/verdict/validation-results.ts';
import { PKI_BRAZIL, securityContext } from '../../domain/security-contexts.ts';
import {
  findAuthentication,
  isStale,
  openAuthentication,
  refuseUnlessOpen,
  spend,
} from './authentication.ts';
import { type Judged, judged, type Offer, readCertificate, refuseWrongSignature } from './proof.ts';
import { toSign } from './to-sign.ts';
import { boundBy, type Wish } from './wish.ts';

/** Gives what the holder of a certificate has to sign. Where no context is named, it is that of ICP-Brasil. */
export async function prepareAuthentication(caller: Caller, wish: Wish, nowMs: number) {
  const opening = boundBy({ ...wish, securityContextId: wish.securityContextId ?? PKI_BRAZIL });
  const { secret, nonce } = await openAuthentication('state', caller, opening, nowMs);
  return { state: secret, ...toSign(nonce) };
}

type Completed = { readonly success: boolean; readonly failure: Failure | null } & {
  readonly [Part in keyof Judged]: Judged[Part] | null;
};
type Failure = 'CertificateFailedValidation' | 'StaleSession';

const STALE: Completed = {
  success: false,
  failure: 'StaleSession',
  certificate: null,
  validationResults: null,
};

/** Says who signed, and whether that may be believed. Either way the `state` is used. */
export async function completeAuthentication(
  caller: Caller,
  { state, ...offer }: Offer & { readonly state: string },
  nowMs: number,
): Promise<Completed> {
  const certificate = readCertificate(offer.certificate);
  const found = await findAuthentication('state', state, caller);
  if (isStale(found, nowMs)) return STALE;
  refuseUnlessOpen(found, 'completed', nowMs);
  const context = securityContext(found.securityContextId ?? PKI_BRAZIL);
  refuseWrongSignature(found, certificate, offer.signature);
  await spend(found, 'completed');
  const answer = await judged(context, certificate, found, nowMs);
  const success = isValid(answer.validationResults);
  return { success, failure: success ? null : 'CertificateFailedValidation', ...answer };
}
