import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SandboxAuthority, signerOf } from '../../../functions/sandbox/authority/domain/authority.ts';
import { holderPkcs12 } from '../../../functions/sandbox/authority/domain/holder-file.ts';
import { HOLDERS } from '../../../functions/sandbox/authority/domain/holders.ts';
import { PUBLIC_MEMBERS } from '../../../functions/sandbox/authority/domain/published.ts';
import { writePem } from '../../../shared/pki/pem.ts';
import type { Stored } from '../../../shared/store/collection.ts';

/** Names the authority of the files. It is written last, so an unfinished folder has none. */
const VERSION_FILE = 'version';

/**
 * Writes the authority's files unless they are there: `root.crt` and the other certificates in PEM, and
 * `holders/<cpf>.p12`. The folder is replaced as a whole.
 * @example await writePkiFolder('.local/pki', await makeAuthority(url));
 */
export async function writePkiFolder(folder: string, authority: Stored<SandboxAuthority>): Promise<void> {
  if (versionOf(folder) === authority.version) return;
  // A kill leaves the previous folder, a draft, or no folder: the next start writes it again.
  const draft = `${folder}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(join(draft, 'holders'), { recursive: true, mode: 0o700 });
  for (const name of PUBLIC_MEMBERS)
    writeFileSync(
      join(draft, `${name}.crt`),
      writePem('CERTIFICATE', signerOf(authority, name).certificate.der),
    );
  for (const holder of HOLDERS)
    if (holder.pin !== undefined)
      writeFileSync(
        join(draft, 'holders', `${holder.name}.p12`),
        await holderPkcs12(authority, holder, holder.pin),
        { mode: 0o600 },
      );
  writeFileSync(join(draft, VERSION_FILE), authority.version);
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
}

function versionOf(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, VERSION_FILE), 'utf8');
  } catch {
    return undefined;
  }
}
