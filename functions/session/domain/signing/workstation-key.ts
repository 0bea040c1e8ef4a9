import { setTimeout as pause } from 'node:timers/promises';
import type { Refusal } from '../../../../shared/errors/errors.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { checkPin } from '../workstations/check-pin.ts';
import { isOnline, type Presence, presences } from '../workstations/presence.ts';
import { type SignHashResult, signHash } from '../workstations/remote-key.ts';
import type { SessionKey } from './signing-call.ts';

type WorkstationKeyOptions = {
  readonly agentId: string;
  readonly sha256: string;
  readonly deadlineAtMs: number;
  /** Told once no PIN is in use at the workstation any more: the session can sign nothing from here on. */
  readonly pinLost: () => void;
};

/** The key at a workstation. Refuses where it is already known that nothing can be signed there. */
export async function workstationKey(options: WorkstationKeyOptions): Promise<SessionKey> {
  const { agentId, sha256, deadlineAtMs, pinLost } = options;
  let lost: Refusal | undefined;
  const lose = (kind: Unusable): Refusal => {
    if (kind === 'not-cached') pinLost();
    lost = kind === 'not-cached' ? noPin() : errors.refuse('WORKSTATION_OFFLINE');
    return lost;
  };

  const presence = await awaitWorkstation(agentId, deadlineAtMs);
  const pin = presence.pinInUse === false ? await checkPin(agentId, deadlineAtMs) : 'in-use';
  if (pin !== 'in-use') throw lose(pin);

  return {
    async sign(hash, untilMs) {
      const answer = await signHash({ agentId, sha256, digest: 'sha256', hash, deadlineAtMs: untilMs });
      if (answer.kind === 'signed') return answer.signature;
      if (answer.kind === 'timed-out') throw errors.refuse('SIGN_TIMEOUT');
      if (answer.kind === 'refused') throw errors.refuse('PIN_NOT_AVAILABLE', { reason: answer.reason });
      throw lose(answer.kind);
    },
    refuseIfLost() {
      if (lost) throw lost;
    },
  };
}

type Unusable = Exclude<SignHashResult['kind'], 'signed' | 'timed-out' | 'refused'>;

const noPin = (): Refusal =>
  errors.refuse('PIN_NOT_AVAILABLE', { reason: 'no PIN is in use at the workstation any more' });

const LOOK_EVERY_MS = 250;

/** A workstation may be away for a moment. One that stopped, or stays away, is told before any document is sent for it. */
async function awaitWorkstation(agentId: string, deadlineAtMs: number): Promise<Presence> {
  const graceMs = settings['Signing:WorkstationReconnectGrace'] * 1000;
  const untilMs = Math.min(Date.now() + graceMs, deadlineAtMs);
  for (;;) {
    const presence = await presences.get(agentId);
    if (presence && isOnline(presence, Date.now())) return presence;
    if (presence?.away === 'stopped' || Date.now() >= untilMs) throw errors.refuse('WORKSTATION_OFFLINE');
    await pause(LOOK_EVERY_MS);
  }
}
