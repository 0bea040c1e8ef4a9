import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import { commitAlone, followUp, ITEMS_PER_TRANSACTION } from '../commit.ts';
import { RaceLost } from '../refusals.ts';
import { type ItemWrite, onePerItem, type Write } from '../write.ts';

type Entry = { readonly writes: readonly Write[] };
type Waiting = Entry & { readonly result: PromiseWithResolvers<boolean> };

// From one group to the next. A request costs as much as several writes in it.
const GATHER_MS = 50;

// By table, the entries that wait. A table is here while one of its groups is committed.
const tables = new Map<string, Waiting[]>();

/**
 * Commits writes, all or nothing, in one transaction with others of this process that are independent of them: the
 * first goes at once, and those that gather meanwhile are the next group. So groups are as large as the load asks for.
 * False when they were refused because another writer changed an item first. Two entries must not write the same item.
 * @example if (await commitTogether(result.writes)) await sendNext();
 */
export function commitTogether(writes: readonly Write[]): Promise<boolean> {
  const table = tableOf(onePerItem(writes));
  const entry: Waiting = { writes, result: Promise.withResolvers() };
  const waiting = tables.get(table);
  if (waiting) waiting.push(entry);
  else void commitGroups(table, [entry]);
  return entry.result.promise;
}

/** A commit is of one service, and so of one table. */
function tableOf(writes: readonly ItemWrite[]): string {
  const { Put, Update, Delete, ConditionCheck } = writes[0]?.item ?? {};
  return (Put ?? Update ?? Delete ?? ConditionCheck)?.TableName ?? '';
}

async function commitGroups(table: string, waiting: Waiting[]): Promise<void> {
  tables.set(table, waiting);
  while (waiting.length > 0) {
    // Whoever comes in the same turn of the event loop is in the group.
    await setImmediate();
    const gathered = pause(GATHER_MS);
    const group = takeGroup(waiting);
    const reject = (error: unknown): void => {
      for (const { result } of group) result.reject(error);
    };
    try {
      const { committed, items } = await commitApart(group);
      const resolve = (): void => {
        for (const entry of group) entry.result.resolve(committed.has(entry));
      };
      // The next group does not wait for the messages of this one.
      void followUp(items).then(resolve, reject);
    } catch (error) {
      reject(error);
    }
    if (waiting.flatMap(({ writes }) => writes).length < ITEMS_PER_TRANSACTION) await gathered;
  }
  tables.delete(table);
}

function takeGroup<E extends Entry>(waiting: E[]): E[] {
  let writes = 0;
  const end = waiting.findIndex((entry) => {
    writes += entry.writes.length;
    return writes > ITEMS_PER_TRANSACTION;
  });
  return waiting.splice(0, end === -1 ? waiting.length : Math.max(end, 1));
}

/**
 * Commits the entries of a group together; when one is refused, each by itself. The result has the committed ones.
 * @example const replayed = await commitEach(replays);
 */
export async function commitEach<E extends Entry>(group: readonly E[]): Promise<Set<E>> {
  const { committed, items } = await commitApart(group);
  await followUp(items);
  return committed;
}

type Committed<E> = { readonly committed: Set<E>; readonly items: readonly ItemWrite[] };

async function commitApart<E extends Entry>(group: readonly E[]): Promise<Committed<E>> {
  try {
    const items = await commitAlone(group.flatMap(({ writes }) => writes));
    return { committed: new Set(group), items };
  } catch (error) {
    if (!(error instanceof RaceLost)) throw error;
    if (group.length === 1) return { committed: new Set(), items: [] };
  }
  const parts: Committed<E>[] = [];
  for (const entry of group) parts.push(await commitApart([entry]));
  return {
    committed: new Set(parts.flatMap(({ committed }) => [...committed])),
    items: parts.flatMap(({ items }) => items),
  };
}
