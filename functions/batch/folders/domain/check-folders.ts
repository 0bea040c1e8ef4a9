import { commonSettings } from '../../../../shared/settings/common.ts';
import { cached } from '../../../../shared/store/cached.ts';
import type { FurtherCheck } from '../../operations/domain/readiness.ts';
import { profilesWithFolder } from '../../profiles/domain/degraded.ts';
import { type Sentence, say } from '../../sentences/sentences.ts';
import { settings } from '../../settings.ts';
import { shares } from '../../storage/domain/share.ts';
import type { InputFolder } from '../../storage-setting.ts';
import { type FolderRecord, type FolderStatus, readFolderRecords, statusOf } from './folder.ts';

type Known = {
  readonly folders: ReadonlyMap<string, FolderRecord>;
  readonly shares: ReadonlySet<string>;
};

// Anyone may ask for readiness: a query for the folders and a read of their shares, once in Access:CacheSeconds.
const recent = cached<Known>({
  name: 'batch.folder-checks',
  read: readKnown,
  ttlMs: () => commonSettings['Access:CacheSeconds'] * 1000,
});

async function readKnown(): Promise<Known> {
  const names = settings['Storage:Inputs'].flatMap(({ share }) => share ?? []);
  const [folders, found] = await Promise.all([readFolderRecords(), shares.getMany([...new Set(names)])]);
  return { folders, shares: new Set(found.map(({ name }) => name)) };
}

const DETAILS: Readonly<Record<FolderStatus, Sentence>> = {
  Running: say('check.folder-running'),
  Stopped: say('check.folder-stopped'),
  Unassigned: say('check.folder-unassigned'),
};

/** The checks of the input folders, from the profiles and the last scans: nothing is listed for a probe. */
export async function checkFolders(): Promise<readonly FurtherCheck[]> {
  const configured = settings['Storage:Inputs'];
  const [known, selecting] = await Promise.all([
    configured.length === 0 ? undefined : recent.get('all'),
    profilesWithFolder(),
  ]);
  const names = new Set(configured.map(({ name }) => name));
  const assigned = new Set(selecting.map(({ inputFolder }) => inputFolder));
  return [
    ...configured.map((folder) => checkFolder(folder, assigned.has(folder.name), known)),
    ...selecting
      .filter(({ inputFolder }) => !names.has(inputFolder))
      .map(({ name, inputFolder }) => ({
        name: `profile-input-folder:${name}`,
        ok: false,
        isCounted: false,
        detail: say('check.folder-not-configured', { folder: inputFolder }),
      })),
  ];
}

function checkFolder(
  { name, share }: InputFolder,
  isAssigned: boolean,
  known: Known | undefined,
): FurtherCheck {
  const check = { name: `input-folder:${name}` };
  if (share !== null && !known?.shares.has(share))
    return { ...check, ok: false, detail: say('check.share-absent', { share }) };
  const record = known?.folders.get(name);
  const status = statusOf(isAssigned, record);
  return { ...check, ok: status !== 'Stopped', detail: (isAssigned && record?.lastError) || DETAILS[status] };
}
