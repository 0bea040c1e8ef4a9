import type { Key } from '../item.ts';

// A table while a snapshot is taken of it:
//
//   SNAPSHOT MODE             { snapshotId }                      tells writers that they take part
//   GATE#0 … GATE#15          { snapshotId, isOpen, commits, drained }
//   CHANGES#<id>#0 … #7       one record for each commit, with the keys that it writes
//
// A commit adds one to the count of a random open gate and writes its record, in its own transaction. So a closed set of
// gates means that no commit is half done, and the counts tell how many records there must be.

/** Commits that meet on one gate cancel each other: with so many, few do. */
const GATES = 16;

/** Each partition takes some 500 records a second. */
const LOGS = 8;

export const MODE_KEY: Key = { pk: 'SNAPSHOT', sk: 'MODE' };

export const GATE_KEYS: readonly Key[] = Array.from({ length: GATES }, (_, n) => ({
  pk: `GATE#${n}`,
  sk: 'GATE',
}));

export const randomGate = (): Key => GATE_KEYS[Math.floor(Math.random() * GATES)] as Key;

/** The partition keys of the records of a snapshot. */
export const logPartitions = (snapshotId: string): readonly string[] =>
  Array.from({ length: LOGS }, (_, n) => `CHANGES#${snapshotId}#${n}`);

/** Only the items of one snapshot: another one has gates of the same names. */
export const ofSnapshot = (snapshotId: string) => ({
  ConditionExpression: 'snapshotId = :id',
  ExpressionAttributeValues: { ':id': { S: snapshotId } },
});

/** The snapshot has no gates any more: it was canceled, or a writer found them closed for too long. */
export class SnapshotLost extends Error {
  override readonly name = 'SnapshotLost';

  constructor() {
    super('The gates of the snapshot were removed while it was taken.');
  }
}
