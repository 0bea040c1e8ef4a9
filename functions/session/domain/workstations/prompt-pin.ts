import type { Outcome } from '../../../../shared/workstation/messages.ts';
import { sealPin } from '../../../../shared/workstation/sealed-pin.ts';
import { settings } from '../../settings.ts';
import { type Candidate, candidatesFor, type Wanted } from './holders.ts';
import type { PinMatch } from './offered-pin.ts';
import { relay } from './relay.ts';

type Unmatched = Exclude<Outcome<'prompt-pin'>, 'matched'> | 'offline';
export type PromptResult = PinMatch | { readonly kind: Unmatched };

type Prompt = Wanted & {
  readonly pin: string;
  /** Who asks, as the holder is told. */
  readonly application: string;
  readonly deadlineAtMs: number;
};

// Where several workstations answered, the answer that says most.
const MAX_TELLING: readonly Unmatched[] = ['declined', 'different', 'timed-out', 'impossible'];

/**
 * Has the holder asked for the PIN at every workstation that holds a certificate of the CPF and is there. What the holder
 * types goes to the token; the offered PIN is then compared with it. One match, or one refusal, ends it everywhere.
 */
export async function promptPin({
  pin,
  application,
  deadlineAtMs,
  ...wanted
}: Prompt): Promise<PromptResult> {
  const { online } = await candidatesFor(wanted);
  const over = new AbortController();
  const answers = await Promise.all(
    online.map(async (candidate) => {
      const answer = await promptAt(candidate, { pin, application, deadlineAtMs, signal: over.signal });
      if (answer.kind === 'matched' || answer.kind === 'declined') over.abort();
      return answer;
    }),
  );
  const matched = answers.find(({ kind }) => kind === 'matched');
  if (matched) return matched;
  const telling = MAX_TELLING.find((kind) => answers.some((answer) => answer.kind === kind));
  return { kind: telling ?? 'offline' };
}

async function promptAt(
  { agentId, sha256, sealFor }: Candidate,
  { pin, application, deadlineAtMs, signal }: Omit<Prompt, 'cpf' | 'among'> & { signal: AbortSignal },
): Promise<PromptResult> {
  const answer = await relay({
    agentId,
    ask: (taskId) => ({
      kind: 'prompt-pin',
      box: sealPin(pin, sealFor, { agentId, taskId }),
      sha256,
      application,
    }),
    untilMs: deadlineAtMs,
    absenceMs: settings['Sessions:PinRelayTimeout'] * 1000,
    signal,
  });
  if (answer === 'absent') return { kind: 'offline' };
  if (answer === 'late') return { kind: 'timed-out' };
  if (answer.outcome === 'matched') return { kind: 'matched', sha256, agentId };
  return { kind: answer.outcome as Unmatched };
}
