import type { Caller } from '../../../../../shared/access/caller.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { canceling } from '../../../../../shared/store/due/message.ts';
import { retryOnConflict } from '../../../../../shared/store/retry-on-conflict.ts';
import { errors } from '../../../errors.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { say } from '../../../sentences/sentences.ts';
import { requireShort } from '../../reason.ts';
import { FINISHED } from '../job/list.ts';
import { type JobState, jobStates } from '../job/states.ts';
import { taskMessage } from '../job/tasks.ts';
import { invalidFilter, type JobFilter, refuseTooMany, requireSearch } from '../list-jobs.ts';
import { type JobSearch, MAX_SEARCHED, searchJobs } from '../search-jobs.ts';
import { type Bulk, type BulkKind, bulkStates, bulks, newBulk, requireBulk } from './bulk.ts';

type BulkRequest = {
  readonly kind: BulkKind;
  readonly filter: JobFilter;
  readonly reason?: string | null | undefined;
  /** When the number was shown that somebody confirms. Now, if left out. */
  readonly beforeMs?: number | undefined;
};

/** The states of the jobs that an action takes. A canceled job is retried by itself, and never among many. */
export const BULK_STATES: Readonly<Record<BulkKind, readonly JobState[]>> = {
  retry: ['Failed'],
  cancel: jobStates.states.filter((state) => jobStates.accepts(state, 'canceledByOperator')),
  delete: FINISHED,
};

export const bulkTaskId = (id: string): string => `bulk:${id}`;

/**
 * Which jobs an action takes: those of the filter that it can take, and that were there when it was asked for. A retry
 * takes those that nobody has retried yet, so that it never makes two jobs of one.
 */
export async function bulkSearch({
  kind,
  filter,
  beforeMs,
}: Pick<Bulk, 'kind' | 'filter' | 'beforeMs'>): Promise<JobSearch> {
  const search = await requireSearch(filter);
  const accepted = BULK_STATES[kind];
  const states = search.states?.filter((state) => accepted.includes(state)) ?? accepted;
  if (states.length === 0)
    throw invalidFilter('status', `is of no job that this action takes: ${accepted.join(', ')}`);
  const earlier = (untilMs = beforeMs): number => Math.min(untilMs, beforeMs);
  return kind === 'retry'
    ? {
        ...search,
        states,
        failed: { ...search.failed, untilMs: earlier(search.failed?.untilMs), isOpen: true },
      }
    : { ...search, states, untilMs: earlier(search.untilMs) };
}

/** How many jobs an action would take now. It changes nothing. */
export async function previewBulk({ kind, filter }: BulkRequest, nowMs: number): Promise<number> {
  const search = await bulkSearch({ kind, filter, beforeMs: nowMs });
  const first = { page: 1, pageSize: 1 };
  return (await refuseTooMany(MAX_SEARCHED, () => searchJobs(search, first))).totalCount;
}

/** Begins an action on all jobs of a filter. It goes on in the background. */
export async function startBulk(
  { application: by }: Caller,
  request: BulkRequest,
  nowMs: number,
): Promise<Bulk> {
  const { kind, filter } = request;
  const reason = requireShort(request.reason) ?? null;
  const beforeMs = Math.min(request.beforeMs ?? nowMs, nowMs);
  const expected = await previewBulk(request, beforeMs);
  if (expected === 0) throw errors.refuse('bulk.nothing-matches');
  const write = bulks.creating(
    newBulk({ kind, filter, reason: reason || null, by, beforeMs, expected }, nowMs),
  );
  const { id } = write.after;
  await commit([
    write,
    taskMessage({ task: 'bulkJobs', bulkId: id }, { id: bulkTaskId(id) }),
    ...recordingEvent(
      {
        type: 'BulkAction',
        message: say('bulk.started', { kind: say(`bulk.${kind}`), count: expected, id }),
        by,
      },
      nowMs,
    ),
  ]);
  return write.after;
}

// The run meets the stop at its next job: the commit of that job expects the record as the run has left it.
//
//   run       |--job 7 + count--|--job 8 + count: refused, it ends--|
//   operator                |--Stopped--|

/** Stops an action. What was done stays done. */
export const stopBulk = ({ application: by }: Caller, id: string, nowMs: number): Promise<Bulk> =>
  retryOnConflict(async () => {
    const bulk = await requireBulk(id);
    const state = bulkStates.next(bulk.state, 'stoppedByOperator');
    if (!state) throw errors.refuse('bulk.not-running');
    const message = say('bulk.stopped', {
      kind: say(`bulk.${bulk.kind}`),
      count: bulk.expected,
      done: bulk.done,
      id,
    });
    return bulks.change(
      bulk,
      { state, endedAtMs: nowMs },
      {
        also: [
          canceling('batch', bulkTaskId(id)),
          ...recordingEvent({ type: 'BulkAction', message, by }, nowMs),
        ],
      },
    );
  });
