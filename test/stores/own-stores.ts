import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STORES_FOLDER } from '../../infra/local/stores/endpoints.ts';
import { serveLinks } from '../../infra/local/stores/own.ts';
import { provideStores } from '../../shared/embedded/provided.ts';
import { openStores, type Stores } from '../../shared/embedded/stores.ts';

/** The variable with the folder of empty stores that tests copy. */
export const TEMPLATE = 'STORES_TEMPLATE';

/** The start of a name for a folder that ends with the tests. */
export const temporaryPath = (prefix: string): string => join(tmpdir(), prefix);

type Kind = 'plain' | 'strict';
type Opened = { readonly folder: string; readonly stores: Stores; readonly linksUrl: string };

// Modules are loaded anew for each file, and a file's stores may stand behind those of one of its tests.
const USED = Symbol.for('tests.stores');
const using = globalThis as { [USED]?: Opened | undefined };

/**
 * Has the clients of this process answered by new stores until they are stopped, and then by those before. A child process
 * finds them in its environment.
 * @example const { stores, stop } = await useOwnStores('strict');
 */
export async function useOwnStores(kind: Kind): Promise<Opened & { stop(): Promise<void> }> {
  const own = await openCopy(kind);
  const before = using[USED];
  use(own);
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

function use(next: Opened | undefined): void {
  using[USED] = next;
  provideStores(next?.stores);
  for (const [name, value] of [
    [STORES_FOLDER, next?.folder],
    ['Stores__LinksUrl', next?.linksUrl],
  ] as const)
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
}

async function openCopy(kind: Kind) {
  const folder = mkdtempSync(temporaryPath('sinete-stores-'));
  cpSync(process.env[TEMPLATE] ?? '', folder, { recursive: true });
  // By the clock of the test, where it has one.
  const stores = openStores({ folder, now: () => Date.now(), ...(kind === 'strict' && { strict: {} }) });
  const links = await serveLinks(stores);
  links.unref();
  return { folder, stores, linksUrl: links.url, stopLinks: links.stop };
}
