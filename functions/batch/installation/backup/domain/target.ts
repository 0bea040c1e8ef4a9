import { type Files, files } from '../../../../../shared/files/files.ts';
import { settings } from '../../../settings.ts';
import { openShare } from '../../../storage/domain/share.ts';
import { pathOnShare } from '../../../storage-setting.ts';

/** The folder of all backups, in the bucket or on the share. */
export const BACKUPS_FOLDER = 'backups/';

export const folderOf = (backupId: string): string => `${BACKUPS_FOLDER}${backupId}/`;
export const manifestKey = (backupId: string): string => `${folderOf(backupId)}manifest.json`;

/** Where backups are, as operators write it. */
export function targetName(): string {
  const target = settings['Backup:Target'];
  return target === undefined ? 'bucket' : pathOnShare(target.share, target.prefix);
}

/** Whether backups are elsewhere than the exports of the store, which are in the service's own bucket. */
export const isOnShare = (): boolean => settings['Backup:Target'] !== undefined;

/** Where backups/ is: the service's own bucket, or the share of Backup:Target. Throws ShareUnusable. */
export async function targetFiles(): Promise<Files> {
  const target = settings['Backup:Target'];
  if (target === undefined) return files('batch');
  const { bucket, prefix } = await openShare(target.share);
  return files({ bucket, prefix: [prefix, target.prefix].filter((part) => part !== '').join('/') });
}

/** The keys of a folder, in pages. */
export async function* keysBelow(store: Files, folder: string): AsyncGenerator<readonly string[]> {
  for await (const page of store.pages(folder)) yield page.map(({ key }) => key);
}

/** Deletes the files of a backup, its manifest first: what is left of it then is no backup. Throws where one stays. */
export async function deleteFilesOf(store: Files, backupId: string): Promise<void> {
  await store.remove(manifestKey(backupId));
  // The whole list first: pages of a list from which files are deleted would miss some.
  const keys: string[] = [];
  for await (const page of keysBelow(store, folderOf(backupId))) keys.push(...page);
  const { failed } = await store.removeMany(keys.map((key) => ({ key })));
  const [first] = failed.values();
  if (first !== undefined) throw first;
}
