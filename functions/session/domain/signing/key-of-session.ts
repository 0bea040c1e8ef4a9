import { setTimeout as pause } from 'node:timers/promises';
import type { Certificate } from '../../../../shared/pki/certificate.ts';
import { localKey } from '../../../../shared/signing/key.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { openKey } from '../sealed-key.ts';
import type { ActiveSession } from '../session.ts';
import { fileHashOf, vault } from '../vault/vault.ts';
import { isOnline, presences } from '../workstations/presence.ts';
import { signHash } from '../workstations/sign-hash.ts';

/** Signs a SHA-256 hash with the key that a session is bound to, wherever that is. */
export type HashSigner = (hash: Buffer, deadlineAtMs: number) => Promise<Buffer>;

/** The key of a session. One of the vault is good while the file is there that the PIN opened. */
export async function keyOf(
  session: ActiveSession,
  certificate: Certificate,
  deadlineAtMs: number,
): Promise<HashSigner> {
  const { binding } = session;
  if (binding.custody === 'workstation') {
    await awaitWorkstation(binding.agentId, deadlineAtMs);
    return atWorkstation(binding.agentId, certificate.sha256);
  }
  const privateKey = openKey(binding.sealedKey, session.secret);
  if (!privateKey) throw errors.refuse('SESSION_EXPIRED');
  const stored = await vault.get({ cpf: session.cpf, sha256: binding.sha256 });
  if (!stored) throw errors.refuse('CERT_NOT_FOUND');
  if (fileHashOf(stored) !== binding.fileHash)
    throw errors.refuse('PIN_NOT_AVAILABLE', { reason: 'the certificate was imported anew' });
  const key = localKey(privateKey, certificate, []);
  return (hash) => key.signHash('sha256', hash);
}

const LOOK_EVERY_MS = 250;

/** A workstation may be away for a moment. One that stays away is told before any document is sent for it. */
async function awaitWorkstation(agentId: string, deadlineAtMs: number): Promise<void> {
  const graceMs = settings['Signing:WorkstationReconnectGrace'] * 1000;
  const untilMs = Math.min(Date.now() + graceMs, deadlineAtMs);
  while (!isOnline(await presences.get(agentId), Date.now())) {
    if (Date.now() >= untilMs) throw errors.refuse('WORKSTATION_OFFLINE');
    await pause(LOOK_EVERY_MS);
  }
}

const atWorkstation =
  (agentId: string, sha256: string): HashSigner =>
  async (hash, deadlineAtMs) => {
    const answer = await signHash({ agentId, sha256, digest: 'sha256', hash, deadlineAtMs });
    if (answer.kind === 'signed') return answer.signature;
    if (answer.kind === 'offline') throw errors.refuse('WORKSTATION_OFFLINE');
    if (answer.kind === 'timed-out') throw errors.refuse('SIGN_TIMEOUT');
    throw errors.refuse('PIN_NOT_AVAILABLE', {
      reason: answer.kind === 'refused' ? answer.reason : 'no PIN is in use at the workstation any more',
    });
  };
