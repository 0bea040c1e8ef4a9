import { ifThrown } from '../../../../shared/errors/expected.ts';
import type { ConnectionAddress } from '../../../../shared/sockets/connections.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { settings } from '../../settings.ts';

/** A WebSocket connection of an agent. */
export type AgentConnection = ConnectionAddress & {
  /** Of the request that opened it: whatever the server says on it is bound to this number. */
  readonly nonce: string;
};

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
  /** Where tasks are pushed to. None while the agent polls by HTTP. */
  readonly connection?: AgentConnection | undefined;
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
  nowMs < Math.max(presence.lastSeenAtMs + settings['Agents:OnlineFor'] * 1000, presence.pollEndsAtMs);

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

type Recorded = {
  readonly presence: Stored<Presence>;
  /** The connection that the agent had until now. */
  readonly before: AgentConnection | undefined;
};

/**
 * Records a poll. `stopped`: the agent has stopped since it was sent. `replaced`: it came on a connection of which the
 * agent has a newer one, and only a hello makes a connection the newest.
 */
export const recordPoll = (
  poll: Omit<Presence, 'away'>,
  { hello }: { readonly hello: boolean },
): Promise<Recorded | 'stopped' | 'replaced'> =>
  retryOnConflict(async () => {
    const current = await presences.get(poll.agentId);
    if (!current) return { presence: await presences.put(poll), before: undefined };
    if (current.away === 'stopped' && !hello) return 'stopped';
    const before = current.connection;
    if (!hello && poll.connection && before && before.id !== poll.connection.id) return 'replaced';
    const sentAtMs = Math.max(poll.sentAtMs, current.sentAtMs);
    const presence = await presences.change(current, { ...NOT_SAID, ...poll, sentAtMs, away: undefined });
    return { presence, before };
  });

/** Records that a connection has ended. The agent may come back for as long as after a poll. */
export const recordDisconnect = (agentId: string, connectionId: string, nowMs: number): Promise<void> =>
  retryOnConflict(async () => {
    const current = await presences.get(agentId);
    if (current?.connection?.id !== connectionId) return;
    await presences.change(current, { connection: undefined, lastSeenAtMs: nowMs, pollEndsAtMs: nowMs });
  });

/** What holds for the newest poll alone. */
export const NOT_SAID = { pinInUse: undefined, connection: undefined } as const;

/** Marks an agent for which no call needs to wait. An agent that has come back meanwhile is not marked. */
export async function markLost(presence: Stored<Presence> | undefined): Promise<void> {
  if (!presence || presence.away !== undefined) return;
  await presences.change(presence, { away: 'lost' }).catch(ifThrown(RaceLost));
}
