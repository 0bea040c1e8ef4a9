import type { Caller } from '../../../../shared/access/caller.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { actorOf } from '../../items/domain/history.ts';
import { type Item, type ItemId, requireItem } from '../../items/domain/item.ts';
import { isInScope } from '../../tenants/domain/organization.ts';
import { type Change, type CommitPart, changingItem, commitChanges } from './change-item.ts';

type ClientChange = {
  readonly event: string;
  readonly reason: string;
  readonly cancellationReason?: string | undefined;
};

/**
 * A change that a client causes: reads the item, decides, commits, and reads it again where somebody else was faster. The
 * first part of the commit is the item's own.
 * @example changeInScope<EmissionData>(caller, { kind: 'emission', id }, async (emission) => [await changingItem(…)])
 */
export const changeInScope = <Data extends object>(
  caller: Caller,
  { kind, id }: ItemId,
  decide: (item: Stored<Item<Data>>) => Promise<readonly [Change<Data>, ...CommitPart[]]>,
): Promise<Item<Data>> =>
  retryOnConflict(async () => {
    const item = await requireItem<Data>(kind, id, ({ organizationId }) => isInScope(caller, organizationId));
    const parts = await decide(item);
    await commitChanges(parts);
    return parts[0].after;
  });

/**
 * One step that a client causes, with its reason and whatever else it causes.
 * @example changeByClient(caller, { kind: 'degree', id }, { event: 'restored', reason }, nowMs)
 */
export const changeByClient = <Data extends object>(
  caller: Caller,
  id: ItemId,
  { event, reason, cancellationReason }: ClientChange,
  nowMs: number,
  alsoOf: (item: Stored<Item<Data>>) => Promise<readonly CommitPart[]> = async () => [],
): Promise<Item<Data>> =>
  changeInScope<Data>(caller, id, async (item) => {
    const patch = { reason, cancellationReason: cancellationReason ?? null };
    const change = await changingItem<Data>(item, { event, patch, by: actorOf(caller) }, nowMs);
    return [change, ...(await alsoOf(item))];
  });
