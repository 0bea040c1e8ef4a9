import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  type Event,
  PutBucketNotificationConfigurationCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../../../shared/embedded/database.ts';
import { createObjectStore } from '../../../../shared/embedded/objects/store.ts';
import { answeredHere, provideStores } from '../../../../shared/embedded/provided.ts';

export type S3Record = {
  readonly eventName: string;
  readonly s3: {
    readonly object: {
      readonly key: string;
      readonly size: number;
      readonly eTag: string;
      readonly sequencer: string;
    };
  };
};
export type Configuration = { event?: Event; arn?: string; prefix?: string; suffix?: string };

export const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:arrivals';

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-objects-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * An object store, and a client of the SDK that it answers until `close`. Its queues are a table of its database, where
 * every queue is there whose name does not begin with "missing".
 */
export function openObjects({ folder, now = Date.now }: { folder?: string; now?: () => number } = {}) {
  const opened = openDatabase(folder);
  let beforeCommit: (() => Promise<unknown>) | undefined;
  const database: Database = {
    ...opened,
    commit: async (work) => {
      const first = beforeCommit;
      beforeCommit = undefined;
      await first?.();
      return opened.commit(work);
    },
  };
  database.run('CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY, queue TEXT, body TEXT)');
  const enqueue = (queueArn: string, body: string) => {
    if (queueArn.includes(':missing')) throw new Error(`${queueArn} is not there`);
    database.run('INSERT INTO messages (queue, body) VALUES (?, ?)', queueArn, body);
  };
  const objects = createObjectStore(database, { folder, now, enqueue });
  const before = provideStores({ objects });
  const s3 = answeredHere('objects', new S3Client({ region: 'us-east-1' }));

  /** Takes the records that are in a queue. */
  const receive = (queue = QUEUE): S3Record[] => {
    const rows = [...database.each('SELECT id, body FROM messages WHERE queue = ? ORDER BY id', queue)];
    database.run('DELETE FROM messages WHERE queue = ?', queue);
    return rows.flatMap(({ body }) => JSON.parse(String(body)).Records);
  };

  const createBucket = async (): Promise<string> => {
    const Bucket = `files-${crypto.randomUUID()}`;
    await s3.send(new CreateBucketCommand({ Bucket }));
    return Bucket;
  };

  const configure = (Bucket: string, all: readonly Configuration[]) => {
    const QueueConfigurations = all.map(({ event = 's3:ObjectCreated:*', arn = QUEUE, prefix, suffix }) => {
      const FilterRules = [
        ...(prefix ? [{ Name: 'prefix' as const, Value: prefix }] : []),
        ...(suffix ? [{ Name: 'suffix' as const, Value: suffix }] : []),
      ];
      return { QueueArn: arn, Events: [event], Filter: { Key: { FilterRules } } };
    });
    const NotificationConfiguration = { QueueConfigurations };
    return s3.send(new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration }));
  };

  const close = () => {
    provideStores(before);
    database.close();
    objects.close();
  };
  /** Does something else between the start of the next write and its commit. */
  const beforeNextCommit = (work: () => Promise<unknown>) => {
    beforeCommit = work;
  };
  return { objects, s3, receive, createBucket, configure, beforeNextCommit, close };
}
