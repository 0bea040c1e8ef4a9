import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { localKey } from '../../../../shared/signing/key.ts';
import { errors } from '../../errors.ts';
import { openPrivateKey } from '../sealed-key.ts';
import type { ActiveSession } from '../session.ts';
import { fileHashOf, vault } from '../vault/vault.ts';
import type { SessionKey } from './signing-call.ts';
import { workstationKey } from './workstation-key.ts';

type KeyOptions = { readonly deadlineAtMs: number; readonly pinLost: () => void };

/** The key of a session. One of the vault is good while the file is there that the PIN opened. */
export async function keyOf(
  session: ActiveSession,
  certificate: Certificate,
  options: KeyOptions,
): Promise<SessionKey> {
  const { binding } = session;
  if (binding.custody === 'workstation')
    return workstationKey({ agentId: binding.agentId, sha256: certificate.sha256, ...options });
  const privateKey = openPrivateKey(binding.sealedKey, session.secret);
  if (!privateKey) throw errors.refuse('SESSION_EXPIRED');
  const stored = await vault.get({ cpf: session.cpf, sha256: binding.sha256 });
  if (!stored) throw errors.refuse('CERT_NOT_FOUND');
  if (fileHashOf(stored) !== binding.fileHash)
    throw errors.refuse('PIN_NOT_AVAILABLE', { reason: 'the certificate was imported anew' });
  const key = localKey(privateKey, certificate, []);
  return { sign: (hash) => key.signHash('sha256', hash), refuseIfLost: () => undefined };
}
