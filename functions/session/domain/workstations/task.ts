import { randomBytes } from 'node:crypto';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { logger } from '../../../../shared/log/logger.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { firstItems } from '../../../../shared/store/cursor.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { type StateOf, stateMachine, transition } from '../../../../shared/store/state-machine.ts';
import { goOnInTrace } from '../../../../shared/trace/spans.ts';
import type { Traced } from '../../../../shared/trace/trace.ts';
import {
  type AgentTask,
  OUTCOMES,
  type TaskKind,
  type TaskResult,
} from '../../../../shared/workstation/messages.ts';
import { errors } from '../../errors.ts';
import type { Agent } from './agent.ts';

/**
 * The states of a task for an agent. Handing out does not remove it: a function cannot see that the agent has hung up.
 * A task that the agent does not have in hand at its next poll is handed out again.
 */
export const taskStates = stateMachine({
  Waiting: { handedOut: 'Taken', gaveUp: 'Expired' },
  Taken: { handedOut: 'Taken', answered: 'Done', gaveUp: 'Expired' },
  Done: {},
  Expired: {},
});

type WithoutId<T> = T extends unknown ? Omit<T, 'id' | 'remainingMs'> : never;

/** The work of a task: a sealed PIN to compare, a hash to sign. */
export type TaskContent = WithoutId<AgentTask>;

/** Its trace is that of the call that waits for it. */
export type Task = Traced & {
  readonly agentId: string;
  /** Begins with its creation time, so that tasks are handed out in order. */
  readonly id: string;
  readonly kind: TaskKind;
  readonly state: StateOf<typeof taskStates>;
  readonly expiresAtMs: number;
  /** Deleted when the task ends: a sealed PIN is not kept for longer. */
  readonly ask?: TaskContent;
  readonly result?: TaskResult;
};

export type TaskName = Pick<Task, 'agentId' | 'id'>;

// Nobody waits for longer than a function runs.
const MAX_WAIT_MS = 900_000;
const KEPT_SECONDS = 3_600;
// More than an agent does at once. The rest come at its next poll.
const MAX_HANDED_OUT = 20;

const TASK_PREFIX = 'TASK#';

export const tasks = collection<Task, TaskName>({
  service: 'session',
  name: 'agent task',
  id: ({ agentId, id }) => ({ agentId, id }),
  key: ({ agentId, id }) => ({ pk: `AGENT#${agentId}`, sk: `${TASK_PREFIX}${id}` }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) + KEPT_SECONDS }),
});

const TIME_DIGITS = 13;
const idStart = (ms: number): string => String(ms).padStart(TIME_DIGITS, '0');

export const newTaskId = (nowMs: number): string =>
  `${idStart(nowMs)}-${randomBytes(16).toString('base64url')}`;

/** The tasks of an agent that a call may still wait for, the oldest first, and those that ended recently. */
export function recentTasks(agentId: string, nowMs: number): Promise<readonly Stored<Task>[]> {
  const after = `${TASK_PREFIX}${idStart(nowMs - MAX_WAIT_MS)}`;
  // Answered tasks are deleted by their waiter, so only abandoned ones fill the page.
  const query = { pk: `AGENT#${agentId}`, skPrefix: TASK_PREFIX, after };
  return firstItems(tasks, query, 10 * MAX_HANDED_OUT);
}

/** A task that still has its content. */
export type OpenTask = Stored<Task> & { readonly ask: TaskContent };

/** A task as its agent is given it. */
export const agentTaskOf = (
  { id, ask, expiresAtMs }: Omit<OpenTask, 'version'>,
  nowMs: number,
): AgentTask => ({
  ...ask,
  id,
  remainingMs: expiresAtMs - nowMs,
});

/** The tasks to hand out now. */
export const selectTasks = (
  recent: readonly Stored<Task>[],
  working: readonly string[],
  nowMs: number,
): OpenTask[] =>
  recent
    .filter(
      (task): task is OpenTask =>
        task.ask !== undefined && task.expiresAtMs > nowMs && !working.includes(task.id),
    )
    .slice(0, MAX_HANDED_OUT);

/** Stores an agent's result. Returns whether it counts: only the first result counts, and only in time. */
export async function completeTask(
  { id: agentId }: Agent,
  taskId: string,
  result: TaskResult,
  nowMs: number,
): Promise<boolean> {
  const task = await tasks.get({ agentId, id: taskId });
  if (!task || task.expiresAtMs <= nowMs || !taskStates.accepts(task.state, 'answered')) return false;
  const outcomes: readonly string[] = OUTCOMES[task.kind];
  if (!outcomes.includes(result.outcome)) throw errors.refuse('INVALID_REQUEST', { field: 'outcome' });
  const { signatures, signature } = expectedOf(task, result);
  if (signature !== (result.signature !== undefined))
    throw errors.refuse('INVALID_REQUEST', { field: 'signature' });
  if (signatures !== (result.signatures?.length ?? 0))
    throw errors.refuse('INVALID_REQUEST', { field: 'signatures' });
  return goOnInTrace(task, 'task result', async () => {
    // The waiter gave up at this moment, or the same result came twice.
    const isAccepted = await transition(tasks, taskStates, task, 'answered', { result, ask: undefined }).then(
      () => true,
      ifThrown(RaceLost, false),
    );
    const { kind } = task;
    logger('session').info('task answered', { agentId, taskId, kind, outcome: result.outcome, isAccepted });
    return isAccepted;
  });
}

/** What a result carries: the signature of one hash, or one for each document that the holder was shown. */
function expectedOf({ ask }: Task, { outcome }: TaskResult) {
  if (outcome !== 'signed') return { signature: false, signatures: 0 };
  return ask?.kind === 'ask-and-sign'
    ? { signature: false, signatures: ask.documents.length }
    : { signature: true, signatures: 0 };
}
