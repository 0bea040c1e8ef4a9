import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OwnStores, startOwnStores } from '../../../infra/local/stores/own.ts';
import { newRing } from '../../../infra/local/stores/ring-file.ts';
import { createDeclared } from '../../../infra/runtime/resources/create.ts';
import { readDeclared } from '../../../infra/runtime/resources/read.ts';
import type { Strict } from '../../../shared/embedded/tables/store.ts';

/**
 * New stores on disk with what infra/*.yml declares. This process works on them until the stop, and a child process
 * finds them in its environment.
 * @example const { stop } = await startStores();
 */
export async function startStores({ strict }: { readonly strict?: Strict } = {}): Promise<OwnStores> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sinete-bench-'));
  const { stores, env, stop } = await startOwnStores({ dataDir, strict });
  Object.assign(process.env, env, { Sealing__Keys: newRing(), STAGE: 'local' });
  await createDeclared(readDeclared(process.cwd(), 'local'));
  return {
    stores,
    env,
    async stop() {
      await stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}
