import type { Caller } from '../../../../shared/access/caller.ts';
import {
  type JudgedCertificate,
  judgeCertificate,
  readCertificate,
  refuseWrongSignature,
  type SignatureProof,
} from '../../domain/certificate-proof.ts';
import { securityContext } from '../../domain/security-contexts.ts';
import {
  type AuthenticationOptions,
  findAuthentication,
  openAuthentication,
  refuseUnlessOpen,
  rulesOf,
  useNonce,
} from './authentication.ts';

const NO_RULES = { securityContextId: null, ignoreRevocationStatusUnknown: false };

/** A new nonce, base64, for one use by this application. */
export const createNonce = async (caller: Caller, nowMs: number): Promise<string> =>
  (await openAuthentication(caller, 'nonce', NO_RULES, nowMs)).secret;

/** Authenticates the signer of a nonce. The security context comes with the signature, because the nonce has none. */
export async function authenticate(
  caller: Caller,
  {
    nonce,
    certificate: text,
    signature,
    ...options
  }: SignatureProof & AuthenticationOptions & { readonly nonce: string },
  nowMs: number,
): Promise<JudgedCertificate> {
  const rules = rulesOf(options);
  const certificate = readCertificate(text);
  const found = await findAuthentication(caller, 'nonce', canonicalBase64(nonce));
  refuseUnlessOpen(found, 'completed', nowMs);
  refuseWrongSignature(found, certificate, signature);
  await useNonce(found, 'completed');
  return judgeCertificate(securityContext(rules.securityContextId), certificate, rules, nowMs);
}

// Base64 has several spellings of the same bytes: unused bits may be set.
const canonicalBase64 = (base64: string): string => Buffer.from(base64, 'base64').toString('base64');
