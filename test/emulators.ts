import { mkdtempSync, rmSync } from 'node:fs';
import { createDeclared } from '../infra/local/resources/create.ts';
import { readDeclared } from '../infra/local/resources/read.ts';
import { ownEnvironment, sealingKeys } from '../infra/local/stores/emulators.ts';
import { startObjectsAndQueues } from '../infra/local/stores/objects-and-queues.ts';
import { provideStores } from '../shared/embedded/provided.ts';
import { openStores } from '../shared/embedded/stores.ts';
import { KEY_FOLDER } from './key-folder.ts';
import { offerEngine } from './shared-engine.ts';
import { TEMPLATE, temporaryPath } from './worker-stores.ts';

/** Once for the whole run: empty tables, buckets and queues, which each process of the tests copies for itself. */
export async function setup(): Promise<() => Promise<void>> {
  const template = mkdtempSync(temporaryPath('sinete-template-'));
  const [others, engine] = await Promise.all([startObjectsAndQueues(), offerEngine()]);
  // With a profile the SDK would look past the keys below.
  delete process.env.AWS_PROFILE;
  const shared = { STAGE: 'local', Authority__KeyFolder: KEY_FOLDER, [TEMPLATE]: template };
  Object.assign(process.env, ownEnvironment(others.endpoint), sealingKeys(), engine.env, shared);
  const stores = openStores({ folder: template });
  provideStores(stores);
  await createDeclared(readDeclared(process.cwd(), 'local'));
  stores.close();
  return async () => {
    await Promise.all([others.stop(), engine.stop()]);
    rmSync(template, { recursive: true, force: true });
  };
}
