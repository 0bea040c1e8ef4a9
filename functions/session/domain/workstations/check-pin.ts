import { settings } from '../../settings.ts';
import { relay } from './relay.ts';

/** Asks an agent whether a PIN is in use there. What its last poll said may be older than the holder's answer. */
export async function checkPin(
  agentId: string,
  deadlineAtMs: number,
): Promise<'in-use' | 'not-cached' | 'offline'> {
  const answer = await relay({
    agentId,
    ask: () => ({ kind: 'check-pin' }),
    untilMs: Math.min(deadlineAtMs, Date.now() + settings['Signing:HashSignTimeout'] * 1000),
    absenceMs: settings['Signing:WorkstationReconnectGrace'] * 1000,
  });
  if (answer === 'absent' || answer === 'late') return 'offline';
  return answer.outcome === 'in-use' ? 'in-use' : 'not-cached';
}
