import { randomBytes } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { tableName } from '../../../../shared/settings/names.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import type { AgentTask, TaskKind, TaskResult } from '../../../../shared/workstation/messages.ts';
import type { TaskState } from './task-states.ts';

type Asked<T> = T extends unknown ? Omit<T, 'id' | 'remainingMs'> : never;

/** What an agent is asked to do: a sealed PIN to compare, a hash to sign. */
export type TaskContent = Asked<AgentTask>;

export type Task = {
  readonly agentId: string;
  /** Begins with the moment it was made, so that tasks are handed out in order. */
  readonly id: string;
  readonly kind: TaskKind;
  readonly state: TaskState;
  readonly expiresAtMs: number;
  /** Only while somebody may still do it: a sealed PIN is not kept for longer than that. */
  readonly ask?: TaskContent;
  readonly result?: TaskResult;
};

export type TaskName = Pick<Task, 'agentId' | 'id'>;

// Nobody waits for longer than a function lives.
const MAX_WAIT_MS = 900_000;
const KEPT_SECONDS = 3_600;
// More than an agent does at once; the rest come at its next poll.
const HANDED_OUT_AT_ONCE = 20;

export const tasks = collection<Task, TaskName>({
  service: 'session',
  name: 'agent task',
  id: ({ agentId, id }) => ({ agentId, id }),
  key: ({ agentId, id }) => ({ pk: `AGENT#${agentId}`, sk: `TASK#${id}` }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) + KEPT_SECONDS }),
});

const MOMENT_DIGITS = 13;
const idFrom = (ms: number): string => String(ms).padStart(MOMENT_DIGITS, '0');

export const newTaskId = (now = Date.now()): string =>
  `${idFrom(now)}-${randomBytes(16).toString('base64url')}`;

/** The tasks of an agent that somebody may still wait for, the oldest first, and those that ended lately. */
export async function recentTasks(agentId: string, now = Date.now()): Promise<Stored<Task>[]> {
  const { Items = [] } = await dynamo().send(
    new QueryCommand({
      TableName: tableName('session'),
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :agent AND sk BETWEEN :from AND :until',
      ExpressionAttributeValues: {
        ':agent': { S: `AGENT#${agentId}` },
        ':from': { S: `TASK#${idFrom(now - MAX_WAIT_MS)}` },
        ':until': { S: 'TASK#~' },
      },
      // Whoever waits removes what it was answered: only what nobody waited for to the end is in the way.
      Limit: 10 * HANDED_OUT_AT_ONCE,
    }),
  );
  return Items.map(tasks.read);
}

/** Those that an agent may be given now. */
export const selectTasks = (
  recent: readonly Stored<Task>[],
  working: readonly string[],
  nowMs: number,
): (Stored<Task> & { readonly ask: TaskContent })[] =>
  recent
    .filter(
      (task): task is Stored<Task> & { readonly ask: TaskContent } =>
        task.ask !== undefined && task.expiresAtMs > nowMs && !working.includes(task.id),
    )
    .slice(0, HANDED_OUT_AT_ONCE);
