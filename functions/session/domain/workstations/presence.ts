import { collection } from '../../../../shared/store/collection.ts';
import { settings } from '../../settings.ts';

/** When an agent was last here. The newest poll writes it, so that an older one that still hangs can tell. */
export type Presence = {
  readonly agentId: string;
  readonly pollId: string;
  readonly lastSeenAtMs: number;
  /** The agent is expected to ask again from this moment on. */
  readonly pollEndsAtMs: number;
};

export const presences = collection<Presence, string>({
  service: 'session',
  name: 'presence of agent',
  id: ({ agentId }) => agentId,
  key: (agentId) => ({ pk: `AGENT#${agentId}`, sk: 'PRESENCE' }),
});

export const isOnline = (presence: Presence | undefined, nowMs: number): boolean =>
  presence !== undefined && nowMs < presence.lastSeenAtMs + settings['Agents:OnlineFor'] * 1000;

/** Whether an agent that was expected at `sinceMs` or later has not come for this long. */
export function isAbsent(
  presence: Presence | undefined,
  { sinceMs, forMs, nowMs }: { readonly sinceMs: number; readonly forMs: number; readonly nowMs: number },
): boolean {
  return nowMs >= Math.max(sinceMs, presence?.pollEndsAtMs ?? 0) + forMs;
}
