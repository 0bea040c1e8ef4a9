import { randomBytes } from 'node:crypto';
import { collection, type Stored } from '../../../../../shared/store/collection.ts';
import { readLast } from '../../../../../shared/store/partition.ts';
import { type StateOf, stateMachine } from '../../../../../shared/store/state-machine.ts';
import { recordedTrace, type Traced } from '../../../../../shared/trace/trace.ts';
import { errors } from '../../../errors.ts';
import type { JobFilter } from '../list-jobs.ts';

export const BULK_KINDS = ['retry', 'cancel', 'delete'] as const;
export type BulkKind = (typeof BULK_KINDS)[number];

export const bulkStates = stateMachine({
  Running: { finished: 'Done', stoppedByOperator: 'Stopped' },
  Done: {},
  Stopped: {},
});

/** One action on all jobs of a filter, and how far it has come. */
export type Bulk = Traced & {
  readonly id: string;
  readonly kind: BulkKind;
  readonly filter: JobFilter;
  /** Why jobs are canceled. */
  readonly reason: string | null;
  readonly by: string;
  readonly state: StateOf<typeof bulkStates>;
  readonly startedAtMs: number;
  /** Jobs that were created, or have failed, at this time or later are left alone. */
  readonly beforeMs: number;
  readonly endedAtMs: number | null;
  /** How many jobs matched when it was started. */
  readonly expected: number;
  /** The place in the list that the walk has come to. */
  readonly cursor: string | null;
  /** Each job is counted in the commit that changes it. */
  readonly done: number;
  /** Jobs that no longer matched when their turn came. */
  readonly skipped: number;
  /** Jobs whose action was refused, by the code of the refusal. */
  readonly refused: Readonly<Record<string, number>>;
};

const DAY_SECONDS = 86_400;
// The event log tells of it for longer.
const KEPT_DAYS = 30;

const PARTITION = 'BULK';

export const bulks = collection<Bulk, string>({
  service: 'batch',
  name: 'bulk action',
  id: ({ id }) => id,
  key: (id) => ({ pk: PARTITION, sk: id }),
  indexed: ({ startedAtMs }) => ({ ttl: Math.ceil(startedAtMs / 1000) + KEPT_DAYS * DAY_SECONDS }),
});

type NewBulk = Pick<Bulk, 'kind' | 'filter' | 'reason' | 'by' | 'beforeMs' | 'expected'>;

export const newBulk = (request: NewBulk, nowMs: number): Bulk => ({
  ...recordedTrace(),
  ...request,
  // Ids are in the order of time, so that the newest are found without an index.
  id: `${new Date(nowMs).toISOString().replace(/\D/g, '')}-${randomBytes(4).toString('hex')}`,
  state: 'Running',
  startedAtMs: nowMs,
  endedAtMs: null,
  cursor: null,
  done: 0,
  skipped: 0,
  refused: {},
});

/** The bulk action with this id, or the refusal bulk.not-found. */
export async function requireBulk(id: string): Promise<Stored<Bulk>> {
  const bulk = /^\d{17}-[0-9a-f]{8}$/.test(id) ? await bulks.get(id) : undefined;
  if (!bulk) throw errors.refuse('bulk.not-found');
  return bulk;
}

const MAX_LISTED = 20;

/** The newest bulk actions, the newest first. */
export const listBulks = async (): Promise<Stored<Bulk>[]> =>
  (await readLast('batch', PARTITION, MAX_LISTED)).map(bulks.read);

export const refusedOf = ({ refused }: Bulk): number =>
  Object.values(refused).reduce((sum, count) => sum + count, 0);

const isoOf = (ms: number | null | undefined): string | null =>
  typeof ms === 'number' ? new Date(ms).toISOString() : null;

/** A bulk action as the API shows it. */
export const renderBulk = (bulk: Bulk) => ({
  id: bulk.id,
  action: bulk.kind,
  status: bulk.state,
  filter: {
    status: bulk.filter.status ?? null,
    profile: bulk.filter.profile ?? null,
    source: bulk.filter.source ?? null,
    text: bulk.filter.text ?? null,
    error: bulk.filter.error ?? null,
    from: isoOf(bulk.filter.fromMs),
    // Both ends are in the range.
    to: isoOf(bulk.filter.untilMs && bulk.filter.untilMs - 1),
    failedFrom: isoOf(bulk.filter.failedFromMs),
    failedTo: isoOf(bulk.filter.failedUntilMs && bulk.filter.failedUntilMs - 1),
  },
  reason: bulk.reason,
  by: bulk.by,
  startedAt: new Date(bulk.startedAtMs).toISOString(),
  endedAt: isoOf(bulk.endedAtMs),
  expected: bulk.expected,
  done: bulk.done,
  skipped: bulk.skipped,
  refused: Object.entries(bulk.refused).map(([code, count]) => ({ code, count })),
});
