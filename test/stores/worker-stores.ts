import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STORES_FOLDER } from '../../infra/local/stores/endpoints.ts';
import { serveLinks } from '../../infra/local/stores/own.ts';
import { provideStores } from '../../shared/embedded/provided.ts';
import { openStores, type Stores } from '../../shared/embedded/stores.ts';

/** The variable with the folder of empty stores that every process of the tests copies. */
export const TEMPLATE = 'STORES_TEMPLATE';

/** The start of a name for a folder that ends with the tests. */
export const temporaryPath = (prefix: string): string => join(tmpdir(), prefix);

type Kind = 'plain' | 'strict';
type Opened = { readonly folder: string; readonly stores: Stores; readonly linksUrl: string };

// For the life of the process: the files of a project share it, and modules are loaded anew for each file.
const OPEN = Symbol.for('tests.stores');
const open = globalThis as { [OPEN]?: Partial<Record<Kind | 'used', Opened>> };

/** Has the clients of this process answered by stores of its own, which a child process finds in its environment. */
export async function useWorkerStores(kind: Kind): Promise<void> {
  open[OPEN] ??= {};
  open[OPEN][kind] ??= await openCopy(kind);
  use(open[OPEN][kind]);
}

/** The same by new stores, until they are stopped. */
export async function useOwnStores(kind: Kind): Promise<Opened & { stop(): Promise<void> }> {
  const own = await openCopy(kind);
  const before = use(own);
  return {
    ...own,
    async stop() {
      use(before);
      await own.stopLinks();
      own.stores.close();
      rmSync(own.folder, { recursive: true, force: true });
    },
  };
}

/** Gives back those before. The first are those of the process, and are there for its life. */
function use(next: Opened): Opened {
  open[OPEN] ??= {};
  const { used: before = next } = open[OPEN];
  open[OPEN].used = next;
  provideStores(next.stores);
  process.env[STORES_FOLDER] = next.folder;
  process.env.Stores__LinksUrl = next.linksUrl;
  return before;
}

async function openCopy(kind: Kind) {
  const folder = mkdtempSync(temporaryPath('sinete-stores-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  cpSync(process.env[TEMPLATE] ?? '', folder, { recursive: true });
  // By the clock of the test, where it has one.
  const stores = openStores({ folder, now: () => Date.now(), ...(kind === 'strict' && { strict: {} }) });
  const links = await serveLinks(stores);
  links.unref();
  return { folder, stores, linksUrl: links.url, stopLinks: links.stop };
}
