import { type Body, checkRequest, type Store } from './dynalite.ts';
import { isThrottled, isTransient } from './errors.ts';
import { type BatchRequest, batchRequests, type Writes } from './writes.ts';

/**
 * BatchWriteItem, each item by itself. One that a transaction has, or whose partition key has no write units left, is
 * unprocessed. When every item is throttled, so is the request.
 */
export const writeEach =
  (store: Store, writes: Writes) =>
  async (body: Body): Promise<Body> => {
    const requests = batchRequests(checkRequest('BatchWriteItem', body, store));
    const wanted = requests.map(([table, request]) => [table, request, asSingle(table, request)] as const);
    // A wrong key refuses the whole batch.
    await Promise.all(wanted.map(([, , [name, single]]) => writes.locate(writes.check(name, single))));
    const unprocessed: Record<string, BatchRequest[]> = {};
    const failures = await Promise.all(
      wanted.map(async ([table, request, [name, single]]) => {
        const failure = await writes.single(name, single).catch((error: unknown) => error);
        if (!(failure instanceof Error)) return undefined;
        if (!isTransient(failure)) throw failure;
        unprocessed[table] = [...(unprocessed[table] ?? []), request];
        return failure;
      }),
    );
    if (failures.every(isThrottled)) throw failures[0];
    return { UnprocessedItems: unprocessed };
  };

const asSingle = (TableName: string, { PutRequest, DeleteRequest }: BatchRequest) =>
  PutRequest
    ? (['PutItem', { TableName, Item: PutRequest.Item }] as const)
    : (['DeleteItem', { TableName, Key: DeleteRequest?.Key }] as const);
