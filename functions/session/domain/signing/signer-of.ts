import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { displayName } from '../../../../shared/pki/findings/display.ts';
import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import { errors } from '../../errors.ts';
import type { Session } from '../session.ts';
import type { Signer } from './platform.ts';

/** Who signs, out of the certificate. An e-mail address is the only thing that the session may supply. */
export function signerOf(certificate: Certificate, { email: fallback }: Pick<Session, 'email'>): Signer {
  const identity = icpBrasilIdentity(certificate);
  const name = identity.personName ?? displayName(certificate);
  const email = identity.email ?? fallback;
  if (!identity.cpf) throw errors.refuse('CERT_INCOMPLETE_IDENTITY', { field: 'cpf' });
  if (!name) throw errors.refuse('CERT_INCOMPLETE_IDENTITY', { field: 'name' });
  if (!email) throw errors.refuse('CERT_INCOMPLETE_IDENTITY', { field: 'email' });
  return { name, cpf: identity.cpf, email };
}
