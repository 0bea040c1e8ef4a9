import { Refusal } from '../../../../../shared/errors/errors.ts';
import { ifThrown } from '../../../../../shared/errors/expected.ts';
import type { Logger } from '../../../../../shared/log/logger.ts';
import { recordAndSend } from '../../../../../shared/queue/outbox.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { canceling } from '../../../../../shared/store/due/message.ts';
import { RaceLost } from '../../../../../shared/store/refusals.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { say } from '../../../sentences/sentences.ts';
import { cancelJob } from '../cancel-job.ts';
import { deleteJob } from '../delete-job.ts';
import { type ActOptions, NotChosen } from '../job/act-options.ts';
import { TASKS_QUEUE, type Task } from '../job/tasks.ts';
import { retryJob } from '../retry-job.ts';
import { isMatch, walkPart } from '../search-jobs.ts';
import { type Bulk, type BulkKind, bulkStates, bulks, refusedOf } from './bulk.ts';
import { bulkSearch, bulkTaskId } from './start-bulk.ts';

type BulkTask = Extract<Task, { readonly task: 'bulkJobs' }>;

export type BulkRunner = {
  readonly logger: Logger;
  readonly hasTime: () => boolean;
  readonly now: () => number;
};

// Jobs of one request to the list.
const JOBS_PER_PART = 100;

/** Another run goes on with it, or somebody has stopped it. */
class TakenOver extends Error {
  override readonly name = 'TakenOver';
}

// A job, its count and the place in the list are one commit, which expects the record as this run has left it:
//
//   run 1  |--job 7, done 7, place 7--|-- killed
//   run 2                                |--reads done 7, place 7--|--job 8, done 8, place 8--| ...
//
// So a run may be killed anywhere, or be delivered twice: no job is done or counted twice.

/** Goes on with an action on many jobs, one after the other, as long as there is time. */
export async function runBulk({ bulkId }: BulkTask, runner: BulkRunner): Promise<void> {
  const begun = await bulks.get(bulkId);
  if (begun?.state !== 'Running') return;
  try {
    const { bulk, isDone } = await workOff(begun, runner);
    if (isDone) await endBulk(bulk, runner.now());
    else
      await recordAndSend(
        'batch',
        TASKS_QUEUE,
        { task: 'bulkJobs', bulkId },
        { id: bulkTaskId(bulkId), now: runner.now },
      );
  } catch (error) {
    ifThrown(TakenOver)(error);
  }
}

type Progress = { readonly bulk: Stored<Bulk>; readonly isDone: boolean };

async function workOff(begun: Stored<Bulk>, runner: BulkRunner): Promise<Progress> {
  const search = await bulkSearch(begun).catch((error: unknown) => {
    // The profile of the filter is gone, and so are its last jobs.
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  let bulk = begun;
  if (!search) return { bulk, isDone: true };
  const onlyIf = isMatch(search);
  for (;;) {
    const part = await walkPart(search, bulk.cursor ?? undefined, JOBS_PER_PART);
    if (!part) return { bulk, isDone: true };
    let passed: string | undefined;
    for (const { place, jobId } of part) {
      if (!runner.hasTime()) return { bulk, isDone: false };
      if (jobId === undefined) passed = place;
      else {
        bulk = await actOn(bulk, { jobId, place, onlyIf }, runner);
        passed = undefined;
      }
    }
    if (passed !== undefined) bulk = await save(bulk, { cursor: passed });
  }
}

type Chosen = { readonly jobId: string; readonly place: string; readonly onlyIf: ActOptions['onlyIf'] };

/** Does the action to one job, and counts the outcome. */
async function actOn(
  bulk: Stored<Bulk>,
  { jobId, place, onlyIf }: Chosen,
  { logger, now }: BulkRunner,
): Promise<Stored<Bulk>> {
  const counted = changing(bulk, { cursor: place, done: bulk.done + 1 });
  try {
    await ACTIONS[bulk.kind](bulk, jobId, { onlyIf, also: [counted] }, now());
    return counted.after;
  } catch (error) {
    if (error instanceof TakenOver) throw error;
    const code = codeOf(error);
    if (code === undefined) return save(bulk, { cursor: place, skipped: bulk.skipped + 1 });
    if (!(error instanceof Refusal))
      logger.warn('bulk action failed for a job', { bulkId: bulk.id, jobId, error });
    const refused = { ...bulk.refused, [code]: (bulk.refused[code] ?? 0) + 1 };
    return save(bulk, { cursor: place, refused });
  }
}

type Act = (bulk: Bulk, jobId: string, options: ActOptions, nowMs: number) => Promise<unknown>;

const ACTIONS: Readonly<Record<BulkKind, Act>> = {
  retry: (_, jobId, options, nowMs) => retryJob(jobId, nowMs, options),
  cancel: ({ by, reason }, id, options, nowMs) =>
    cancelJob({ application: by }, { id, reason }, nowMs, options),
  async delete({ by }, id, options, nowMs) {
    const outcome = await deleteJob({ application: by }, id, nowMs, options);
    if (outcome !== 'deleted') throw new NotDeleted(outcome);
  },
};

/** Its files cannot be put in their places now. */
class NotDeleted extends Error {
  override readonly name = 'NotDeleted';
}

// Somebody else was faster with the job: it is not one of those that were chosen any more.
const MOVED_ON: ReadonlySet<string> = new Set([
  'job.not-found',
  'job.not-queued',
  'job.not-failed',
  'job.race-lost',
]);

/** The code to count a failed action by; undefined where the job no longer matches. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof NotChosen) return undefined;
  if (error instanceof NotDeleted) return 'bulk.files-unsettled';
  if (!(error instanceof Refusal)) return 'internal';
  return MOVED_ON.has(error.code) ? undefined : error.code;
}

const changing = (bulk: Stored<Bulk>, patch: Partial<Bulk>) => ({
  ...bulks.changing(bulk, patch),
  refusal: () => new TakenOver(),
});

async function save(
  bulk: Stored<Bulk>,
  patch: Partial<Bulk>,
  also: readonly Write[] = [],
): Promise<Stored<Bulk>> {
  const write = changing(bulk, patch);
  await commit([write, ...also]).catch((error: unknown) => {
    throw error instanceof RaceLost ? new TakenOver() : error;
  });
  return write.after;
}

/** Records the event with the counts. */
async function endBulk(bulk: Stored<Bulk>, nowMs: number): Promise<void> {
  const { id, kind, by, done, skipped } = bulk;
  const state = bulkStates.next(bulk.state, 'finished');
  const message = say('bulk.ended', {
    kind: say(`bulk.${kind}`),
    id,
    done,
    refused: refusedOf(bulk),
    skipped,
  });
  await save(bulk, { ...(state && { state }), endedAtMs: nowMs }, [
    canceling('batch', bulkTaskId(id)),
    ...recordingEvent({ type: 'BulkAction', message, by }, nowMs),
  ]);
}
