import { setTimeout as pause } from 'node:timers/promises';
import {
  BatchWriteItemCommand,
  type BatchWriteItemCommandOutput,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { jitteredBackoff } from '../../async/retry.ts';
import { dynamo } from '../client.ts';
import { keyAttributes } from '../item.ts';
import { keyOfLine, type Line } from './lines.ts';

// DynamoDB takes no more in one request.
const WRITES_PER_REQUEST = 25;
const REQUESTS_AT_ONCE = 8;

// A new table takes a few thousand writes a second and grows: a throttled one is given minutes.
const MAX_ATTEMPTS = 20;
const PAUSES = jitteredBackoff(50, 8);

/**
 * Writes lines in batches, several at once. No two of them that are under way have the same key.
 * @example const writer = lineWriter(tableName('batch')); await writer.add({ put: item }); await writer.flush();
 */
export function lineWriter(table: string) {
  let waiting = new Map<string, WriteRequest>();
  let underWay: { readonly keys: ReadonlySet<string>; readonly done: Promise<void> }[] = [];
  const send = async (): Promise<void> => {
    const batch = waiting;
    waiting = new Map();
    const keys = new Set(batch.keys());
    if (underWay.length >= REQUESTS_AT_ONCE || underWay.some((other) => !other.keys.isDisjointFrom(keys))) {
      await Promise.all(underWay.map(({ done }) => done));
      underWay = [];
    }
    const done = writeAll(table, [...batch.values()]);
    done.catch(() => undefined); // it is awaited with the others
    underWay.push({ keys, done });
  };
  return {
    add(line: Line): Promise<void> | undefined {
      waiting.set(JSON.stringify(keyOfLine(line)), requestOf(line));
      return waiting.size >= WRITES_PER_REQUEST ? send() : undefined;
    },
    async flush(): Promise<void> {
      if (waiting.size > 0) await send();
      await Promise.all(underWay.map(({ done }) => done));
    },
  };
}

const requestOf = (line: Line): WriteRequest =>
  'put' in line ? { PutRequest: { Item: line.put } } : { DeleteRequest: { Key: keyAttributes(line.delete) } };

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
