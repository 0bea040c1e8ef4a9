import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { CommandRefusal, reasonOf } from '../../../shared/command-line/reason.ts';
import { provideStores } from '../../../shared/embedded/provided.ts';
import { openStores, type Stores } from '../../../shared/embedded/stores.ts';
import type { Strict } from '../../../shared/embedded/tables/store.ts';
import { freeAbandonedWork } from './abandoned-work.ts';
import { OWN_ENVIRONMENT, STORES_FOLDER } from './endpoints.ts';

export type OwnStores = {
  readonly stores: Stores;
  /** For the processes that use them too. */
  readonly env: Record<string, string>;
  stop(): Promise<void>;
};

type OwnStoresOptions = {
  /** Without one the data is in memory. */
  readonly dataDir?: string | undefined;
  readonly strict?: Strict | undefined;
};

/** The folder of the stores in a data folder. */
export const storesIn = (dataDir: string): string => join(dataDir, 'store');

// DynamoDB and SQS delete what has expired within days; minutes are enough to see it happen.
const COLLECT_EVERY_MS = 5 * 60 * 1000;

/** What earlier versions kept in the data folder. */
const OUTDATED = ['dynamodb', 's3-and-sqs'];

/**
 * Opens the stores of a data folder, and has the clients of this process answered by them until the stop. Whoever used
 * them before has ended.
 * @example const { env, stop } = await startOwnStores({ dataDir: '.local' });
 */
export async function startOwnStores({ dataDir, strict }: OwnStoresOptions = {}): Promise<OwnStores> {
  if (dataDir && OUTDATED.some((folder) => existsSync(join(dataDir, folder))))
    throw new CommandRefusal(
      `The data in ${dataDir} was written by an earlier version of the local engine, which this one does not read. Begin anew with --fresh, or use another folder with --data.`,
    );
  const folder = dataDir && storesIn(dataDir);
  const stores = openStores({ folder, strict });
  await freeAbandonedWork(stores.tables);
  await stores.queues.releaseAll();
  const links = await serveLinks(stores);
  const before = provideStores(stores);
  const collector = collectExpired(stores, console.error);
  return {
    stores,
    env: { ...OWN_ENVIRONMENT, ...(folder && { [STORES_FOLDER]: folder }), Stores__LinksUrl: links.url },
    async stop() {
      await collector.stop();
      await links.stop();
      provideStores(before);
      stores.close();
    },
  };
}

/** Deletes what has expired, and the remains of crashes, until the stop. One process of those that use a folder does it. */
export function collectExpired({ tables, queues, objects }: Stores, report: (line: string) => void) {
  let collecting: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    collecting = Promise.all([
      tables.collectExpired(),
      queues.collectExpired(),
      objects.collectGarbage(),
    ]).catch((error) => report(`What has expired in the stores stays: ${reasonOf(error)}`));
  }, COLLECT_EVERY_MS);
  timer.unref();
  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      await collecting;
    },
  };
}

/** Answers links to files. Only this machine can connect. */
export async function serveLinks({ objects }: Pick<Stores, 'objects'>) {
  const server = createServer(async (request, response) => {
    const failure = await objects.handle(request, response);
    if (failure) console.error(`A link to a file failed: ${failure.stack}`);
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    /** The process may end while it serves. */
    unref: () => void server.unref(),
  };
}

const listen = (server: Server) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
