import { runningBackup } from '../../functions/batch/backup/domain/backup.ts';
import { completeBackups, readManifest } from '../../functions/batch/backup/domain/manifest.ts';
import { readPart } from '../../functions/batch/backup/domain/restore/verify.ts';
import { targetFiles } from '../../functions/batch/backup/domain/target.ts';
import { AdminRefusal } from '../../shared/access/administration.ts';
import type { Files } from '../../shared/files/files.ts';
import { keyIdsIn } from '../../shared/keyring/envelope.ts';
import { keyIdOfMac } from '../../shared/keyring/stored.ts';

/** The kept backups of the batch service that a key is needed for: for their values, or to trust their manifest. */
export async function backupsNaming(keyId: string): Promise<string[]> {
  if (await runningBackup.get(null))
    throw new AdminRefusal('A backup is being made. Run this command again when it has ended.');
  const store = await targetFiles();
  const naming: string[] = [];
  for (const id of await completeBackups(store)) if (await isNamedIn(store, id, keyId)) naming.push(id);
  return naming;
}

async function isNamedIn(store: Files, backupId: string, keyId: string): Promise<boolean> {
  const { hmac, parts } = await readManifest(store, backupId);
  if (keyIdOfMac(hmac) === keyId) return true;
  let isNamed = false;
  for (const part of parts.filter(({ kind }) => kind === 'items')) {
    await readPart(store, backupId, part, (line) => {
      isNamed ||= keyIdsIn(line).has(keyId);
      return undefined;
    });
    if (isNamed) break;
  }
  return isNamed;
}
