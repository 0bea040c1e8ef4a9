import { setTimeout as pause } from 'node:timers/promises';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { recordedTrace } from '../../../../shared/trace/trace.ts';
import type { TaskKind, TaskResult } from '../../../../shared/workstation/messages.ts';
import type { Deadline } from '../deadline.ts';
import { isAbsent, markLost, presences } from './presence.ts';
import { dropSilent, pushTask, pushWithdrawn } from './push.ts';
import { newTaskId, type OpenTask, type Task, type TaskContent, taskStates, tasks } from './task.ts';

type TaskRequest = {
  readonly agentId: string;
  /** Takes the task's id, because a PIN is sealed for one task. */
  readonly contentFor: (taskId: string) => TaskContent;
};

export type RelayRequest = TaskRequest & {
  readonly deadline: Deadline;
  /** How long the agent may be away before the relay gives up. */
  readonly absenceMs: number;
  /** Aborts when the answer is not needed any more. */
  readonly signal?: AbortSignal;
};

/** `late`: no answer by the deadline. `absent`: the agent is not there to give one. */
export type RelayResult = TaskResult | 'late' | 'absent';

// Most answers come within a second. A prompt is answered by a person.
const SOON_MS = 2_000;
const LOOK_SOON_MS = 100;
const LOOK_LATER_MS = 300;

/** Gives an agent a task and waits for its result. */
export async function relay(request: RelayRequest): Promise<RelayResult> {
  const { agentId, deadline, absenceMs, signal } = request;
  const { now } = deadline;
  const startedAtMs = now();
  const created = await createTask(request, deadline.atMs, startedAtMs);
  // The agent stops while a task is created for it:
  //
  //   call   |--creates the task--------- reads: stopped, gives up --|
  //   agent        |--good-bye: stopped------ ends the tasks that are there --|
  //
  // Each writes before it reads, so at least one of the two sees the other.
  const found = await presences.get(agentId);
  if (found?.away === 'stopped') return giveUp(created, 'absent');
  await pushTask(created, found, startedAtMs);
  for (;;) {
    const waitedMs = now() - startedAtMs;
    await pause(waitedMs < SOON_MS ? LOOK_SOON_MS : LOOK_LATER_MS);
    const task = await tasks.get(created);
    if (!task) return 'late';
    if (task.result) return deleteAnswered(task, task.result);
    // The agent has stopped, and its good-bye ended the task.
    if (taskStates.isTerminal(task.state)) return 'absent';
    const nowMs = now();
    if (nowMs >= deadline.atMs || signal?.aborted) return endWait(task, nowMs, signal?.aborted === true);
    // Before that the agent cannot have been away for long enough, so nothing is read.
    if (nowMs < startedAtMs + absenceMs) continue;
    const presence = await presences.get(agentId);
    if (!isAbsent(presence, { sinceMs: startedAtMs, forMs: absenceMs, nowMs })) continue;
    const result = await giveUp(task, 'absent');
    if (result === 'absent') await markLost(presence);
    return result;
  }
}

// A person may take long, and an agent ends such a task by itself when its time is over.
const ASKS_A_PERSON: readonly TaskKind[] = ['prompt-pin', 'ask-and-sign'];

async function endWait(task: Stored<Task>, nowMs: number, isUnneeded: boolean): Promise<RelayResult> {
  const result = await giveUp(task, 'late');
  if (result !== 'late') return result;
  if (isUnneeded) await pushWithdrawn(task, nowMs);
  else if (!ASKS_A_PERSON.includes(task.kind)) await dropSilent(task.agentId, nowMs);
  return result;
}

/** Leaves a task for an agent without waiting for its result. */
export async function leaveTask(
  { expiresAtMs, ...request }: TaskRequest & { readonly expiresAtMs: number },
  nowMs: number,
): Promise<void> {
  const created = await createTask(request, expiresAtMs, nowMs);
  await pushTask(created, await presences.get(request.agentId), nowMs);
}

async function createTask(
  { agentId, contentFor }: TaskRequest,
  expiresAtMs: number,
  nowMs: number,
): Promise<OpenTask> {
  const id = newTaskId(nowMs);
  const ask = contentFor(id);
  const created = await tasks.create({
    ...{ agentId, id, kind: ask.kind, state: 'Waiting', expiresAtMs, ask },
    ...recordedTrace(),
  });
  return { ...created, ask };
}

// The waiter deletes its answered task. The store's TTL deletes tasks that nobody waited for.
export async function deleteAnswered(task: Stored<Task>, result: TaskResult): Promise<TaskResult> {
  await tasks.delete(task).catch(ifThrown(RaceLost));
  return result;
}

// The answer comes at the very end:
//
//   waiter  |-- reads Taken ------------ gives up: refused, reads the answer and returns it
//   agent                 answers: Done --|
//
// Either the answer counts, or the agent learns that it does not. Never both, never neither.
export async function giveUp(task: Stored<Task>, reason: 'late' | 'absent'): Promise<RelayResult> {
  for (let current: Stored<Task> | undefined = task; current; current = await tasks.get(task)) {
    if (current.result) return deleteAnswered(current, current.result);
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
