import type { TableStore } from '../../../shared/embedded/tables/store.ts';
import type { Item } from '../../../shared/embedded/tables/values.ts';

// The attribute of shared/store/lease.ts, and the keys of shared/store/semaphore/semaphore.ts.
const LEASE = 'leaseEndsAtMs';
const SEMAPHORE = 'SEMAPHORE#';

/**
 * Frees leases and semaphores that the previous engine held when it ended: its workers ended with its process. On AWS a
 * function may outlive any other, so there a lease ends by its time alone.
 */
export async function freeAbandonedWork(store: TableStore): Promise<void> {
  const { TableNames } = (await store.run('ListTables', {})) as { TableNames: string[] };
  for (const TableName of TableNames) await freeIn(store, TableName);
}

async function freeIn(store: TableStore, TableName: string): Promise<void> {
  for await (const item of abandonedIn(store, TableName)) {
    const Key = { pk: item.pk, ...(item.sk && { sk: item.sk }) };
    if (String(item.pk?.S).startsWith(SEMAPHORE)) await store.run('DeleteItem', { TableName, Key });
    else
      await store.run('UpdateItem', {
        TableName,
        Key,
        UpdateExpression: 'REMOVE #lease',
        ExpressionAttributeNames: { '#lease': LEASE },
      });
  }
}

async function* abandonedIn(store: TableStore, TableName: string): AsyncGenerator<Item> {
  let ExclusiveStartKey: Item | undefined;
  do {
    const page = (await store.run('Scan', {
      TableName,
      ExclusiveStartKey,
      FilterExpression: 'attribute_exists(#lease) OR begins_with(pk, :semaphore)',
      ExpressionAttributeNames: { '#lease': LEASE },
      ExpressionAttributeValues: { ':semaphore': { S: SEMAPHORE } },
    })) as { Items: Item[]; LastEvaluatedKey?: Item };
    yield* page.Items;
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
}
