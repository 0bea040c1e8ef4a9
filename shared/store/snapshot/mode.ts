import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { processWide } from '../../async/process-wide.ts';
import { dynamo } from '../client.ts';
import { keyAttributes } from '../item.ts';
import { MODE_KEY } from './records.ts';
import type { SnapshotOptions } from './registry.ts';

/** The mode of a table as this process has read it. */
type Mode = {
  /** Before the request: nothing older was read. */
  readonly readAtMs: number;
  /** Undefined while no snapshot is taken. */
  readonly snapshotId: string | undefined;
};

const copies = processWide('snapshot-modes', () => new Map<string, Promise<Mode>>());

// A writer that does not know of a snapshot, with a settle time of 20 s:
//
//   writer    |--reads: none--|--commit-------- may be sent until 10 s after the read --|
//   snapshot        |--writes the mode-------------------------------------------- 20 s --|--reads the first item
//
// A copy is read again after a quarter of the settle time. What was decided by it is sent within a half. The other half
// is for a request that is on its way. Durations are compared and never times, so clocks of two hosts may differ.

/** The share of the settle time for which a copy is used. */
const USED_FOR = 1 / 4;
/** The share of the settle time within which a write that was decided by a copy is sent. */
const SENT_WITHIN = 1 / 2;

/** The mode of a table: a copy that is young enough, or read now. */
export async function readMode(table: string, { settleMs }: SnapshotOptions): Promise<Mode> {
  const known = copies.get(table);
  if (known) {
    const mode = await known;
    const ageMs = Date.now() - mode.readAtMs;
    if (ageMs >= 0 && ageMs < settleMs() * USED_FOR) return mode;
    // Another caller may have begun to read it while this one waited.
    if (copies.get(table) === known) copies.delete(table);
  }
  const reading = copies.get(table) ?? read(table);
  if (!copies.has(table)) {
    copies.set(table, reading);
    reading.catch(() => copies.delete(table));
  }
  return reading;
}

async function read(table: string): Promise<Mode> {
  const readAtMs = Date.now();
  const { Item } = await dynamo().send(
    new GetItemCommand({ TableName: table, Key: keyAttributes(MODE_KEY), ConsistentRead: true }),
  );
  return { readAtMs, snapshotId: Item?.snapshotId?.S };
}

/** Has the next write read the mode again. */
export const forgetMode = (table: string): void => {
  copies.delete(table);
};

/**
 * The limit of a request that was decided by this copy: past it, the write counts as one without an answer. Undefined when
 * it is too late to send anything.
 */
export function sendingLimit({ readAtMs }: Mode, { settleMs }: SnapshotOptions) {
  const leftMs = Math.floor(readAtMs + settleMs() * SENT_WITHIN - Date.now());
  return leftMs > 0 ? { abortSignal: AbortSignal.timeout(leftMs) } : undefined;
}
