import { createDeclared } from '../infra/local/resources/create.ts';
import { readDeclared } from '../infra/local/resources/read.ts';
import { startEmulators } from '../infra/local/stores/emulators.ts';
import { KEY_FOLDER } from './key-folder.ts';
import { offerEngine } from './shared-engine.ts';

/** Once for the whole run: real tables, buckets and queues in memory, found by every test in its environment. */
export async function setup(): Promise<() => Promise<void>> {
  const [stores, engine] = await Promise.all([startEmulators(), offerEngine()]);
  // With a profile the SDK would look past the keys below.
  delete process.env.AWS_PROFILE;
  const shared = { STAGE: 'local', Authority__KeyFolder: KEY_FOLDER };
  Object.assign(process.env, stores.env, engine.env, shared);
  await createDeclared(readDeclared(process.cwd(), 'local'));
  return async () => {
    await Promise.all([stores.stop(), engine.stop()]);
  };
}
