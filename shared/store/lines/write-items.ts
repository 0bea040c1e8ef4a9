import { setTimeout as pause } from 'node:timers/promises';
import {
  BatchWriteItemCommand,
  type BatchWriteItemCommandOutput,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { jitteredBackoff } from '../../async/retry.ts';
import { dynamo } from '../client.ts';
import type { Attributes } from '../item.ts';

// DynamoDB takes no more in one request.
const WRITES_PER_REQUEST = 25;
const REQUESTS_AT_ONCE = 8;

// A new table takes a few thousand writes a second and grows: a throttled one is given minutes.
const MAX_ATTEMPTS = 20;
const PAUSES = jitteredBackoff(50, 8);

/**
 * Writes items in batches, several at once. No two of them have the same key.
 * @example const writer = itemWriter(tableName('batch')); await writer.add(item); await writer.flush();
 */
export function itemWriter(table: string) {
  let waiting: WriteRequest[] = [];
  let underWay: Promise<void>[] = [];
  const flush = async (): Promise<void> => {
    await Promise.all(underWay);
    underWay = [];
  };
  const send = async (): Promise<void> => {
    if (underWay.length >= REQUESTS_AT_ONCE) await flush();
    const writing = writeAll(table, waiting);
    waiting = [];
    writing.catch(() => undefined); // it is awaited with the others
    underWay.push(writing);
  };
  return {
    add(item: Attributes): Promise<void> | undefined {
      waiting.push({ PutRequest: { Item: item } });
      return waiting.length >= WRITES_PER_REQUEST ? send() : undefined;
    },
    async flush(): Promise<void> {
      if (waiting.length > 0) await send();
      await flush();
    },
  };
}

async function writeAll(table: string, requests: readonly WriteRequest[]): Promise<void> {
  let left: WriteRequest[] | undefined = [...requests];
  for (let attempt = 1; left && left.length > 0; attempt++) {
    if (attempt > MAX_ATTEMPTS)
      throw new Error(`${table} is throttled: ${left.length} items were not written.`);
    if (attempt > 1) await pause(PAUSES(attempt));
    const writing: BatchWriteItemCommandOutput = await dynamo().send(
      new BatchWriteItemCommand({ RequestItems: { [table]: left } }),
    );
    left = writing.UnprocessedItems?.[table];
  }
}
