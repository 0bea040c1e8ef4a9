import { setTimeout as pause } from 'node:timers/promises';
import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamo } from '../client.ts';
import { type Attributes, type Key, keyAttributes } from '../item.ts';
import type { Line } from '../lines/lines.ts';
import { retryWhileLocked } from '../retry-on-conflict.ts';
import { type Change, keysOf, readChanges, readLines } from './changes.ts';
import { GATE_KEYS, SnapshotLost } from './records.ts';

/** The gates were closed for as long as writers may wait, and are open again. Another cut may be quicker. */
export class CutTooSlow extends Error {
  override readonly name = 'CutTooSlow';

  constructor() {
    super('The last changes were not read in time.');
  }
}

export type Cut = { readonly lines: readonly Line[]; readonly atMs: number };

// Writers open the gates by force after five seconds. A cut gives up before that, and the next one has less to read.
const MAX_CLOSED_MS = 3_000;
const PAUSE_MS = 5;

// The moment of a snapshot:
//
//   writers  |--commit--|--commit--|        (closed: they wait)         |--commit--|
//   cut                    |--closes all gates--|--reads the last changes and their items--|--opens the gates--|
//
// A gate that is closed has let the last commit through, and knows how many it let through. A commit that DynamoDB is
// still spreading over its items has no record in the log yet: the log is read until it has as many as the gates say.
// Gates that were closed at the end were closed all the time: nobody but their snapshot closes or opens them.

/**
 * Reads the items that changed since they were read last, at one moment. Writers wait for it. Throws SnapshotLost or
 * CutTooSlow. The gates are open afterwards and changes are still recorded, so that a cut whose result is lost can be
 * made again.
 */
export async function takeCut(
  table: string,
  snapshotId: string,
  keep: (key: Key) => boolean,
  now: () => number,
): Promise<Cut> {
  const startedAt = performance.now();
  const requireTime = (): void => {
    if (performance.now() - startedAt > MAX_CLOSED_MS) throw new CutTooSlow();
  };
  try {
    const gates = await setGates(table, snapshotId, { isOpen: false });
    const atMs = now();
    const expected = gates.reduce((sum, gate) => sum + leftOf(gate), 0);
    let changes = await readChanges(table, snapshotId);
    while (changes.length < expected) {
      requireTime();
      await pause(PAUSE_MS);
      changes = await readChanges(table, snapshotId);
    }
    const { lines, busy } = await readLines(table, keptKeys(changes, keep));
    requireTime();
    if (busy.length > 0) throw new CutTooSlow();
    await setGates(table, snapshotId, { isOpen: true });
    return { lines, atMs };
  } catch (error) {
    if (!(error instanceof SnapshotLost))
      await setGates(table, snapshotId, { isOpen: true }).catch(() => undefined);
    throw error;
  }
}

const keptKeys = (changes: readonly Change[], keep: (key: Key) => boolean): Key[] =>
  keysOf(changes).filter(keep);

const leftOf = ({ commits, drained }: Attributes): number =>
  Number(commits?.N ?? 0) - Number(drained?.N ?? 0);

/** Opens or closes all gates, whatever they are. Returns them. */
const setGates = (
  table: string,
  snapshotId: string,
  { isOpen }: { readonly isOpen: boolean },
): Promise<Attributes[]> => Promise.all(GATE_KEYS.map((key) => setGate(table, key, snapshotId, isOpen)));

// A crowd at a gate outlasts the usual attempts: a cut must not fail for it.
const MAX_ROUNDS = 10;

async function setGate(
  TableName: string,
  key: Key,
  snapshotId: string,
  isOpen: boolean,
): Promise<Attributes> {
  const update = new UpdateItemCommand({
    TableName,
    Key: keyAttributes(key),
    UpdateExpression: 'SET isOpen = :isOpen',
    // Opened by force and made again, it would be of another snapshot.
    ConditionExpression: isOpen ? 'snapshotId = :id AND isOpen = :no' : 'snapshotId = :id',
    ExpressionAttributeValues: {
      ':id': { S: snapshotId },
      ':isOpen': { BOOL: isOpen },
      ...(isOpen && { ':no': { BOOL: false } }),
    },
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  for (let round = 1; ; round++) {
    try {
      const { Attributes = {} } = await retryWhileLocked(() => dynamo().send(update));
      return Attributes;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) {
        // The client sent it again after an answer was lost: the gate is open already. Without that, another process has
        // opened it, and commits came through.
        const isRepeat = (error.$metadata.attempts ?? 1) > 1 && error.Item?.snapshotId?.S === snapshotId;
        if (!isRepeat) throw new SnapshotLost();
        return error.Item ?? {};
      }
      if (round >= MAX_ROUNDS) throw error;
    }
  }
}
