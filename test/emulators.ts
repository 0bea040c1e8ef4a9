import { startEmulators } from '../infra/local/emulators.ts';
import { createDeclared, readDeclared } from '../infra/local/resources.ts';
import { KEY_FOLDER } from './key-folder.ts';

/** Once for the whole run: real tables, buckets and queues in memory, found by every test in its environment. */
export async function setup(): Promise<() => Promise<void>> {
  const { env, stop } = await startEmulators();
  // With a profile the SDK would look past the keys below.
  delete process.env.AWS_PROFILE;
  Object.assign(process.env, env, { STAGE: 'local', Authority__KeyFolder: KEY_FOLDER });
  await createDeclared(readDeclared(process.cwd(), 'local'));
  return stop;
}
