import { randomUUID } from 'node:crypto';
import type { FileInfo } from '../../../../shared/files/get.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import { isBoundTo } from '../../profiles/domain/bound-folders.ts';
import { findProfile } from '../../profiles/domain/find-profile.ts';
import type { Profile } from '../../profiles/domain/profile.ts';
import { say } from '../../sentences/sentences.ts';
import { ShareUnusable } from '../../storage/domain/share.ts';
import { inputFiles } from '../../storage/domain/stores.ts';
import { type ActOptions, requireStill } from './job/act-options.ts';
import { createJob } from './job/create-job.ts';
import { type InputPlace, inputOf } from './job/inputs.ts';
import { type FolderDocument, type Job, jobs, requireJob } from './job/job.ts';
import { changingLists } from './job/list.ts';
import type { NameRules } from './job/names.ts';
import { willEncrypt } from './job/output-names.ts';
import type { JobState } from './job/states.ts';
import { MAX_PATH_CHARACTERS } from './upload-file.ts';

/** The input of a new job, as it was found. */
export type RetryInput = Pick<Job, 'folder' | 'inputShare' | 'inputKey'> & {
  readonly found: { readonly length: number; readonly etag: string };
};

export type RetryOptions = {
  /** The rules for names. Those of the full surface if left out. */
  readonly rules?: Partial<NameRules>;
  /** Where the new job, of this id, has its input from. That of the failed job if left out. */
  readonly findInput?: (job: Stored<Job>, newId: string) => Promise<RetryInput | undefined>;
  /** Whether only a failed job is retried, that of a document of the external service too. */
  readonly onlyFailed?: boolean;
} & ActOptions;

/** The input of a failed job where it still is. An upload that was replaced is another file, and the original is gone. */
export async function findOriginal(job: Job): Promise<RetryInput | undefined> {
  const place = inputOf(job);
  const found = place && (await readInput(place));
  const { folder, inputShare, inputKey } = job;
  if (folder === null && job.found && found?.etag !== job.found.etag) return undefined;
  return found && { folder, inputShare, inputKey, found };
}

// The input of an upload goes with its last job. So a job is retried only while it is there:
//
//   retention  |--reads job 1, the last of its input--|--deletes job 1 as it was read, and INPUT if it has one--|
//   retry        |--reads job 1--|--job 2 + INPUT of job 2 + job 1 names it, if it is still there--|
//
// One of the two is refused, and looks again.

/**
 * Queues a new job for the input of a failed one, which stays Failed and names it. Of several retries at once one has
 * the path and creates a job; the others are refused.
 */
export function retryJob(id: string, nowMs: number, options: RetryOptions = {}): Promise<Job> {
  const newId = randomUUID();
  return retryOnConflict(() => retryOnce(id, newId, options, nowMs));
}

async function retryOnce(
  id: string,
  newId: string,
  { rules = {}, findInput = findOriginal, onlyFailed = false, onlyIf, also = [] }: RetryOptions,
  nowMs: number,
): Promise<Job> {
  const job = await requireJob(id);
  requireStill(job, onlyIf, nowMs);
  if (job.isRejected) throw errors.refuse('job.rejected-not-retriable');
  const retried = job.folderDocument && !onlyFailed ? RETRIED_DOCUMENT_STATES : RETRIED_STATES;
  if (!retried.has(job.state)) throw errors.refuse('job.not-failed', { status: job.state });
  if (job.folderDocument) return retryDocument(job, job.folderDocument, newId, also, nowMs);
  const profile = await requireProfileOf(job);
  if ((job.originalPath?.length ?? 0) > MAX_PATH_CHARACTERS)
    throw errors.refuse('job.path-too-long', { maxCharacters: MAX_PATH_CHARACTERS }, { status: 409 });
  const input = await findInput(job, newId);
  if (!input) throw errors.refuse('job.input-missing');
  const { folder, inputShare, inputKey, found } = input;
  return createJob(
    {
      id: newId,
      ...carriedOver(job),
      originalPath: job.originalPath,
      folder,
      inputShare,
      inputKey,
      encryptionEnabled: willEncrypt(job.encryption, profile),
    },
    {
      message: say('job.retry-of', { id: job.id }),
      input: { ...found, seenAtMs: nowMs },
      also: [...markingRetried(job, newId), ...also],
      ...rules,
    },
    nowMs,
  );
}

/** What a new job has of the failed one, wherever its input comes from. */
const carriedOver = ({ id, fileName, format, source, profileName, externalReference, encryption }: Job) => ({
  ...{ fileName, format, source, profileName, externalReference, encryption },
  parentJobId: id,
});

/** Queues a new job for the document of a job that failed or was canceled. It reads the document when it is claimed. */
async function retryDocument(
  job: Stored<Job>,
  folderDocument: FolderDocument,
  newId: string,
  also: readonly Write[],
  nowMs: number,
): Promise<Job> {
  if (folderDocument.flowActionId === null) throw errors.refuse('signer-folder.no-holder-action');
  const profile = await requireEnabled(job);
  if (!isBoundTo(profile, folderDocument)) throw errors.refuse('signer-folder.profile-changed');
  return createJob(
    {
      id: newId,
      ...carriedOver(job),
      originalPath: null,
      folder: null,
      inputShare: null,
      inputKey: null,
      encryptionEnabled: false,
      folderDocument: { ...folderDocument, keyReachedAtMs: null, cpf: null },
    },
    {
      message: say('job.retry-of', { id: job.id }),
      input: null,
      also: [...markingRetried(job, newId), ...also],
    },
    nowMs,
  );
}

/** The failed job names the new one, and is no longer on the list of those that wait for a retry. */
function markingRetried(job: Stored<Job>, newId: string): Write[] {
  const change = jobs.changing(job, { retriedAs: newId });
  return [change, ...changingLists(job, change.after)];
}

const RETRIED_STATES: ReadonlySet<JobState> = new Set(['Failed']);
const RETRIED_DOCUMENT_STATES: ReadonlySet<JobState> = new Set(['Failed', 'Canceled']);

/** Whether a job is of those that can be retried, as far as it tells itself. */
export const isRetriable = ({ state, isRejected, folderDocument }: Job): boolean =>
  !isRejected && (folderDocument ? RETRIED_DOCUMENT_STATES : RETRIED_STATES).has(state);

/** A profile that was removed takes no new work, as a disabled one. */
async function requireEnabled({ profileName }: Job): Promise<Profile> {
  const profile = await findProfile(profileName);
  if (!profile?.enabled) throw errors.refuse('profile.disabled', { profile: profileName });
  return profile;
}

async function requireProfileOf(job: Job): Promise<Profile> {
  const profile = await requireEnabled(job);
  if (profile.method === 'SignerFolder')
    throw errors.refuse('profile.takes-no-files', { profile: profile.name });
  return profile;
}

/** The input, if it is there still. That of a share that was removed is out of reach for good. */
async function readInput({ share, key }: InputPlace): Promise<FileInfo | undefined> {
  try {
    return await (await inputFiles(share)).head(key);
  } catch (error) {
    if (error instanceof ShareUnusable) throw errors.refuse('job.input-missing', { reason: error.message });
    throw error;
  }
}
