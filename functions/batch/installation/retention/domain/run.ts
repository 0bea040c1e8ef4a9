import { randomUUID } from 'node:crypto';
import { recordAndSend } from '../../../../../shared/queue/outbox.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { canceling } from '../../../../../shared/store/due/message.ts';
import { retryOnConflict } from '../../../../../shared/store/retry-on-conflict.ts';
import { TASKS_QUEUE, type Task, taskMessage } from '../../../jobs/domain/job/tasks.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { both, inEnglish, type Sentence, say } from '../../../sentences/sentences.ts';
import {
  CLEANUP_ID,
  type Counts,
  cleanups,
  freshRun,
  type Run,
  runOf,
  STEPS,
  type Step,
  TakenOver,
} from './run-record.ts';
import { deleteFiles } from './steps/files.ts';
import { FILE_STEPS } from './steps/folders.ts';
import { releaseMissingOutputs } from './steps/missing-outputs.ts';
import { deleteOldEvents } from './steps/old-events.ts';
import { deleteOldJobs } from './steps/old-jobs.ts';

/** What a call did within its time. */
export type CleanupResult = Omit<Counts, 'leftoversDeleted'> & { readonly message: string };

type Limits = { readonly deadlineAtMs: number };

// For the commit under way and the answer.
const RESERVE_MS = 10_000;

const TASK: Task = { task: 'cleanUp' };
const TASK_ID = 'cleanup';

/**
 * Deletes old jobs, files and events as the settings of retention say, and files that belong to no job. Past its time it
 * goes on in the background. A run that is under way is taken over. Without `by` it is the nightly run, which is recorded
 * only when it did something.
 */
export async function cleanUp(
  { deadlineAtMs, by = null }: Limits & { readonly by?: string | null },
  now: () => number,
): Promise<CleanupResult> {
  const run = await takeRun({ deadlineAtMs, by }, now);
  const outcome = await workOff(run, now);
  const { leftoversDeleted, ...counts } = run.counts();
  return { ...counts, message: `${inEnglish(describe({ ...counts, leftoversDeleted }))}${REST[outcome]}` };
}

/** Goes on with the run whose process has ended, if there is one. */
export async function continueCleanup({ deadlineAtMs }: Limits, now: () => number): Promise<void> {
  const found = await cleanups.get(CLEANUP_ID);
  // A run that ends right now is begun again, and finds nothing to do.
  if (found && found.runner !== null) await workOff(await takeRun({ deadlineAtMs, by: null }, now), now);
}

/** Takes the run that is under way, or begins one. Its task is due when this process must have ended. */
const takeRun = (
  { deadlineAtMs, by }: Limits & { readonly by: string | null },
  now: () => number,
): Promise<Run> =>
  retryOnConflict(
    async () => {
      const found = await cleanups.get(CLEANUP_ID);
      const runner = randomUUID();
      const fresh = freshRun(by, now());
      const isUnderWay = found !== undefined && found.runner !== null;
      const write = !found
        ? cleanups.creating({ id: CLEANUP_ID, runner, searchedTo: null, ...fresh })
        : cleanups.changing(found, isUnderWay ? { runner, by: found.by ?? by } : { runner, ...fresh });
      await commit([write, taskMessage(TASK, { id: TASK_ID, dueAtMs: deadlineAtMs })]);
      return runOf(write.after, () => now() < deadlineAtMs - RESERVE_MS);
    },
    { mayCreate: true },
  );

type Outcome = keyof typeof REST;
const REST = {
  done: '',
  late: ' The rest is deleted in the background.',
  takenOver: ' Another run goes on with the rest.',
} as const;

async function workOff(run: Run, now: () => number): Promise<Outcome> {
  try {
    for (const step of STEPS.slice(STEPS.indexOf(run.record().step))) {
      run.enter(step);
      if (await WORK[step](run, now())) continue;
      await recordAndSend('batch', TASKS_QUEUE, TASK, { id: TASK_ID, now });
      return 'late';
    }
    await endRun(run, now());
    return 'done';
  } catch (error) {
    if (error instanceof TakenOver) return 'takenOver';
    throw error;
  }
}

const WORK: Readonly<Record<Step, (run: Run, nowMs: number) => Promise<boolean>>> = {
  outputs: (run) => deleteFiles(FILE_STEPS.outputs, run),
  missingOutputs: releaseMissingOutputs,
  errorFiles: (run) => deleteFiles(FILE_STEPS.errorFiles, run),
  jobs: deleteOldJobs,
  uploads: (run) => deleteFiles(FILE_STEPS.uploads, run),
  presigned: (run) => deleteFiles(FILE_STEPS.presigned, run),
  processing: (run) => deleteFiles(FILE_STEPS.processing, run),
  events: deleteOldEvents,
};

/** Records the event with the counts of the whole run. */
async function endRun(run: Run, nowMs: number): Promise<void> {
  const { by, counts } = run.record();
  const isRecorded = by !== null || Object.values(counts).some((count) => count > 0);
  const event = { type: 'CleanupRan', message: describe(counts), ...(by !== null && { by }) } as const;
  await run.save({ runner: null, cursor: null, pending: [] }, [
    canceling('batch', TASK_ID),
    ...(isRecorded ? recordingEvent(event, nowMs) : []),
  ]);
}

const describe = (counts: Counts): Sentence => {
  const { jobsDeleted, outputFilesDeleted, errorFilesDeleted, operationalEventsDeleted } = counts;
  const { leftoversDeleted, filesMissing, errors } = counts;
  return [
    say('cleanup.deleted', {
      jobs: jobsDeleted,
      outputs: outputFilesDeleted,
      errors: errorFilesDeleted,
      events: operationalEventsDeleted,
    }),
    ...(leftoversDeleted > 0 ? [say('cleanup.leftovers', { count: leftoversDeleted })] : []),
    ...(filesMissing > 0 ? [say('cleanup.missing', { count: filesMissing })] : []),
    ...(errors > 0 ? [say('cleanup.errors', { count: errors })] : []),
  ].reduce(both);
};
