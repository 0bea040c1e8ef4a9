import { ifThrown } from '../../../../shared/errors/expected.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { settings } from '../../settings.ts';

/** When an agent last polled. The newest poll writes it, so that an older poll that still hangs can see it. */
export type Presence = {
  readonly agentId: string;
  readonly pollId: string;
  readonly lastSeenAtMs: number;
  /** The agent is expected to poll again from this time on. */
  readonly pollEndsAtMs: number;
  /** When the newest poll was sent, by the agent's clock. */
  readonly sentAtMs: number;
  /** The agent said good-bye, or a call waited for it in vain. Its next poll clears it. */
  readonly away?: 'stopped' | 'lost' | undefined;
  /** From the agent's newest poll; undefined from agents that do not send it. */
  readonly pinInUse?: boolean | undefined;
};

export const presences = collection<Presence, string>({
  service: 'session',
  name: 'presence of agent',
  id: ({ agentId }) => agentId,
  key: (agentId) => ({ pk: `AGENT#${agentId}`, sk: 'PRESENCE' }),
});

export const isOnline = (presence: Presence | undefined, nowMs: number): boolean =>
  presence !== undefined &&
  presence.away === undefined &&
  nowMs < presence.lastSeenAtMs + settings['Agents:OnlineFor'] * 1000;

/** Whether an agent that was expected at `sinceMs` or later has been away for this long. */
export function isAbsent(
  presence: Presence | undefined,
  { sinceMs, forMs, nowMs }: { readonly sinceMs: number; readonly forMs: number; readonly nowMs: number },
): boolean {
  return presence?.away === 'stopped' || nowMs >= Math.max(sinceMs, presence?.pollEndsAtMs ?? 0) + forMs;
}

// The agent stops while its poll is still on the way:
//
//   poll       |--------- slow network --------- arrives: ignored, only a hello ends the absence
//   good-bye       |--stopped--|

/** Records a poll. Returns nothing where the agent has stopped since it was sent. */
export const recordPoll = (
  poll: Omit<Presence, 'away'>,
  { hello }: { readonly hello: boolean },
): Promise<Stored<Presence> | undefined> =>
  retryOnConflict(async () => {
    const current = await presences.get(poll.agentId);
    if (!current) return presences.put(poll);
    if (current.away === 'stopped' && !hello) return undefined;
    const sentAtMs = Math.max(poll.sentAtMs, current.sentAtMs);
    return presences.change(current, { pinInUse: undefined, ...poll, sentAtMs, away: undefined });
  });

/** Marks an agent for which no call needs to wait. An agent that has come back meanwhile is not marked. */
export async function markLost(presence: Stored<Presence> | undefined): Promise<void> {
  if (!presence || presence.away !== undefined) return;
  await presences.change(presence, { away: 'lost' }).catch(ifThrown(RaceLost));
}
