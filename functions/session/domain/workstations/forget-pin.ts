import { agents } from './agent.ts';
import { leaveTask } from './relay.ts';

// An agent that comes back within this has it still to do; with later ones a new session may have begun.
const WORD_KEPT_MS = 600_000;

/**
 * Has a workstation drop the PIN that is in use with this certificate. Best effort: it reaches an agent that is there
 * or comes back soon. One that stays away keeps its PIN until it idles out, and nothing of ours asks it to sign.
 */
export async function forgetPin({
  agentId,
  sha256,
}: {
  readonly agentId: string;
  readonly sha256: string;
}): Promise<void> {
  const agent = await agents.get(agentId);
  if (!agent?.certificates.some((each) => each.sha256 === sha256)) return;
  await leaveTask({ agentId, ask: () => ({ kind: 'forget-pin' }), untilMs: Date.now() + WORD_KEPT_MS });
}
