import type { Caller } from '../../../../shared/access/caller.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { changingItem, commitChanges } from '../../flows/domain/change-item.ts';
import { taskMessage } from '../../flows/domain/tasks.ts';
import type { RestampData } from '../../items/domain/data.ts';
import { actorOf } from '../../items/domain/history.ts';
import { type Item, items, requireItem } from '../../items/domain/item.ts';
import { isInScope } from '../../tenants/domain/organization.ts';
import { chains, fileOf } from './chain.ts';
import { StampedFileChanged } from './imprint.ts';
import { newestProof } from './proof-of-file.ts';

type Restamp = Stored<Item<RestampData>>;

/** Tries a restamp again now, as a client requests. Refused with InvalidStatus for one that is applied. */
export const retryRestamp = (caller: Caller, id: string, nowMs: number): Promise<Item<RestampData>> =>
  retryOnConflict(async () => {
    const isVisible = ({ organizationId }: Item) => isInScope(caller, organizationId);
    const restamp = await requireItem<RestampData>('restamp', id, isVisible);
    return tryAgain(restamp, nowMs, actorOf(caller));
  });

/**
 * The next attempt of a restamp, with the expiry of the proof before it read anew. Its token is obtained by the task that
 * is recorded with it.
 */
export async function tryAgain(restamp: Restamp, nowMs: number, by?: string): Promise<Item<RestampData>> {
  const { data, id } = restamp;
  const updated = {
    ...data,
    ...{ attempts: data.attempts + 1, errorReason: null, retryDate: null },
    archivingExpiringDate: await expiryOf(data, nowMs),
  };
  const change = await changingItem(restamp, { event: 'updated', patch: { data: updated }, by }, nowMs);
  await commitChanges([change], [taskMessage('restamp', { kind: 'restamp', id })]);
  return change.after;
}

/** As it was where it cannot be read: the attempt will say so. */
async function expiryOf(data: RestampData, nowMs: number): Promise<string> {
  const { name, ...documentId } = fileOf(data);
  const [document, chain] = await Promise.all([items.get(documentId), chains.get(fileOf(data))]);
  try {
    if (!document) return data.archivingExpiringDate;
    const { endsAtMs } = await newestProof(document, name, chain, nowMs);
    return new Date(endsAtMs).toISOString();
  } catch (error) {
    if (!(error instanceof StampedFileChanged)) throw error;
    return data.archivingExpiringDate;
  }
}
