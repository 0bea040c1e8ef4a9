import { AdminRefusal } from '../../../../shared/access/administration.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { type Agent, agents, allAgents } from './agent.ts';
import { isOnline, presences } from './presence.ts';
import { endConnection } from './push.ts';

/** An agent in the operator's list. */
export type ListedAgent = Agent & { readonly online: boolean; readonly lastSeenAtMs: number | undefined };

export async function listAgents(nowMs: number): Promise<ListedAgent[]> {
  const all = await allAgents();
  const seen = new Map(
    (await presences.getMany(all.map(({ id }) => id))).map((presence) => [presence.agentId, presence]),
  );
  return all.map((agent) => ({
    ...agent,
    online: !agent.disabled && isOnline(seen.get(agent.id), nowMs),
    lastSeenAtMs: seen.get(agent.id)?.lastSeenAtMs,
  }));
}

/** Refuses every later request of an agent. The first characters of its id are enough to name it. */
export async function disableAgent(idStart: string): Promise<Agent> {
  // Every id starts with the empty text.
  const matching = idStart === '' ? [] : (await allAgents()).filter(({ id }) => id.startsWith(idStart));
  const [agent, ...others] = matching;
  if (!agent) throw new AdminRefusal(`There is no agent "${idStart}". See: npm run admin -- agents list`);
  if (others.length > 0)
    throw new AdminRefusal(`Several agents begin with ${idStart}. Give more characters of the id.`);
  try {
    const disabled = await agents.change(agent, { disabled: true });
    await cutOff(disabled);
    return disabled;
  } catch (error) {
    if (!(error instanceof RaceLost)) throw error;
    throw new AdminRefusal(
      `Agent ${agent.id} changed at the same moment, so nothing was done. Run it again.`,
    );
  }
}

/** Ends the connection of an agent that was disabled. It would get no work there, and its next message ends it too. */
async function cutOff(agent: Agent): Promise<void> {
  const connection = (await presences.get(agent.id))?.connection;
  if (!connection) return;
  try {
    await endConnection(agent, connection, 'disabled');
  } catch (error) {
    throw new AdminRefusal(
      `Agent ${agent.id} is disabled and gets no more work, but its open connection could not be ended: ${(error as Error).message} Run it again to end it.`,
    );
  }
}
