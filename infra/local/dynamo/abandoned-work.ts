import type { Body, Item } from './dynalite.ts';
import type { Operations } from './operations.ts';

// As shared/store/lease.ts and shared/store/semaphore/semaphore.ts write them.
const LEASE = 'leaseEndsAtMs';
const SEMAPHORE = /^SEMAPHORE#/;

/**
 * Frees what the engine before held when it ended: whoever worked on it is gone with its process. On AWS a function may
 * outlive any other, so there a lease ends by its time alone.
 * @example const abandoned = abandonedWork(); await findDamage(store, path, abandoned.see); await abandoned.free(operations)
 */
export function abandonedWork() {
  const leases: Body[] = [];
  const shards: Body[] = [];
  return {
    see(table: string, item: Item): void {
      const place = { TableName: table, Key: { pk: item.pk, ...(item.sk && { sk: item.sk }) } };
      if (item[LEASE]) leases.push(place);
      if (SEMAPHORE.test(String(item.pk?.S))) shards.push(place);
    },
    async free({ UpdateItem, DeleteItem }: Operations): Promise<void> {
      const removing = { UpdateExpression: 'REMOVE #lease', ExpressionAttributeNames: { '#lease': LEASE } };
      for (const place of leases) await UpdateItem?.({ ...place, ...removing });
      for (const place of shards) await DeleteItem?.(place);
    },
  };
}
