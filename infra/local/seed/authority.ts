import { join } from 'node:path';
import { makeAuthority } from '../../../functions/sandbox/domain/authority/authority.ts';
import { commonSettings } from '../../../shared/settings/common.ts';
import { writePkiFolder } from './pki-folder.ts';
import { seedVault } from './vault.ts';

/** Makes the sandbox's certification authority in the store, its files where there is a data folder, and the vault. */
export async function seedAuthority(): Promise<void> {
  const authority = await makeAuthority(commonSettings['Http:PublicUrl']);
  // A test or `npm run invoke` has stores in memory and no folder.
  const dataDir = process.env.Local__DataDir;
  if (dataDir) await writePkiFolder(join(dataDir, 'pki'), authority);
  await seedVault(authority);
}
