import type { Collection, Stored } from '../collection.ts';
import { dueRounds } from './rounds.ts';

// Small enough that a task which ends early has read little in vain.
const PAGE_SIZE = 50;

/**
 * The items in some partitions of the due index whose time has come, longest due first among those that are read
 * together. They are read as they are taken, and no more are given once `hasTime` says no; the rest is still due. The
 * index may be a moment behind the table, so a change that follows must expect the item's version.
 * @example for await (const verdict of dueItems(verdicts, { partitions: DUE_VERDICTS, nowMs })) await renew(verdict);
 */
export async function* dueItems<T extends object, Id>(
  { service, read }: Collection<T, Id>,
  {
    partitions,
    nowMs,
    hasTime = () => true,
  }: {
    readonly partitions: readonly string[];
    readonly nowMs: number;
    readonly hasTime?: () => boolean;
  },
): AsyncGenerator<Stored<T>> {
  const now = (): number => nowMs;
  for await (const rows of dueRounds({ service, partitions, pageSize: PAGE_SIZE, now })) {
    for (const row of rows) {
      if (!hasTime()) return;
      yield read(row);
    }
  }
}
