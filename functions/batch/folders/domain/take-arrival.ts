import { ifThrown } from '../../../../shared/errors/expected.ts';
import { files } from '../../../../shared/files/files.ts';
import type { Logger } from '../../../../shared/log/logger.ts';
import type { Work } from '../../../../shared/queue/work.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { cached } from '../../../../shared/store/cached.ts';
import { sendOnce } from '../../../../shared/store/commit.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import { isPresignedKey, receivePresigned } from '../../jobs/domain/presigned-upload.ts';
import { type Profile, readProfile } from '../../profiles/domain/profile.ts';
import { settings } from '../../settings.ts';
import type { InputFolder } from '../../storage-setting.ts';
import { assignedProfiles, folderRecords, keyPrefixOf } from './folder.ts';
import { newRecord } from './record-scan.ts';
import { findProblem, isIgnored, logProblem, takeFile } from './take-file.ts';

// Files come in crowds, and each asks which profile has selected its folder. That profile is then read as it is now.
const recent = cached<ReadonlyMap<string, Profile>>({
  name: 'batch.assigned-profiles',
  read: assignedProfiles,
  ttlMs: () => commonSettings['Access:CacheSeconds'] * 1000,
});

// A notification tells that something was written, and not what is there now. So the store is asked, and a notification
// that is late, repeated or out of order finds what the last one would find:
//
//   writer         |--tag a--|--tag b--|
//   notification b                       |--b is there: job of b--|
//   notification a                             |--b is there, and known: nothing--|

/**
 * Makes a job of a file that has arrived in the service's bucket, at most one however often it is told of the file.
 * Answers the folder where the file has a queued job now.
 */
export async function takeArrival(key: string, work: Work): Promise<InputFolder | undefined> {
  if (isPresignedKey(key)) {
    await receivePresigned(key, work);
    return undefined;
  }
  const folder = settings['Storage:Inputs'].find(
    (each) => each.share === null && key.startsWith(keyPrefixOf(each)),
  );
  if (!folder || isIgnored(folder, key)) return undefined;
  const profile = await findAssigned(folder);
  // A folder that no profile has selected keeps its files for the one that will.
  if (!profile) return undefined;
  const { logger, now } = work;
  const seenAtMs = now();
  const store = files('batch');
  // The store is not asked for a key that it does not take.
  const problem = profile.enabled ? findProblem({ folder, profile, store }, key) : undefined;
  if (problem) {
    logProblem(logger, problem, { folder: folder.name, file: key, profile: profile.name });
    return undefined;
  }
  const found = await store.head(key);
  if (!found) return undefined;
  const file = { key, length: found.length, etag: found.etag, seenAtMs };
  const taking = await takeFile({ folder, profile, store, file, logger }, now());
  return taking === 'enqueued' ? folder : undefined;
}

/** The profile that has selected a folder, as it is now. */
async function findAssigned({ name }: InputFolder): Promise<Profile | undefined> {
  const known = (await recent.get('all'))?.get(name);
  const current = known && (await readProfile(known.name));
  if (current?.inputFolder === name) return current;
  // Another process has changed it.
  recent.drop('all');
  return (await recent.get('all'))?.get(name);
}

/** Records that files of these folders were enqueued. Operators see the time; nothing depends on it. */
export async function recordEnqueues(
  folders: ReadonlySet<string>,
  logger: Logger,
  nowMs: number,
): Promise<void> {
  for (const name of folders)
    await recordEnqueue(name, nowMs).catch((error: unknown) =>
      logger.warn('The last enqueue of a folder was not recorded.', { folder: name, error }),
    );
}

// Before the first scan of a folder there is no record. The first scan may create it meanwhile:
//
//   enqueue  |--no record--|                   |--create: exists--|--write the time--|
//   scan                     |--create (claim)--|
async function recordEnqueue(name: string, nowMs: number): Promise<void> {
  if (await writeTime(name, nowMs)) return;
  const first = { ...newRecord(name), lastEnqueueAtMs: nowMs };
  await folderRecords.create(first).catch(async (error: unknown) => {
    if (!(error instanceof AlreadyExists)) throw error;
    await writeTime(name, nowMs);
  });
}

/** Answers false where there is no record, or a later enqueue is recorded. */
async function writeTime(name: string, nowMs: number): Promise<boolean> {
  const write = folderRecords.patching(
    name,
    { lastEnqueueAtMs: nowMs },
    {
      when: { lastEnqueueAtMs: { anyOf: [null, { atMost: nowMs }] } },
      refusal: () => new RaceLost('A later enqueue is recorded, or there is no record.'),
      // A scan that is under way writes other fields.
      keepsVersion: true,
    },
  );
  return sendOnce([write]).then(() => true, ifThrown(RaceLost, false));
}
