import { commonSettings } from '../../../../shared/settings/common.ts';
import { cached } from '../../../../shared/store/cached.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { type Sentence, say } from '../../sentences/sentences.ts';
import { folderKeyOf } from './bound-folders.ts';
import { degradedReasonOf } from './open-profile.ts';
import type { Profile } from './profile.ts';

/** The bound folders that the external service did not know when they were last looked for, by key. */
type MissingFolders = { readonly folders: readonly string[] };

const missingFolders = collection<MissingFolders, 'missing'>({
  service: 'batch',
  name: 'missing signer folders',
  id: () => 'missing',
  key: () => ({ pk: 'SIGNER', sk: 'MISSING' }),
});

const recent = cached<ReadonlySet<string>>({
  name: 'batch.missing-folders',
  read: async () => new Set((await missingFolders.get('missing'))?.folders),
  ttlMs: () => commonSettings['Access:CacheSeconds'] * 1000,
});

/** Records which folders a sweep has found, and which not. The others stay as they were, unless nothing binds them. */
export async function recordFolders(seen: {
  readonly bound: readonly string[];
  readonly found: ReadonlySet<string>;
  readonly missing: ReadonlySet<string>;
}): Promise<void> {
  await retryOnConflict(
    async () => {
      const known = await missingFolders.get('missing');
      const before = known?.folders ?? [];
      const isMissing = (folder: string): boolean =>
        seen.missing.has(folder) || (before.includes(folder) && !seen.found.has(folder));
      const folders = seen.bound.filter(isMissing).toSorted();
      if (folders.join() === before.join()) return;
      await (known ? missingFolders.change(known, { folders }) : missingFolders.create({ folders }));
    },
    { mayCreate: true },
  );
  recent.drop('all');
}

const isFolderMissing = async ({ signerFolder }: Profile): Promise<boolean> =>
  signerFolder !== undefined && ((await recent.get('all'))?.has(folderKeyOf(signerFolder.folderId)) ?? false);

/** Why a profile cannot sign; undefined where it can. The external service is not asked: the last sweep tells. */
export async function findDegradedReason(profile: Profile): Promise<Sentence | undefined> {
  const reason = await degradedReasonOf(profile);
  if (reason !== undefined || !(await isFolderMissing(profile))) return reason;
  return say('degraded.folder-missing', { folder: profile.signerFolder?.folderId ?? '' });
}
