// The S3 commands that Sinete uses, on files and SQLite in the process that calls them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Database } from '../database.ts';
import type { Request } from '../request.ts';
import { createBuckets } from './buckets.ts';
import { createCatalog } from './catalog.ts';
import { openContent } from './content.ts';
import { notImplemented } from './errors.ts';
import { createGarbage } from './garbage.ts';
import { createLinks, type Links } from './links.ts';
import { createMultipart } from './multipart.ts';
import { createNotify, type Enqueue } from './notifications.ts';
import { createReads } from './reads.ts';
import { createHandle } from './serve.ts';
import { createWrites } from './writes.ts';

export type ObjectStoreOptions = {
  /** The folder of the contents. Without one they are in a temporary folder until `close`. */
  readonly folder?: string | undefined;
  readonly now: () => number;
  readonly enqueue: Enqueue;
};

export type ObjectStore = {
  /** Runs a command by its name. @example await run('HeadObject', { Bucket, Key }) */
  readonly run: (command: string, request: Request) => Promise<object>;
  readonly links: Links;
  /**
   * Answers a request to one of the links. Gives the failure that it has answered by 500, for a log.
   * @example createServer(async (request, response) => report(await objects.handle(request, response)))
   */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<Error | undefined>;
  /** Removes the remains of crashes, in steps, and tells the number of files. For a quiet hour. */
  readonly collectGarbage: () => Promise<number>;
  readonly close: () => void;
};

/** The objects of a database, with their contents in a folder. */
export function createObjectStore(
  database: Database,
  { folder, now, enqueue }: ObjectStoreOptions,
): ObjectStore {
  const catalog = createCatalog(database);
  const content = openContent(folder);
  const notify = createNotify(database, enqueue, now);
  const writing = { database, catalog, content, notify, now };
  const links = createLinks(catalog, now);
  const garbage = createGarbage(writing);
  const commands: Record<string, (request: Request) => Promise<object>> = {
    ...createBuckets(database, catalog, now),
    ...createReads(catalog, content),
    ...createWrites(writing),
    ...createMultipart(writing),
  };
  const run = async (command: string, request: Request): Promise<object> => {
    const known = Object.hasOwn(commands, command) ? commands[command] : undefined;
    if (!known) throw notImplemented(`The embedded store does not implement ${command}.`);
    return known(request);
  };
  // Nobody waits for it: what is left is for the next time.
  void garbage.emptyIncoming();
  return {
    run,
    links,
    handle: createHandle({ catalog, links, run }),
    collectGarbage: garbage.collect,
    close: content.close,
  };
}
