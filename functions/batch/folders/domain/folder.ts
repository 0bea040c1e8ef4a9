import { collection, type Stored } from '../../../../shared/store/collection.ts';
import type { Leased } from '../../../../shared/store/lease.ts';
import { readPartition } from '../../../../shared/store/partition.ts';
import { errors } from '../../errors.ts';
import { listProfiles, type Profile } from '../../profiles/domain/profile.ts';
import { settings } from '../../settings.ts';
import { type InputFolder, pathOnShare } from '../../storage-setting.ts';

/** What is known of an input folder from its scans. A scan holds it. */
export type FolderRecord = Leased & {
  readonly name: string;
  /** The profile that signed its files, as of the last scan: a change of it is an event. Null before the first. */
  readonly profileName: string | null;
  /** The instance that watches it. */
  readonly instance: string;
  /** Why the last scan failed. Null where it succeeded. */
  readonly lastError: string | null;
  /** When the last scan began. */
  readonly lastScanAtMs: number;
  readonly lastEnqueueAtMs: number | null;
};

export type FolderStatus = 'Running' | 'Stopped' | 'Unassigned';

const FOLDERS_PK = 'FOLDERS';

// One partition: a few folders, and readiness reads them all.
export const folderRecords = collection<FolderRecord, string>({
  service: 'batch',
  name: 'folder',
  id: ({ name }) => name,
  key: (name) => ({ pk: FOLDERS_PK, sk: `FOLDER#${name}` }),
});

/** What is known of every folder, by name, in one query. */
export async function readFolderRecords(): Promise<ReadonlyMap<string, Stored<FolderRecord>>> {
  const items = await readPartition('batch', FOLDERS_PK);
  return new Map(items.map(folderRecords.read).map((record) => [record.name, record]));
}

/**
 * The status of a folder, from the profiles as they are now and from its scans. Files are taken from the moment a
 * profile selects the folder, before its first scan.
 *
 *                 last scan succeeded   last scan failed   never scanned
 *   a profile     Running               Stopped            Running
 *   no profile    Unassigned            Unassigned         Unassigned
 */
export const statusOf = (isAssigned: boolean, record: FolderRecord | undefined): FolderStatus =>
  !isAssigned ? 'Unassigned' : (record?.lastError ?? null) === null ? 'Running' : 'Stopped';

/** The folder of this name, or the refusal folder.not-found. */
export function requireFolder(name: string): InputFolder {
  const folder = settings['Storage:Inputs'].find((each) => each.name === name.toLowerCase());
  if (!folder) throw errors.refuse('folder.not-found', { folder: name });
  return folder;
}

/** The profile that selected each folder. Of several, the first by name: the others never receive its files. */
export async function assignedProfiles(): Promise<ReadonlyMap<string, Profile>> {
  const assigned = new Map<string, Profile>();
  for (const profile of await listProfiles())
    if (profile.inputFolder !== undefined && !assigned.has(profile.inputFolder))
      assigned.set(profile.inputFolder, profile);
  return assigned;
}

/** The start of the keys of a folder's files in its store. */
export const keyPrefixOf = ({ prefix }: InputFolder): string => (prefix === '' ? '' : `${prefix}/`);

/** The path of a file as jobs show it. */
export const pathOfFile = ({ share }: InputFolder, key: string): string =>
  share === null ? key : pathOnShare(share, key);
