import { RaceLost } from '../../../../shared/store/refusals.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { OUTCOMES, type TaskResult } from '../../../../shared/workstation/messages.ts';
import { errors } from '../../errors.ts';
import type { Agent } from './agent.ts';
import { tasks } from './task.ts';
import { taskStates } from './task-states.ts';

/** Takes an agent's result, the first and in time. Says whether it counts. */
export async function completeTask(
  { id: agentId }: Agent,
  taskId: string,
  result: TaskResult,
  now = Date.now(),
): Promise<boolean> {
  const task = await tasks.get({ agentId, id: taskId });
  if (!task || task.expiresAtMs <= now || !taskStates.allows(task.state, 'answered')) return false;
  const outcomes: readonly string[] = OUTCOMES[task.kind];
  if (!outcomes.includes(result.outcome)) throw errors.refuse('INVALID_REQUEST', { field: 'outcome' });
  if ((result.outcome === 'signed') !== (result.signature !== undefined))
    throw errors.refuse('INVALID_REQUEST', { field: 'signature' });
  try {
    // The task's content goes with it: what was sealed for this task is needed no more.
    await transition(tasks, taskStates, task, 'answered', { result, ask: undefined });
    return true;
  } catch (error) {
    // Whoever waits gave up at this moment, or the same result came twice.
    if (error instanceof RaceLost) return false;
    throw error;
  }
}
