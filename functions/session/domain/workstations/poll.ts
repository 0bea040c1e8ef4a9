import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import type { AgentTask, Poll, PollResponse } from '../../../../shared/workstation/messages.ts';
import { settings } from '../../settings.ts';
import type { Agent } from './agent.ts';
import { type Presence, presences, recordPoll } from './presence.ts';
import { stopAgent } from './stop-agent.ts';
import { recentTasks, selectTasks, type Task, type TaskContent, tasks } from './task.ts';
import { taskStates } from './task-states.ts';

type Handed = Stored<Task> & { readonly ask: TaskContent };

// How late a task may arrive, against how many reads an idle agent costs.
const LOOK_EVERY_MS = 250;
// What is left of the function's time when the last look is over, to answer in.
const ANSWER_MS = 1_500;

/** `sentAtMs` is by the agent's clock. */
type ReceivedPoll = Poll & { readonly sentAtMs: number; readonly deadlineAtMs: number };

const NOTHING: PollResponse = { tasks: [], withdrawn: [] };

/**
 * Holds an agent's poll until there is something to do, or its time is over. An agent with work in hand asks again
 * soon, so that one which was killed is missed soon.
 */
export async function pollTasks(
  { id: agentId }: Agent,
  { working, hello, leaving, pinInUse, sentAtMs, deadlineAtMs }: ReceivedPoll,
): Promise<PollResponse> {
  const startedAtMs = Date.now();
  if (leaving) {
    await stopAgent(agentId, { sentAtMs, nowMs: startedAtMs });
    return NOTHING;
  }
  const heldSeconds = settings[working.length > 0 ? 'Agents:BusyPollSeconds' : 'Agents:PollSeconds'];
  const waitMs = hello ? 0 : heldSeconds * 1000;
  const endsAtMs = Math.min(startedAtMs + waitMs, deadlineAtMs - ANSWER_MS);
  const pollId = randomUUID();
  const poll = { agentId, pollId, lastSeenAtMs: startedAtMs, pollEndsAtMs: endsAtMs, sentAtMs };
  const mine = await recordPoll({ ...poll, ...(pinInUse !== undefined && { pinInUse }) }, { hello });
  if (!mine) return NOTHING;

  for (;;) {
    const now = Date.now();
    const recent = await recentTasks(agentId, now);
    const isOpen = (id: string) => recent.some((task) => task.id === id && task.state === 'Taken');
    const withdrawn = working.filter((id) => !isOpen(id));
    const waiting = selectTasks(recent, working, now);
    const handed = waiting.length > 0 ? await handOut(mine, waiting, now) : [];
    if (handed && handed.length + withdrawn.length > 0) return { tasks: handed, withdrawn };
    if (now >= endsAtMs) return NOTHING;
    if (!handed && (await presences.get(agentId))?.pollId !== pollId) return NOTHING;
    await pause(Math.min(LOOK_EVERY_MS, Math.max(0, endsAtMs - now)));
  }
}

// The network fails, and the agent asks again while its first poll still hangs:
//
//   poll 1  |--presence 1----- (nobody listens) -------- hands out as 1: refused
//   poll 2              |--presence 2------ hands out as 2 --| agent has it in hand
//
// Only the newest poll hands out. One that nobody replaced may still hand out into the void: at its next poll the agent
// does not have the task in hand, and is given it again.
async function handOut(
  mine: Stored<Presence>,
  waiting: readonly Handed[],
  nowMs: number,
): Promise<AgentTask[] | undefined> {
  try {
    await commit([
      ...waiting.map((task) => tasks.changing(task, { state: taskStates.next(task.state, 'handedOut') })),
      // The poll ends here: from now on the agent is expected to ask again.
      presences.changing(mine, { pollEndsAtMs: nowMs }, { when: { pollId: mine.pollId } }),
    ]);
  } catch (error) {
    // A task ended meanwhile, or a newer poll is here.
    if (error instanceof RaceLost) return undefined;
    throw error;
  }
  return waiting.map(({ id, ask, expiresAtMs }) => ({ ...ask, id, remainingMs: expiresAtMs - nowMs }));
}
