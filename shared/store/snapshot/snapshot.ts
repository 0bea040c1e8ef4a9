import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { type ServiceName, tableName } from '../../settings/names.ts';
import { dynamo } from '../client.ts';
import { type Attributes, type Key, toAttributes } from '../item.ts';
import type { Line } from '../lines/lines.ts';
import type { ItemWrite } from '../write.ts';
import {
  type Change,
  clearChanges,
  countCommits,
  drainChanges,
  keysOf,
  readChanges,
  readLines,
} from './changes.ts';
import { type Cut, takeCut } from './cut.ts';
import { removeSnapshot } from './gate.ts';
import { forgetMode } from './mode.ts';
import { GATE_KEYS, MODE_KEY } from './records.ts';
import { isExcludedKey, snapshotsOf } from './registry.ts';

/** One of the parts that a table is scanned in, and where its scan goes on. */
export type Segment = { readonly number: number; readonly of: number; readonly after: Key | null };

/** The items of a page, and where the scan goes on: null at the end of the segment. */
export type ScannedPage = {
  readonly lines: readonly Line[];
  readonly after: Key | null;
};

export type ReadChanges = { readonly lines: readonly Line[]; readonly read: readonly Change[] };

/**
 * A snapshot of a service's table while others write to it: every commit is in it wholly or not at all.
 *
 *   1  commit `starting()`, and wait for the settle time: from then on every writer takes part
 *   2  `scan` every segment: items as they are, of different moments
 *   3  `changes` and `readChanged`: what was written since; when it is stored, `drain`. Repeat until few are left.
 *   4  `cut`: the changes that are left, at one moment, while writers wait. The snapshot is of this moment.
 *   5  `end`
 *
 * The lines are applied in this order: of one key, the last counts. Each step may be repeated by another process.
 * @example const snapshot = snapshotOf('batch', backupId);
 *          await commit([...snapshot.starting(), backups.creating(backup)]);
 */
export function snapshotOf(service: ServiceName, snapshotId: string) {
  const table = tableName(service);
  // Settings are looked up once for many keys: that takes longer than the rest.
  const keeper = () => {
    const options = snapshotsOf(table);
    return ({ pk }: Key): boolean => !options || !isExcludedKey(options, pk);
  };

  return {
    /**
     * The writes that begin it, for the commit that makes sure that no other is taken: it ends one whose owner has left
     * it, and would end any.
     */
    starting: (): ItemWrite[] => [
      {
        item: {
          Put: {
            TableName: table,
            Item: toAttributes({ ...MODE_KEY, snapshotId }),
          },
        },
        afterCommit: async () => forgetMode(table),
      },
      ...GATE_KEYS.map((key) => ({
        item: {
          Put: {
            TableName: table,
            Item: toAttributes({ ...key, snapshotId, isOpen: true, commits: 0, drained: 0 }),
          },
        },
      })),
    ],

    /** One page of a segment. */
    async scan({ number, of, after }: Segment): Promise<ScannedPage> {
      const { Items = [], LastEvaluatedKey } = await dynamo().send(
        new ScanCommand({
          TableName: table,
          Segment: number,
          TotalSegments: of,
          ConsistentRead: true,
          ExclusiveStartKey: after ? toAttributes(after) : undefined,
        }),
      );
      const keep = keeper();
      const kept = Items.filter((item) => keep(keyOf(item)));
      return {
        lines: kept.map((put) => ({ put })),
        after: LastEvaluatedKey ? keyOf(LastEvaluatedKey) : null,
      };
    },

    /** How many commits there were since its start: a number that grows while others write. */
    commits: (): Promise<number> => countCommits(table),

    /** Changes that are not drained, about `limit` at most. */
    changes: (limit: number): Promise<Change[]> => readChanges(table, snapshotId, { limit }),

    /** The items of these changes as they are now, and the changes all of whose items were read: only they may be drained. */
    async readChanged(changes: readonly Change[]): Promise<ReadChanges> {
      const { lines, busy } = await readLines(table, keysOf(changes).filter(keeper()));
      const unread = new Set(busy.map(nameOf));
      return { lines, read: changes.filter(({ keys }) => !keys.some((key) => unread.has(nameOf(key)))) };
    },

    /** Forgets changes whose items are stored. */
    drain: (changes: readonly Change[]): Promise<void> => drainChanges(table, snapshotId, changes),

    /** The items of all changes that are left, at one moment. Throws SnapshotLost or CutTooSlow. */
    cut: (now: () => number): Promise<Cut> => takeCut(table, snapshotId, keeper(), now),

    /** Ends it: writers no longer take part. One that has ended is left alone. */
    async end(): Promise<void> {
      await removeSnapshot(table, snapshotId);
      forgetMode(table);
    },

    /** Deletes its records of changes, after its end. */
    clear: (): Promise<void> => clearChanges(table, snapshotId),
  };
}

export type Snapshot = ReturnType<typeof snapshotOf>;

const keyOf = ({ pk, sk }: Attributes): Key => ({ pk: pk?.S ?? '', sk: sk?.S ?? '' });
const nameOf = ({ pk, sk }: Key): string => JSON.stringify([pk, sk]);
