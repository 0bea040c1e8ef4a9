import { setTimeout as pause } from 'node:timers/promises';
import type { Counts } from './counts.ts';
import { canceled, transactionConflict, transactionInProgress } from './errors.ts';
import { TOKEN_PREFIX } from './keys.ts';
import type { Holding, Lock } from './lock.ts';

// A transaction of DynamoDB takes about so long, and has its items meanwhile.
const MIN_HOLD_MS = 15;
const MAX_HOLD_MS = 25;

/** How long a transaction has its items: resolves when it may commit. */
export type Hold = () => Promise<unknown>;

export const holdAsAws: Hold = () => pause(MIN_HOLD_MS + Math.random() * (MAX_HOLD_MS - MIN_HOLD_MS));

// Transactions that meet, as DynamoDB treats them: whoever comes later is refused, and nobody waits.
//
//   TransactWriteItems x, y  |--has x and y for 15 to 25 ms--|--commits--|
//   TransactWriteItems y, z       |--canceled: TransactionConflict, None
//   TransactGetItems x               |--canceled: TransactionConflict
//   PutItem y                           |--TransactionConflictException
//   GetItem y                              |--the value from before--|
//
// A plain write that is in progress refuses no TransactWriteItems, which waits for it; it does refuse TransactGetItems.
export function awsLock(lock: Lock, counts: Counts, hold: Hold): Lock {
  const held = new Set<string>();
  const written = new Map<string, number>();
  const isHeld = (key: string): boolean => held.has(key);

  const requireNone = (keys: string[], isTaken: (key: string) => boolean): void => {
    const items = keys.filter((key) => !key.startsWith(TOKEN_PREFIX));
    if (!items.some(isTaken)) return;
    throw canceled(items.map((key) => (isTaken(key) ? CONFLICT : { Code: 'None' })));
  };

  const transaction: Holding = async (keys, work) => {
    counts.transactions.tried += 1;
    if (keys.some((key) => key.startsWith(TOKEN_PREFIX) && isHeld(key))) throw transactionInProgress();
    counting(counts.transactions, () => requireNone(keys, isHeld));
    for (const key of keys) held.add(key);
    try {
      return await lock.transaction(keys, async () => {
        await hold();
        return work();
      });
    } finally {
      for (const key of keys) held.delete(key);
    }
  };

  const write: Holding = async (keys, work) => {
    counts.writes.tried += 1;
    counting(counts.writes, () => {
      if (keys.some(isHeld)) throw transactionConflict();
    });
    for (const key of keys) written.set(key, (written.get(key) ?? 0) + 1);
    try {
      return await lock.write(keys, work);
    } finally {
      for (const key of keys) decrement(written, key);
    }
  };

  // DynamoDB reads the items twice, and cancels when a write came in between.
  const transactionRead: Holding = async (keys, work) => {
    counts.reads.tried += 1;
    const check = () =>
      counting(counts.reads, () => requireNone(keys, (key) => isHeld(key) || written.has(key)));
    check();
    await hold();
    check();
    return lock.transactionRead(keys, work);
  };

  return { write, transaction, transactionRead, alone: lock.alone };
}

const CONFLICT = { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' };

function counting(count: { conflicts: number }, check: () => void): void {
  try {
    check();
  } catch (error) {
    count.conflicts += 1;
    throw error;
  }
}

function decrement(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 0) - 1;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}
