import { mkdtempSync, rmSync } from 'node:fs';
import { createDeclared } from '../infra/local/resources/create.ts';
import { readDeclared } from '../infra/local/resources/read.ts';
import { OWN_ENVIRONMENT } from '../infra/local/stores/endpoints.ts';
import { newSealingKeys } from '../infra/local/stores/sealing-key.ts';
import { provideStores } from '../shared/embedded/provided.ts';
import { openStores } from '../shared/embedded/stores.ts';
import { KEY_FOLDER } from './key-folder.ts';
import { offerEngine } from './shared-engine.ts';
import { TEMPLATE, temporaryPath } from './worker-stores.ts';

/** Once for the whole run: empty tables, buckets and queues, which each process of the tests copies for itself. */
export async function setup(): Promise<() => Promise<void>> {
  const template = mkdtempSync(temporaryPath('sinete-template-'));
  const engine = await offerEngine();
  // With a profile the SDK would look past the keys below.
  delete process.env.AWS_PROFILE;
  const shared = { STAGE: 'local', Authority__KeyFolder: KEY_FOLDER, [TEMPLATE]: template };
  Object.assign(process.env, OWN_ENVIRONMENT, newSealingKeys(), engine.env, shared);
  const stores = openStores({ folder: template });
  provideStores(stores);
  await createDeclared(readDeclared(process.cwd(), 'local'));
  stores.close();
  return async () => {
    await engine.stop();
    rmSync(template, { recursive: true, force: true });
  };
}
