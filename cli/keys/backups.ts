import { runningBackup } from '../../functions/batch/installation/backup/domain/backup.ts';
import { completeBackups, readManifest } from '../../functions/batch/installation/backup/domain/manifest.ts';
import { readPart } from '../../functions/batch/installation/backup/domain/restore/verify.ts';
import { rewrapBackup } from '../../functions/batch/installation/backup/domain/rewrap-backup.ts';
import { targetFiles } from '../../functions/batch/installation/backup/domain/target.ts';
import { AdminRefusal } from '../../shared/access/administration.ts';
import { reasonOf } from '../../shared/command-line/reason.ts';
import type { Files } from '../../shared/files/files.ts';
import { keyIdsIn } from '../../shared/keyring/envelope.ts';
import { keyIdOfMac } from '../../shared/keyring/stored.ts';
import type { Deps, Rotation } from './rotation.ts';

/** The kept backups of the batch service that a key is needed for: for their values, or to trust their manifest. */
export async function backupsNaming(keyId: string): Promise<string[]> {
  if (await runningBackup.get(null))
    throw new AdminRefusal('A backup is being made. Run this command again when it has ended.');
  const store = await targetFiles();
  const naming: string[] = [];
  for (const id of await completeBackups(store)) if (await isNamedIn(store, id, keyId)) naming.push(id);
  return naming;
}

/**
 * Wraps the values of all kept backups with the newest key. What could not be done is a line for the operator: such a
 * backup opens with the keys that it names, which are not retired.
 */
export async function rewrapBackups(rotation: Rotation, { say, now }: Deps): Promise<string[]> {
  const problems: string[] = [];
  try {
    if (await runningBackup.get(null))
      problems.push(
        'A backup is being made, which may name older keys. The next rotation wraps its values; until then, or until it is deleted, they are not retired.',
      );
    const store = await targetFiles();
    for (const id of await completeBackups(store))
      await rewrapBackup(store, id, rotation, now()).then(
        () => say(`backup ${id}: its values and its manifest are under ${rotation.to.id}`),
        (error: unknown) =>
          problems.push(
            `The backup ${id} was not rewritten, or its former files not deleted: ${reasonOf(error)}`,
          ),
      );
  } catch (error) {
    problems.push(`The backups of the batch service were not rewritten: ${reasonOf(error)}`);
  }
  return problems;
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
