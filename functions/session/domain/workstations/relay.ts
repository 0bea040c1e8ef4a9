import { setTimeout as pause } from 'node:timers/promises';
import type { Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import type { TaskResult } from '../../../../shared/workstation/messages.ts';
import { isAbsent, markLost, presences } from './presence.ts';
import { newTaskId, type Task, type TaskContent, tasks } from './task.ts';
import { taskStates } from './task-states.ts';

type Question = {
  readonly agentId: string;
  /** Made for the task's id: what is sealed is sealed for it. */
  readonly ask: (taskId: string) => TaskContent;
  readonly untilMs: number;
  /** The agent may be away for this long before nobody waits for it any more. */
  readonly absenceMs: number;
  /** Nobody needs the answer any more. */
  readonly signal?: AbortSignal;
};

/** `late`: no answer by the time given. `absent`: the agent is not there to give one. */
export type RelayResult = TaskResult | 'late' | 'absent';

// Quick at first: most answers come within a second. A prompt is answered by a person.
const SOON_MS = 2_000;
const LOOK_SOON_MS = 100;
const LOOK_LATER_MS = 300;

/** Puts a question to an agent and waits for its answer. */
export async function relay({ agentId, ask, untilMs, absenceMs, signal }: Question): Promise<RelayResult> {
  const startedAtMs = Date.now();
  const name = await put(agentId, ask, untilMs);
  if (await hasStopped(agentId)) return giveUp(name, 'absent');
  for (;;) {
    const waitedMs = Date.now() - startedAtMs;
    await pause(waitedMs < SOON_MS ? LOOK_SOON_MS : LOOK_LATER_MS);
    const task = await tasks.get(name);
    if (!task) return 'late';
    if (task.result) return taken(task, task.result);
    // The agent has stopped, and gave up what was put to it.
    if (taskStates.isTerminal(task.state)) return 'absent';
    const nowMs = Date.now();
    if (nowMs >= untilMs || signal?.aborted) return giveUp(task, 'late');
    // Before that the agent cannot have been away for long enough, so that nothing need be read.
    if (nowMs < startedAtMs + absenceMs) continue;
    const presence = await presences.get(agentId);
    if (!isAbsent(presence, { sinceMs: startedAtMs, forMs: absenceMs, nowMs })) continue;
    const ended = await giveUp(task, 'absent');
    if (ended === 'absent') await markLost(presence);
    return ended;
  }
}

// The agent stops while it is asked:
//
//   call   |--puts the task------------ reads: stopped, gives up --|
//   agent        |--good-bye: stopped------ ends the tasks that are there --|
//
// Each writes before it reads, so that at least one of the two sees the other.
const hasStopped = async (agentId: string): Promise<boolean> =>
  (await presences.get(agentId))?.away === 'stopped';

/** Leaves word for an agent that nobody waits for. */
export const leaveTask = ({ agentId, ask, untilMs }: Pick<Question, 'agentId' | 'ask' | 'untilMs'>) =>
  put(agentId, ask, untilMs);

async function put(agentId: string, ask: Question['ask'], expiresAtMs: number): Promise<Stored<Task>> {
  const id = newTaskId();
  const content = ask(id);
  return tasks.create({ agentId, id, kind: content.kind, state: 'Waiting', expiresAtMs, ask: content });
}

// What was answered is removed by the one who waited for it; what nobody waits for is left to the store's clean-up.
async function taken(task: Stored<Task>, result: TaskResult): Promise<TaskResult> {
  await tasks.delete(task).catch((error) => {
    if (!(error instanceof RaceLost)) throw error;
  });
  return result;
}

// The answer comes at the very end:
//
//   waiter  |-- reads Taken ------------ gives up: refused, reads the answer and takes it
//   agent                 answers: Done --|
//
// Either the answer counts, or the agent is told that it does not. Never both, never neither.
async function giveUp(task: Stored<Task>, reason: 'late' | 'absent'): Promise<RelayResult> {
  for (let current: Stored<Task> | undefined = task; current; current = await tasks.get(task)) {
    if (current.result) return taken(current, current.result);
    if (taskStates.isTerminal(current.state)) return reason;
    try {
      await transition(tasks, taskStates, current, 'gaveUp', { ask: undefined });
      return reason;
    } catch (error) {
      if (!(error instanceof RaceLost)) throw error;
    }
  }
  return reason;
}
