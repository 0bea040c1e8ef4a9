import { type SandboxAuthority, signerOf } from '../../../functions/sandbox/domain/authority/authority.ts';
import { HOLDERS } from '../../../functions/sandbox/domain/authority/holders.ts';
import { importPkcs12 } from '../../../functions/session/domain/vault/import.ts';
import { vault } from '../../../functions/session/domain/vault/vault.ts';
import { holderPkcs12 } from './pki-folder.ts';

/** Puts the holders whose certificates the session server's vault has into it. One that is there is left alone. */
export async function seedVault(authority: SandboxAuthority): Promise<void> {
  for (const holder of HOLDERS) {
    if (!holder.inVault || holder.pin === undefined) continue;
    const { sha256 } = signerOf(authority, holder.name).certificate;
    if (await vault.get({ cpf: holder.name, sha256 })) continue;
    await importPkcs12(await holderPkcs12(authority, holder, holder.pin), holder.pin);
  }
}
