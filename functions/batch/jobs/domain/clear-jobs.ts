import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { recordAndSend } from '../../../../shared/queue/outbox.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { canceling } from '../../../../shared/store/due/message.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { recordingEvent } from '../../operations/domain/events.ts';
import { say } from '../../sentences/sentences.ts';
import { type Clearing, clearings } from './clearing/clearing.ts';
import { type Deletion, deleteFinished } from './clearing/delete-finished.ts';
import { FINISHED, jobList } from './job/list.ts';
import { TASKS_QUEUE, type Task, taskMessage } from './job/tasks.ts';

export type ClearResult = { readonly deleted: number; readonly skipped: number; readonly message: string };

type ClearTask = Extract<Task, { readonly task: 'clearJobs' }>;

// For the commit under way, the counts and the answer.
const RESERVE_MS = 10_000;

// A message of the background deletes so many jobs: some 70 commits, far within its function's time.
const JOBS_PER_MESSAGE = 1_000;

const taskIdOf = (clearingId: string): string => `clear:${clearingId}`;

// The call records its task first, due when the call must have ended: a call that is killed is continued in the
// background. The counts are written with the deletions, and the event with the end:
//
//   call    |--clearing, task--|--15 jobs, count--|--15 jobs, count-- killed
//   worker                                                              |--15 jobs, count--|--event, no task--|

/**
 * Deletes the finished jobs that exist at the time of the call. The others stay. Past the time of the call it goes on in
 * the background.
 */
export async function clearJobs(
  { application: by }: Caller,
  { deadlineAtMs }: { readonly deadlineAtMs: number },
  now: () => number,
): Promise<ClearResult> {
  const beforeMs = now();
  const begun = clearings.creating({ id: randomUUID(), beforeMs, by, deleted: 0 });
  const task: ClearTask = { task: 'clearJobs', clearingId: begun.after.id };
  const id = taskIdOf(task.clearingId);
  await commit([begun, taskMessage(task, { id, dueAtMs: deadlineAtMs })]);
  const hasTime = () => now() < deadlineAtMs - RESERVE_MS;
  const { record: clearing, isDone } = await deleteFinished(
    deletionOf(begun.after),
    begun.after,
    hasTime,
    beforeMs,
  );
  const deleted = clearing?.deleted ?? 0;
  if (!isDone) {
    await recordAndSend('batch', TASKS_QUEUE, task, { id, now });
    const { total, finished } = await countJobs(beforeMs);
    const skipped = total - finished;
    const message = `${deleted} jobs were deleted, and ${finished} more are deleted in the background. ${skipped} stay: they are not finished.`;
    return { deleted, skipped, message };
  }
  if (clearing) await endClearing(clearing, now());
  const { total: skipped } = await countJobs(beforeMs);
  return {
    deleted,
    skipped,
    message: `${deleted} jobs were deleted. ${skipped} stay: they are not finished.`,
  };
}

const deletionOf = ({ id, beforeMs }: Clearing): Deletion<Clearing> => ({
  beforeMs,
  read: () => clearings.get(id),
  counting: (clearing, { length }) => clearings.changing(clearing, { deleted: clearing.deleted + length }),
});

/** Goes on with a clearing whose call has ended. */
export async function continueClearing(task: ClearTask, nowMs: number): Promise<void> {
  const begun = await clearings.get(task.clearingId);
  if (!begun) return;
  const hasTime = (deleted: number) => deleted < JOBS_PER_MESSAGE;
  const { record: clearing, isDone } = await deleteFinished(deletionOf(begun), begun, hasTime, nowMs);
  if (!isDone) await recordAndSend('batch', TASKS_QUEUE, task, { id: taskIdOf(task.clearingId) });
  else if (clearing) await endClearing(clearing, nowMs);
}

/** Records the event and forgets the clearing. Of two runs that end at once, one does. */
async function endClearing(clearing: Stored<Clearing>, nowMs: number): Promise<void> {
  const { id, by, deleted } = clearing;
  await commit([
    clearings.deleting(clearing),
    canceling('batch', taskIdOf(id)),
    ...recordingEvent(
      { type: 'JobsCleared', message: say('event.jobs-cleared', { count: deleted }), by },
      nowMs,
    ),
  ]).catch(ifThrown(RaceLost));
}

/** The jobs that were created before a time: all, and those that are finished. */
async function countJobs(untilMs: number): Promise<{ readonly total: number; readonly finished: number }> {
  const none = { offset: 0, limit: 0, untilMs };
  const [all, finished] = await Promise.all([
    jobList().slice(none),
    jobList({ state: FINISHED }).slice(none),
  ]);
  return { total: all.total, finished: finished.total };
}
