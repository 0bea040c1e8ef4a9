import { randomUUID } from 'node:crypto';
import type { ConnectionAddress } from '../../../../shared/sockets/connections.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { hitInBlocks } from '../../../../shared/store/rate-window.ts';
import {
  Poll,
  type PollResponse,
  SOCKET_PATH,
  SocketMessage,
} from '../../../../shared/workstation/messages.ts';
import { errors } from '../../errors.ts';
import type { Agent } from './agent.ts';
import { authenticateAgent } from './authenticate-agent.ts';
import { stopAgent, takeWork } from './poll.ts';
import { type AgentConnection, type Presence, presences, recordDisconnect, recordPoll } from './presence.ts';
import { endConnection, endReplaced, pushTo } from './push.ts';

/** Whose a connection is: API Gateway names the connection alone. */
type OpenConnection = {
  readonly id: string;
  readonly agentId: string;
  readonly nonce: string;
  readonly expiresAtMs: number;
};

const connections = collection<OpenConnection, string>({
  service: 'session',
  name: 'connection of an agent',
  id: ({ id }) => id,
  key: (id) => ({ pk: `CONNECTION#${id}`, sk: 'CONNECTION' }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) }),
});

// API Gateway ends a connection after two hours, and so do the engine and the host.
const KEPT_MS = 2 * 3_600_000 + 600_000;
// API Gateway ends one that was idle for ten minutes. An agent says something within nine and a half.
const HEARD_WITHIN_MS = 11 * 60_000;
// A hello, a heartbeat, and a message whenever a PIN comes into use or goes. Reconnecting counts too.
const MESSAGES_PER_MINUTE = 60;

/** Lets an agent connect. Its request is signed as every other one is. */
export async function openConnection(
  { id }: ConnectionAddress,
  headers: Readonly<Record<string, string>>,
  nowMs: number,
): Promise<void> {
  const call = { method: 'GET', path: SOCKET_PATH, headers, body: NO_BODY };
  const { agent, nonce } = await authenticateAgent(call, nowMs);
  if (!(await isWithinRate(agent))) throw errors.refuse('SERVER_BUSY');
  await connections.put({ id, agentId: agent.id, nonce, expiresAtMs: nowMs + KEPT_MS });
}

const NO_BODY = Buffer.alloc(0);

const isWithinRate = async ({ id }: Agent): Promise<boolean> => {
  const rule = { service: 'session', policy: 'AgentMessages', windowSeconds: 60 } as const;
  return (await hitInBlocks({ ...rule, client: id, limit: MESSAGES_PER_MINUTE })).allowed;
};

/**
 * Answers a message of an agent: a poll that is not held, because tasks are pushed from now on. A message that is none,
 * or is not of the agent that has connected, is refused, and its connection ends.
 */
export async function answerMessage(address: ConnectionAddress, text: string, nowMs: number): Promise<void> {
  const message = SocketMessage.safeParse(parseJson(text));
  const open = await connections.get(address.id);
  if (!message.success) throw errors.refuse('INVALID_REQUEST');
  if (!open || open.expiresAtMs <= nowMs) throw errors.refuse('UNAUTHORIZED');
  const { headers, body } = message.data;
  const call = { method: 'MESSAGE', path: SOCKET_PATH, headers, body: Buffer.from(body) };
  const { agent, sentAtMs } = await authenticateAgent(call, nowMs);
  if (agent.id !== open.agentId) throw errors.refuse('UNAUTHORIZED');
  const connection = { ...address, nonce: open.nonce };
  if (!(await isWithinRate(agent))) return endConnection(agent, connection, 'busy');
  const poll = Poll.safeParse(parseJson(body));
  if (!poll.success) throw errors.refuse('INVALID_REQUEST');
  if (poll.data.leaving) return stopAgent(agent.id, sentAtMs, nowMs);
  await answerPoll(agent, connection, { ...poll.data, sentAtMs }, nowMs);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function answerPoll(
  agent: Agent,
  connection: AgentConnection,
  { working, hello, pinInUse, sentAtMs }: Poll & { readonly sentAtMs: number },
  nowMs: number,
): Promise<void> {
  const expectedAtMs = nowMs + HEARD_WITHIN_MS;
  const seen = { lastSeenAtMs: nowMs, pollEndsAtMs: expectedAtMs, sentAtMs, connection };
  const poll = { agentId: agent.id, pollId: randomUUID(), ...seen };
  const recorded = await recordPoll({ ...poll, ...(pinInUse !== undefined && { pinInUse }) }, { hello });
  if (recorded === 'replaced') return endConnection(agent, connection, 'replaced');
  if (recorded === 'stopped') return;
  if (recorded.before?.id !== connection.id) await endReplaced(agent, recorded.before);
  const { tasks, withdrawn } = await workFor(recorded.presence, working, { nowMs, expectedAtMs });
  // One task a message: a message holds 128 KB, and one question of fifty documents may take most of it.
  const [first, ...others] = tasks;
  await pushTo(agent, connection, { tasks: first ? [first] : [], withdrawn });
  for (const task of others) await pushTo(agent, connection, { tasks: [task], withdrawn: [] });
}

const ATTEMPTS = 3;
const NOTHING: PollResponse = { tasks: [], withdrawn: [] };

/** The work that waits. A task that ends at this moment has the others looked for again. */
async function workFor(
  presence: Stored<Presence>,
  working: readonly string[],
  moments: { readonly nowMs: number; readonly expectedAtMs: number },
): Promise<PollResponse> {
  let current: Stored<Presence> | undefined = presence;
  for (let attempt = 0; attempt < ATTEMPTS && current?.pollId === presence.pollId; attempt++) {
    const found = await takeWork(current, working, moments);
    if (found) return found;
    current = await presences.get(presence.agentId);
  }
  return NOTHING;
}

/** Records that a connection has ended. A newer connection of the agent stays. */
export async function forgetConnection({ id }: ConnectionAddress, nowMs: number): Promise<void> {
  const open = await connections.get(id);
  if (open) await recordDisconnect(open.agentId, id, nowMs);
}
