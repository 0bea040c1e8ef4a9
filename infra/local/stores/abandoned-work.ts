import type { TableStore } from '../../../shared/embedded/tables/store.ts';

/**
 * Frees leases and semaphores that the previous engine held when it ended: its workers ended with its process. On AWS a
 * function may outlive any other, so there a lease ends by its time alone.
 */
export async function freeAbandonedWork(store: TableStore): Promise<void> {
  await Promise.all(
    store.findHeld().map(({ TableName, Key, attribute }) =>
      attribute
        ? store.run('UpdateItem', {
            TableName,
            Key,
            UpdateExpression: 'REMOVE #lease',
            ExpressionAttributeNames: { '#lease': attribute },
          })
        : store.run('DeleteItem', { TableName, Key }),
    ),
  );
}
