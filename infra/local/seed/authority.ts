import { join } from 'node:path';
import { type SandboxAuthority, signerOf } from '../../../functions/sandbox/authority/domain/authority.ts';
import { holderPkcs12 } from '../../../functions/sandbox/authority/domain/holder-file.ts';
import { HOLDERS } from '../../../functions/sandbox/authority/domain/holders.ts';
import { makeAuthority } from '../../../functions/sandbox/authority/domain/make-authority.ts';
import { importPkcs12 } from '../../../functions/session/domain/vault/import.ts';
import { vault } from '../../../functions/session/domain/vault/vault.ts';
import { commonSettings } from '../../../shared/settings/common.ts';
import { writePkiFolder } from './pki-folder.ts';

/** Creates the sandbox's certification authority in the store, its files where there is a data folder, and the vault. */
export async function seedAuthority(): Promise<SandboxAuthority> {
  const authority = await makeAuthority(commonSettings['Http:PublicUrl'], Date.now());
  // A test or `npm run invoke` has stores in memory and no folder.
  const dataDir = process.env.Local__DataDir;
  if (dataDir) await writePkiFolder(join(dataDir, 'pki'), authority);
  await seedVault(authority);
  return authority;
}

/** Imports the holders' certificates into the session server's vault, unless they are there. */
async function seedVault(authority: SandboxAuthority): Promise<void> {
  for (const holder of HOLDERS) {
    if (!holder.inVault || holder.pin === undefined) continue;
    const { sha256 } = signerOf(authority, holder.name).certificate;
    if (await vault.get({ cpf: holder.name, sha256 })) continue;
    await importPkcs12(await holderPkcs12(authority, holder, holder.pin), holder.pin, Date.now());
  }
}
