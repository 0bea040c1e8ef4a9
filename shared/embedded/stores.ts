// DynamoDB, S3 and SQS on one folder, in the process that uses them. Several processes may use one folder.
import { openDatabase } from './database.ts';
import { createObjectStore, type ObjectStore } from './objects/store.ts';
import { createQueueStore, type QueueStore } from './queues/store.ts';
import { createTableStore, type Strict, type TableStore } from './tables/store.ts';

export type StoresOptions = {
  /** The folder of their data. Without one the data is in memory. */
  readonly folder?: string | undefined;
  readonly now?: () => number;
  /** Tables behave like DynamoDB under load. */
  readonly strict?: Strict | undefined;
};

export type Stores = {
  readonly tables: TableStore;
  readonly objects: ObjectStore;
  readonly queues: QueueStore;
  readonly close: () => void;
};

/** Opens the stores of a folder. @example const stores = openStores({ folder: '.local/store' }) */
export function openStores({ folder, now = Date.now, strict }: StoresOptions = {}): Stores {
  const database = openDatabase(folder);
  const queues = createQueueStore(database, { now });
  const objects = createObjectStore(database, { folder, now, enqueue: queues.enqueue });
  return {
    tables: createTableStore(database, {
      now,
      strict,
      putObject: (request) => objects.run('PutObject', request),
    }),
    objects,
    queues,
    close: () => {
      queues.close();
      database.close();
      objects.close();
    },
  };
}
