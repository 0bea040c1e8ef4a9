import { setTimeout as pause } from 'node:timers/promises';
import { commit } from './commit.ts';
import { RaceLost } from './refusals.ts';
import type { Write } from './write.ts';

type Entry = { readonly writes: readonly Write[] };

// DynamoDB takes no more in one transaction.
const MAX_WRITES = 100;

// From one group to the next. A request costs as much as several writes in it, and what is lost if the process is
// killed meanwhile is sent once more.
const GATHER_MS = 50;

/**
 * Commits entries together as they come: the first one at once, and what gathers meanwhile as the next group, so
 * that groups are as large as the load asks for. `done` tells of each entry that was committed, and of one that
 * came too late because another writer changed its item first.
 */
export function groupCommit<E extends Entry>(done: (entry: E, isCommitted: boolean) => void) {
  const waiting: E[] = [];
  let isWorking = false;
  let broken: { readonly error: unknown } | undefined;

  const work = async (): Promise<void> => {
    isWorking = true;
    try {
      while (waiting.length > 0) {
        const gathered = pause(GATHER_MS);
        const group = takeGroup(waiting);
        const kept = await commitEach(group);
        for (const entry of group) done(entry, kept.has(entry));
        if (waiting.length < MAX_WRITES) await gathered;
      }
    } catch (error) {
      broken ??= { error };
    }
    isWorking = false;
  };
  return {
    add(entry: E): void {
      waiting.push(entry);
      if (!isWorking) void work();
    },
    isWorking: (): boolean => isWorking,
    /** Why the store did not take a group, which is lost then; others may have been committed since. */
    failure: () => broken,
  };
}

function takeGroup<E extends Entry>(waiting: E[]): E[] {
  let writes = 0;
  const end = waiting.findIndex((entry) => {
    writes += entry.writes.length;
    return writes > MAX_WRITES;
  });
  return waiting.splice(0, end === -1 ? waiting.length : Math.max(end, 1));
}

/** All of them at once; and when one is refused, each by itself. */
export async function commitEach<E extends Entry>(group: readonly E[]): Promise<Set<E>> {
  try {
    await commit(group.flatMap(({ writes }) => writes));
    return new Set(group);
  } catch (error) {
    if (!(error instanceof RaceLost)) throw error;
    if (group.length === 1) return new Set();
  }
  const kept = new Set<E>();
  for (const entry of group) {
    for (const each of await commitEach([entry])) kept.add(each);
  }
  return kept;
}
