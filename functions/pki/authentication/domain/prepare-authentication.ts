import type { Caller } from '../../../../shared/access/caller.ts';
import { isValid } from '../../../../shared/pki/findings/validation-results.ts';
import {
  type JudgedCertificate,
  judgeCertificate,
  readCertificate,
  refuseWrongSignature,
  type SignatureProof,
} from '../../domain/certificate-proof.ts';
import { PKI_BRAZIL, securityContext } from '../../domain/security-contexts.ts';
import { toSign } from '../../domain/to-sign.ts';
import {
  type AuthenticationOptions,
  findAuthentication,
  isStale,
  openAuthentication,
  refuseUnlessOpen,
  rulesOf,
  useNonce,
} from './authentication.ts';

/** Creates the bytes that the holder of a certificate signs. The default security context is ICP-Brasil. */
export async function prepareAuthentication(caller: Caller, options: AuthenticationOptions, nowMs: number) {
  const rules = rulesOf({ ...options, securityContextId: options.securityContextId ?? PKI_BRAZIL });
  const { secret, nonce } = await openAuthentication(caller, 'state', rules, nowMs);
  return { state: secret, ...toSign(nonce) };
}

type CompletionResult = { readonly success: boolean; readonly failure: Failure | null } & {
  readonly [Part in keyof JudgedCertificate]: JudgedCertificate[Part] | null;
};
type Failure = 'CertificateFailedValidation' | 'StaleSession';

const STALE: CompletionResult = {
  success: false,
  failure: 'StaleSession',
  certificate: null,
  validationResults: null,
};

/** Authenticates the signer of a `state`, trusted or not. Either way the `state` is used up. */
export async function completeAuthentication(
  caller: Caller,
  { state, ...proof }: SignatureProof & { readonly state: string },
  nowMs: number,
): Promise<CompletionResult> {
  const certificate = readCertificate(proof.certificate);
  const found = await findAuthentication(caller, 'state', state);
  if (isStale(found, nowMs)) return STALE;
  refuseUnlessOpen(found, 'completed', nowMs);
  const context = securityContext(found.securityContextId ?? PKI_BRAZIL);
  refuseWrongSignature(found, certificate, proof.signature);
  await useNonce(found, 'completed');
  const answer = await judgeCertificate(context, certificate, found, nowMs);
  const success = isValid(answer.validationResults);
  return { success, failure: success ? null : 'CertificateFailedValidation', ...answer };
}
