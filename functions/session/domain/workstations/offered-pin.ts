import { sealPin } from '../../../../shared/workstation/sealed-pin.ts';
import { settings } from '../../settings.ts';
import { type Candidate, candidatesFor, type Wanted } from './holders.ts';
import { relay } from './relay.ts';

export type PinMatch = { readonly kind: 'matched'; readonly sha256: string; readonly agentId: string };
export type CompareResult = PinMatch | { readonly kind: 'different' | 'not-cached' | 'offline' | 'none' };

/**
 * Offers a PIN to the workstations that hold a certificate of the CPF. Each compares it with the PIN in use there, and
 * none presents it to its token. A prompt makes sense after `not-cached`: no workstation has a PIN to compare with.
 */
export async function comparePin({
  pin,
  ...wanted
}: Wanted & { readonly pin: string }): Promise<CompareResult> {
  const { held, online } = await candidatesFor(wanted);
  if (!held) return { kind: 'none' };
  const untilMs = Date.now() + settings['Sessions:PinRelayTimeout'] * 1000;
  const over = new AbortController();
  const answers = await Promise.all(
    online.map(async (candidate) => {
      const answer = await compareAt(candidate, { pin, untilMs, signal: over.signal });
      // One match is enough: nobody waits for a workstation that is slow.
      if (answer.kind === 'matched') over.abort();
      return answer;
    }),
  );
  const kinds = new Set(answers.map(({ kind }) => kind));
  const matched = answers.find(({ kind }) => kind === 'matched');
  if (matched) return matched;
  if (kinds.has('different')) return { kind: 'different' };
  return { kind: kinds.has('not-cached') ? 'not-cached' : 'offline' };
}

async function compareAt(
  { agentId, sha256, sealFor }: Candidate,
  { pin, untilMs, signal }: { pin: string; untilMs: number; signal: AbortSignal },
): Promise<CompareResult> {
  const answer = await relay({
    agentId,
    ask: (taskId) => ({ kind: 'compare-pin', box: sealPin(pin, sealFor, { agentId, taskId }) }),
    untilMs,
    absenceMs: Number.POSITIVE_INFINITY,
    signal,
  });
  // Comparing takes an agent no time: one that does not answer is not there.
  if (answer === 'late' || answer === 'absent') return { kind: 'offline' };
  if (answer.outcome === 'matched') return { kind: 'matched', sha256, agentId };
  return { kind: answer.outcome === 'different' ? 'different' : 'not-cached' };
}
