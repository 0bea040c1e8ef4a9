import { ifThrown } from '../../../../shared/errors/expected.ts';
import { logger } from '../../../../shared/log/logger.ts';
import { closeConnection, postToConnection } from '../../../../shared/sockets/connections.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import type { Pushed, SocketClosing } from '../../../../shared/workstation/messages.ts';
import { signAnswer } from '../../../../shared/workstation/signed-answer.ts';
import { type Agent, agents, serverKeyOf } from './agent.ts';
import { type AgentConnection, type Presence, presences, recordDisconnect } from './presence.ts';
import { agentTaskOf, type OpenTask, type TaskName, taskStates, tasks } from './task.ts';

/** Sends a message on a connection, signed as the answer to the request that opened it. False where it has ended. */
export const pushTo = async (
  agent: Agent,
  connection: AgentConnection,
  message: Pushed,
): Promise<boolean> => {
  const signed = signAnswer(await serverKeyOf(agent), connection.nonce, message);
  return postToConnection(connection, JSON.stringify(signed));
};

// A push is an attempt. A task stays in the table until somebody answers it or gives it up, so whatever fails here, a
// connection that is gone, a throttled API, the engine that held the connection, loses nothing:
//
//   call   |--creates the task--marks it as handed out--push fails---- waits --------- has the result
//   agent                                                  |--connects, has nothing in hand: is given it--|

/** Hands a new task to its agent, if that is connected. */
export async function pushTask(task: OpenTask, presence: Presence | undefined, nowMs: number): Promise<void> {
  if (!presence?.connection) return;
  const handedOut = await transition(tasks, taskStates, task, 'handedOut', {}).then(
    () => true,
    // Somebody has given it up, or the agent has just asked for it.
    ifThrown(RaceLost, false),
  );
  if (handedOut) await push(presence, { tasks: [agentTaskOf(task, nowMs)], withdrawn: [] }, nowMs);
}

/** Tells a connected agent that nobody waits for a task any more. */
export async function pushWithdrawn({ agentId, id }: TaskName, nowMs: number): Promise<void> {
  await push(await presences.get(agentId), { tasks: [], withdrawn: [id] }, nowMs);
}

async function push(presence: Presence | undefined, message: Pushed, nowMs: number): Promise<void> {
  if (!presence?.connection) return;
  const { agentId, connection } = presence;
  const agent = await agents.get(agentId);
  if (!agent || agent.disabled) return;
  try {
    if (!(await pushTo(agent, connection, message))) await recordDisconnect(agentId, connection.id, nowMs);
  } catch (error) {
    logger('session').warn('A message to a connected agent was not taken. The agent asks again.', {
      agentId,
      error,
    });
  }
}

/**
 * Ends the connection of an agent that was silent for as long as a call could wait. One that lives connects again; one
 * whose machine lost its power or its network, which nobody tells API Gateway, is offline from now on.
 */
export async function dropSilent(agentId: string, nowMs: number): Promise<void> {
  const connection = (await presences.get(agentId))?.connection;
  if (!connection) return;
  await closeConnection(connection).catch((error) =>
    logger('session').warn('The connection of a silent agent could not be ended.', { agentId, error }),
  );
  await recordDisconnect(agentId, connection.id, nowMs);
}

/** Ends a connection, and says why: API Gateway closes every one with the same code. */
export async function endConnection(
  agent: Agent,
  connection: AgentConnection,
  closing: SocketClosing,
): Promise<void> {
  if (await pushTo(agent, connection, { tasks: [], withdrawn: [], closing }))
    await closeConnection(connection);
}

/** The newest wins. The connection before is half open, or of a second program with the same identity. */
export async function endReplaced(agent: Agent, before: AgentConnection | undefined): Promise<void> {
  if (!before) return;
  await endConnection(agent, before, 'replaced').catch((error) =>
    logger('session').warn('A connection that was replaced could not be ended.', {
      agentId: agent.id,
      error,
    }),
  );
}
