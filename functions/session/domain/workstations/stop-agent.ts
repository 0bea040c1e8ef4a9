import { randomUUID } from 'node:crypto';
import type { Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { presences } from './presence.ts';
import { recentTasks, type Task, tasks } from './task.ts';
import { taskStates } from './task-states.ts';

// The agent stops and is started again while its good-bye is still on the way:
//
//   good-bye  |--------- slow line --------- arrives: ignored, the agent is here
//   hello          |--recorded--|
//
/** An agent says good-bye: it is offline from here on, and whoever waits for it is told at once. */
export async function stopAgent(
  agentId: string,
  { sentAtMs, nowMs }: { readonly sentAtMs: number; readonly nowMs: number },
): Promise<void> {
  // A new poll id: a poll that still hangs hands out nothing more.
  const poll = { agentId, pollId: randomUUID(), lastSeenAtMs: nowMs, pollEndsAtMs: nowMs, sentAtMs };
  const isStopped = await retryOnConflict(async () => {
    const current = await presences.get(agentId);
    if (!current) await presences.put({ ...poll, away: 'stopped' });
    else if ((current.sentAtMs ?? 0) > sentAtMs) return false;
    else await presences.change(current, { pinInUse: undefined, ...poll, away: 'stopped' });
    return true;
  });
  if (!isStopped) return;
  const open = (await recentTasks(agentId, nowMs)).filter(({ state }) => taskStates.allows(state, 'gaveUp'));
  await Promise.all(open.map(giveUp));
}

async function giveUp(task: Stored<Task>): Promise<void> {
  await transition(tasks, taskStates, task, 'gaveUp', { ask: undefined }).catch((error: unknown) => {
    if (!(error instanceof RaceLost)) throw error; // answered or given up at this moment
  });
}
