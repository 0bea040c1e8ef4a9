import { setTimeout as pause } from 'node:timers/promises';
import type { Refusal } from '../../../../shared/errors/errors.ts';
import type { ToSign } from '../../../../shared/platform/signatures.ts';
import { localKey } from '../../../../shared/signing/key.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import type { Deadline } from '../deadline.ts';
import type { BoundCertificate } from '../held-certificates.ts';
import { type ActiveSession, openPrivateKey } from '../session.ts';
import { isOnline, type Presence, presences } from '../workstations/presence.ts';
import { checkPin, type SignHashResult, signHash } from '../workstations/remote-key.ts';

/** The key that a session is bound to, in the vault or at a workstation. */
export type SessionKey = {
  readonly custody: 'vault' | 'workstation';
  /** Signs a SHA-256 hash, whose data need not be known. */
  readonly sign: (toSign: Pick<ToSign, 'hash' | 'data'>, deadline: Deadline) => Promise<Buffer>;
  /** Refuses once an earlier document of the call has found that the key cannot be used. */
  readonly refuseIfLost: () => void;
};

type KeyOptions = {
  readonly deadline: Deadline;
  /** Called once no PIN is in use at the workstation: the session can sign nothing any more. */
  readonly onPinLost: () => void;
};

/** Opens the key of a session. A vault key is usable while the vault holds the very file that the PIN opened. */
export async function openSessionKey(
  session: ActiveSession,
  { certificate, file }: BoundCertificate,
  options: KeyOptions,
): Promise<SessionKey> {
  const { binding } = session;
  if (binding.custody === 'workstation')
    return openWorkstationKey(binding.agentId, certificate.sha256, options);
  const privateKey = openPrivateKey(binding.sealedKey, session.secret);
  if (!privateKey) throw errors.refuse('SESSION_EXPIRED');
  if (!file) throw errors.refuse('CERT_NOT_FOUND');
  if (file.fileHash !== binding.fileHash)
    throw errors.refuse('PIN_NOT_AVAILABLE', { reason: 'the certificate was imported anew' });
  const key = localKey(privateKey, certificate, []);
  return {
    custody: 'vault',
    sign: ({ hash, data }) => key.signHash('sha256', hash, data),
    refuseIfLost: () => undefined,
  };
}

type LossReason = Exclude<SignHashResult['kind'], 'signed' | 'timed-out' | 'refused'>;

/** Refuses where it is already known that the workstation cannot sign. */
async function openWorkstationKey(
  agentId: string,
  sha256: string,
  { deadline, onPinLost }: KeyOptions,
): Promise<SessionKey> {
  let lost: Refusal | undefined;
  const markLost = (reason: LossReason): Refusal => {
    if (reason === 'not-cached') onPinLost();
    lost = reason === 'not-cached' ? noPin() : errors.refuse('WORKSTATION_OFFLINE');
    return lost;
  };

  const presence = await awaitWorkstation(agentId, deadline);
  const pin = presence.pinInUse === false ? await checkPin(agentId, deadline) : 'in-use';
  if (pin !== 'in-use') throw markLost(pin);

  return {
    custody: 'workstation',
    async sign({ hash }, until) {
      const result = await signHash({ agentId, sha256, digest: 'sha256', hash, deadline: until });
      if (result.kind === 'signed') return result.signature;
      if (result.kind === 'timed-out') throw errors.refuse('SIGN_TIMEOUT');
      if (result.kind === 'refused') throw errors.refuse('PIN_NOT_AVAILABLE', { reason: result.reason });
      throw markLost(result.kind);
    },
    refuseIfLost() {
      if (lost) throw lost;
    },
  };
}

const noPin = (): Refusal =>
  errors.refuse('PIN_NOT_AVAILABLE', { reason: 'no PIN is in use at the workstation any more' });

const LOOK_EVERY_MS = 250;

/** Waits out a short absence. A workstation that stopped, or stays away, is refused before any document is sent. */
async function awaitWorkstation(agentId: string, { atMs, now }: Deadline): Promise<Presence> {
  const graceMs = settings['Signing:WorkstationReconnectGrace'] * 1000;
  const untilMs = Math.min(now() + graceMs, atMs);
  for (;;) {
    const presence = await presences.get(agentId);
    if (presence && isOnline(presence, now())) return presence;
    if (presence?.away === 'stopped' || now() >= untilMs) throw errors.refuse('WORKSTATION_OFFLINE');
    await pause(LOOK_EVERY_MS);
  }
}
