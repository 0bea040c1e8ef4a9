import { setTimeout as pause } from 'node:timers/promises';
import { commit } from './commit.ts';
import { RaceLost } from './refusals.ts';
import type { Write } from './write.ts';

type Entry = { readonly writes: readonly Write[] };

export type GroupCommitOptions<E> = {
  /** Called for each entry that was committed, or refused because another writer changed its item first. */
  readonly onSettled: (entry: E, isCommitted: boolean) => void;
  /** Called when the store does not take a group. The group is lost; later ones may still be committed. */
  readonly onFailed: (error: unknown) => void;
};

// DynamoDB takes no more in one transaction.
const MAX_WRITES = 100;

// From one group to the next. A request costs as much as several writes in it.
const GATHER_MS = 50;

/**
 * Commits entries together as they come: the first one at once, and those that gather meanwhile as the next group.
 * So groups are as large as the load asks for. An entry that waits is lost if the process is killed.
 * @example const results = groupCommit<AttemptResult>({ onSettled, onFailed });
 *          results.add(result);
 *          await results.flush();
 */
export function groupCommit<E extends Entry>({ onSettled, onFailed }: GroupCommitOptions<E>) {
  const waiting: E[] = [];
  const flushed = Promise.withResolvers<void>();
  let working: Promise<void> | undefined;

  const work = async (): Promise<void> => {
    try {
      while (waiting.length > 0) {
        const gathered = Promise.race([pause(GATHER_MS), flushed.promise]);
        const group = takeGroup(waiting);
        const committed = await commitEach(group);
        for (const entry of group) onSettled(entry, committed.has(entry));
        if (waiting.length < MAX_WRITES) await gathered;
      }
    } catch (error) {
      onFailed(error);
    }
    working = undefined;
  };
  return {
    add(entry: E): void {
      waiting.push(entry);
      working ??= work();
    },
    /**
     * For the end, when no more entries come: commits the waiting ones without a further delay. After a failure entries
     * may be left; they are lost.
     */
    async flush(): Promise<void> {
      flushed.resolve();
      while (working) await working;
    },
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

/** Commits the entries of a group together; when one is refused, each by itself. The result has the committed ones. */
export async function commitEach<E extends Entry>(group: readonly E[]): Promise<Set<E>> {
  try {
    await commit(group.flatMap(({ writes }) => writes));
    return new Set(group);
  } catch (error) {
    if (!(error instanceof RaceLost)) throw error;
    if (group.length === 1) return new Set();
  }
  const committed = new Set<E>();
  for (const entry of group) {
    for (const each of await commitEach([entry])) committed.add(each);
  }
  return committed;
}
