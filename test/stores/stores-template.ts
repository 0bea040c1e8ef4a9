import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OWN_ENVIRONMENT } from '../../infra/local/stores/endpoints.ts';
import { newRing } from '../../infra/local/stores/ring-file.ts';
import { createDeclared } from '../../infra/runtime/resources/create.ts';
import { readDeclared } from '../../infra/runtime/resources/read.ts';
import { provideStores } from '../../shared/embedded/provided.ts';
import { openStores } from '../../shared/embedded/stores.ts';
import { KEY_FOLDER } from '../certificates/key-folder.ts';
import { offerEngine } from '../servers/shared-engine.ts';
import { TEMPLATE, temporaryPath } from './own-stores.ts';

// Memory where there is room: engines and hosts wait for a disk at every commit, and tests need none.
const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4e9;

function roomIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** A folder for all temporary files of the run, of its child processes too. */
function enterRunFolder(): string {
  const place = roomIn(MEMORY) > ENOUGH_BYTES ? MEMORY : tmpdir();
  const folder = mkdtempSync(join(place, 'sinete-tests-'));
  process.env.TMPDIR = folder;
  return folder;
}

/** Once for the whole run: empty tables, buckets and queues, which each process of the tests copies for itself. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = enterRunFolder();
  const template = mkdtempSync(temporaryPath('sinete-template-'));
  const engine = await offerEngine();
  // With a profile the SDK would look past the keys below.
  delete process.env.AWS_PROFILE;
  const shared = {
    STAGE: 'local',
    Sealing__Keys: newRing(),
    Authority__KeyFolder: KEY_FOLDER,
    [TEMPLATE]: template,
  };
  Object.assign(process.env, OWN_ENVIRONMENT, engine.env, shared);
  const stores = openStores({ folder: template });
  provideStores(stores);
  await createDeclared(readDeclared(process.cwd(), 'local'));
  stores.close();
  return async () => {
    await engine.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
