import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import type { AgentTask, Poll, PollResponse } from '../../../../shared/workstation/messages.ts';
import { settings } from '../../settings.ts';
import type { Agent } from './agent.ts';
import { NOT_SAID, type Presence, presences, recordPoll } from './presence.ts';
import { endReplaced } from './push.ts';
import {
  agentTaskOf,
  type OpenTask,
  recentTasks,
  selectTasks,
  type Task,
  taskStates,
  tasks,
} from './task.ts';

// A trade: how late a task may arrive, against how many reads an idle agent costs.
const LOOK_EVERY_MS = 250;
// Time to answer after the last look.
const ANSWER_MS = 1_500;

/** `sentAtMs` is by the agent's clock. */
type PollRequest = Poll & { readonly sentAtMs: number; readonly deadlineAtMs: number };

const NOTHING: PollResponse = { tasks: [], withdrawn: [] };

/**
 * Holds an agent's poll until there is work, or its time is over. The poll of an agent with work in hand is shorter, so
 * that an agent that was killed is missed soon.
 */
export async function pollTasks(
  agent: Agent,
  { working, hello, leaving, pinInUse, sentAtMs, deadlineAtMs }: PollRequest,
  now: () => number,
): Promise<PollResponse> {
  const agentId = agent.id;
  const startedAtMs = now();
  if (leaving) {
    await stopAgent(agentId, sentAtMs, startedAtMs);
    return NOTHING;
  }
  const heldSeconds = settings[working.length > 0 ? 'Agents:BusyPollSeconds' : 'Agents:PollSeconds'];
  const waitMs = hello ? 0 : heldSeconds * 1000;
  const endsAtMs = Math.min(startedAtMs + waitMs, deadlineAtMs - ANSWER_MS);
  const pollId = randomUUID();
  const poll = { agentId, pollId, lastSeenAtMs: startedAtMs, pollEndsAtMs: endsAtMs, sentAtMs };
  const recorded = await recordPoll({ ...poll, ...(pinInUse !== undefined && { pinInUse }) }, { hello });
  if (typeof recorded === 'string') return NOTHING;
  const { presence, before } = recorded;
  await endReplaced(agent, before);
  // Sent with the hello alone: an agent that connects polls no more, and one that cannot asks again with its next hello.
  const socket = hello && settings['Agents:SocketUrl'] ? { socket: settings['Agents:SocketUrl'] } : {};

  for (;;) {
    const nowMs = now();
    // The poll ends with what it hands out: from then on the agent is expected to poll again.
    const found = await takeWork(presence, working, { nowMs, expectedAtMs: nowMs });
    if (found && found.tasks.length + found.withdrawn.length > 0) return { ...found, ...socket };
    if (nowMs >= endsAtMs) return { ...NOTHING, ...socket };
    if (!found && (await presences.get(agentId))?.pollId !== pollId) return NOTHING;
    await pause(Math.min(LOOK_EVERY_MS, Math.max(0, endsAtMs - nowMs)));
  }
}

type Moments = {
  readonly nowMs: number;
  /** When the agent is expected to say something again, once it has this work. */
  readonly expectedAtMs: number;
};

/** Hands out the work that waits for an agent. Undefined where a task ended meanwhile, or a newer poll is here. */
export async function takeWork(
  presence: Stored<Presence>,
  working: readonly string[],
  moments: Moments,
): Promise<PollResponse | undefined> {
  const recent = await recentTasks(presence.agentId, moments.nowMs);
  const isAwaited = (id: string) =>
    recent.some((task) => task.id === id && taskStates.accepts(task.state, 'answered'));
  const withdrawn = working.filter((id) => !isAwaited(id));
  const selected = selectTasks(recent, working, moments.nowMs);
  const tasks = selected.length > 0 ? await handOut(presence, selected, moments) : [];
  return tasks && { tasks, withdrawn };
}

// The network fails, and the agent polls again while its first poll still hangs:
//
//   poll 1  |--presence 1----- (nobody listens) -------- hands out as 1: refused
//   poll 2              |--presence 2------ hands out as 2 --| agent has it in hand
//
// Only the newest poll hands out. A poll that was not replaced may still answer a dead connection: at its next poll the
// agent does not have the task in hand, and is given it again.
async function handOut(
  presence: Stored<Presence>,
  selected: readonly OpenTask[],
  { nowMs, expectedAtMs }: Moments,
): Promise<AgentTask[] | undefined> {
  try {
    await commit([
      ...selected.map((task) => tasks.changing(task, { state: taskStates.next(task.state, 'handedOut') })),
      presences.changing(presence, { pollEndsAtMs: expectedAtMs }, { when: { pollId: presence.pollId } }),
    ]);
  } catch (error) {
    // A task ended meanwhile, or a newer poll is here.
    if (error instanceof RaceLost) return undefined;
    throw error;
  }
  return selected.map((task) => agentTaskOf(task, nowMs));
}

// The agent stops and starts again while its good-bye is still on the way:
//
//   good-bye  |--------- slow network --------- arrives: ignored, the agent is online
//   hello          |--recorded--|

/** Ends the presence of an agent that says good-bye, and its open tasks, so that their waiters learn it at once. */
export async function stopAgent(agentId: string, sentAtMs: number, nowMs: number): Promise<void> {
  // A new poll id: a poll that still hangs hands out nothing more.
  const poll = { agentId, pollId: randomUUID(), lastSeenAtMs: nowMs, pollEndsAtMs: nowMs, sentAtMs };
  const isStopped = await retryOnConflict(async () => {
    const current = await presences.get(agentId);
    if (!current) await presences.put({ ...poll, away: 'stopped' });
    else if ((current.sentAtMs ?? 0) > sentAtMs) return false;
    else await presences.change(current, { ...NOT_SAID, ...poll, away: 'stopped' });
    return true;
  });
  if (!isStopped) return;
  const open = (await recentTasks(agentId, nowMs)).filter(({ state }) => taskStates.accepts(state, 'gaveUp'));
  await Promise.all(open.map(expireTask));
}

async function expireTask(task: Stored<Task>): Promise<void> {
  // Answered or given up at this moment.
  await transition(tasks, taskStates, task, 'gaveUp', { ask: undefined }).catch(ifThrown(RaceLost));
}
