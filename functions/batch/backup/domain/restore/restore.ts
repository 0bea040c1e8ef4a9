import { setTimeout as pause } from 'node:timers/promises';
import {
  BatchWriteItemCommand,
  type BatchWriteItemCommandOutput,
  ScanCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { jitteredBackoff } from '../../../../../shared/async/retry.ts';
import type { Files } from '../../../../../shared/files/files.ts';
import { tableName } from '../../../../../shared/settings/names.ts';
import { dynamo } from '../../../../../shared/store/client.ts';
import { type Attributes, keyAttributes } from '../../../../../shared/store/item.ts';
import { keyOfLine, type Line, parseLine } from '../../../../../shared/store/snapshot/lines.ts';
import { SHARES_PK } from '../../../storage/domain/share.ts';
import type { Manifest } from '../manifest.ts';
import { readPart, verifyBackup } from './verify.ts';

/** The table has items: a restore would mix two stores. */
export class TableNotEmpty extends Error {
  override readonly name = 'TableNotEmpty';
}

export type Restored = { readonly manifest: Manifest; readonly puts: number; readonly deletes: number };

/**
 * Writes a backup into the table of this process's stage, which must be empty. The whole backup is verified before the
 * first write. Throws TableNotEmpty or BackupDamaged.
 */
export async function restoreBackup(store: Files, backupId: string): Promise<Restored> {
  await requireEmptyTable();
  const { manifest } = await verifyBackup(store, backupId);
  await requireEmptyTable();
  let [puts, deletes] = [0, 0];
  // One part after another, and of one part no key twice in a request: the last line of a key wins.
  for (const part of manifest.parts) {
    const writer = batchWriter(tableName('batch'));
    await readPart(store, backupId, part, (text) => {
      const line = parseLine(text);
      if ('put' in line) puts += 1;
      else deletes += 1;
      return writer.add(line);
    });
    await writer.flush();
  }
  return { manifest, puts, deletes };
}

/** Shares may be there: the backup may be on one, and is opened with its record. */
async function requireEmptyTable(): Promise<void> {
  const TableName = tableName('batch');
  let start: Attributes | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamo().send(
      new ScanCommand({ TableName, ConsistentRead: true, Limit: 100, ExclusiveStartKey: start }),
    );
    const other = Items.find(({ pk }) => pk?.S !== SHARES_PK);
    if (other)
      throw new TableNotEmpty(
        `The table ${TableName} has items, ${other.pk?.S} among them. A backup is restored into an empty table only.`,
      );
    start = LastEvaluatedKey;
  } while (start);
}

// DynamoDB takes no more in one request.
const WRITES_PER_REQUEST = 25;
const REQUESTS_AT_ONCE = 8;

// A new table takes a few thousand writes a second and grows: a throttled one is given minutes.
const MAX_ATTEMPTS = 20;
const PAUSES = jitteredBackoff(50, 8);

/** Writes lines in batches, several at once. No two of them that are under way have the same key. */
function batchWriter(table: string) {
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
