import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { RequestOptions } from '../client.ts';
import { GATE_ITEMS, sendThroughGate } from './gate.ts';
import { forgetMode, readMode, sendingLimit } from './mode.ts';
import { isExcludedKey, type SnapshotOptions, snapshotsOf } from './registry.ts';

// DynamoDB takes no more in one transaction.
const ITEMS_PER_TRANSACTION = 100;

/** The items that one commit may write to a table. Where snapshots are taken of it, a gate and a record have room. */
export const roomOf = (table: string): number =>
  snapshotsOf(table) ? ITEMS_PER_TRANSACTION - GATE_ITEMS : ITEMS_PER_TRANSACTION;

// A store that takes half of the settle time to answer hardly answers at all.
const MAX_LATE_READS = 3;

/**
 * Sends writes to a table so that a snapshot has all of them or none: as `sendPlain` does while none is taken, and in a
 * transaction with a gate while one is. Costs nothing where the service takes no snapshots.
 * @example await sendAlongSnapshot(table, [{ Update }], (request) => dynamo().send(new UpdateItemCommand(Update), request));
 */
export async function sendAlongSnapshot(
  table: string,
  writes: readonly TransactWriteItem[],
  sendPlain: (request: RequestOptions) => Promise<void>,
  { abortSignal }: RequestOptions = {},
): Promise<void> {
  const options = snapshotsOf(table);
  const request = abortSignal ? { abortSignal } : {};
  if (!options || writes.every((write) => isExcluded(options, write))) return sendPlain(request);
  for (let lateReads = 0; lateReads < MAX_LATE_READS; ) {
    const mode = await readMode(table, options);
    const { snapshotId } = mode;
    if (snapshotId === undefined) {
      const limit = sendingLimit(mode, options);
      if (limit)
        return sendPlain(
          abortSignal ? { abortSignal: AbortSignal.any([limit.abortSignal, abortSignal]) } : limit,
        );
      forgetMode(table);
      lateReads += 1;
      continue;
    }
    const hasEnded = async (): Promise<boolean> => {
      forgetMode(table);
      return (await readMode(table, options)).snapshotId !== snapshotId;
    };
    if (await sendThroughGate(table, snapshotId, writes, { hasEnded, request })) return;
  }
  throw new Error(`${table} answers too slowly to know whether a snapshot is taken. Nothing was written.`);
}

function isExcluded(options: SnapshotOptions, { Put, Update, Delete }: TransactWriteItem): boolean {
  const { pk } = Put?.Item ?? Update?.Key ?? Delete?.Key ?? {};
  return pk?.S === undefined || isExcludedKey(options, pk.S);
}
