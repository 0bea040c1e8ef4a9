import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { errors } from '../../errors.ts';
import type { SignatureSession } from './session.ts';

/** Refuses another certificate than the one that signed the first document: a session is one person's. */
export function refuseAnotherSigner({ signerSha256 }: SignatureSession, { sha256 }: Certificate): void {
  if (signerSha256 !== null && signerSha256 !== sha256) throw errors.refuse('CertificateMismatch');
}
