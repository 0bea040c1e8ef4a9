import { randomUUID } from 'node:crypto';
import { Refusal } from '../../../../shared/errors/errors.ts';
import { safeFileName } from '../../../../shared/files/safe-name.ts';
import type { Logger } from '../../../../shared/log/logger.ts';
import { createFailedJob, createJob } from '../../jobs/domain/job/create-job.ts';
import { type InputCondition, InputKnown } from '../../jobs/domain/job/inputs.ts';
import type { NewJob } from '../../jobs/domain/job/job.ts';
import { settleFiles } from '../../jobs/domain/job/settle-files.ts';
import { formatByExtension, MAX_PATH_CHARACTERS } from '../../jobs/domain/upload-file.ts';
import type { Profile } from '../../profiles/domain/profile.ts';
import type { InputFolder } from '../../storage-setting.ts';
import { keyPrefixOf, pathOfFile } from './folder.ts';
import { isIgnoredName } from './ignored-name.ts';

/** A file of a folder as it was found there. */
export type FoundFile = {
  readonly key: string;
  readonly length: number;
  readonly etag: string;
  /** The time before the store was asked. */
  readonly seenAtMs: number;
};

/**
 * What became of a file:
 *
 *   enqueued   it has a queued job
 *   refused    another job carries its name: it has a failed job, and is in error/
 *   active     a job for this path is at work; the next scan comes back to it
 *   known      a job was made of this very file already
 *   ignored    its name is not for the service, or its profile is disabled
 *   error      it cannot become a job; the log says why
 */
export type Taking = 'enqueued' | 'refused' | 'active' | 'known' | 'ignored' | 'error';

/** Whether a file of this name is somebody's work in progress, or is in a folder of the folder. */
export function isIgnored(folder: InputFolder, key: string): boolean {
  const name = key.slice(keyPrefixOf(folder).length);
  return name.includes('/') || isIgnoredName(name);
}

type Taken = {
  readonly folder: InputFolder;
  readonly profile: Profile;
  readonly file: FoundFile;
  /** Runs a file whose last job this is again, though it is unchanged. */
  readonly again?: { readonly lastJobId: string };
  readonly logger: Logger;
};

/**
 * Makes a job of a file in a folder. A file is taken once, however often it is found: only a rewritten one is new, and
 * `again` runs an unchanged one.
 */
export async function takeFile(
  { folder, profile, file, again, logger }: Taken,
  nowMs: number,
): Promise<Taking> {
  if (isIgnored(folder, file.key) || !profile.enabled) return 'ignored';
  const about = { folder: folder.name, file: file.key, profile: profile.name };
  if (profile.method === 'SignerFolder') {
    logger.warn('A file in a folder whose profile takes no files is left there.', about);
    return 'error';
  }
  const originalPath = pathOfFile(folder, file.key);
  if (originalPath.length > MAX_PATH_CHARACTERS) {
    logger.warn('A file in a folder becomes no job: its path is too long.', {
      ...about,
      code: 'job.path-too-long',
      maxCharacters: MAX_PATH_CHARACTERS,
    });
    return 'error';
  }
  const fileName = safeFileName(file.key.slice(keyPrefixOf(folder).length));
  const request: NewJob = {
    id: randomUUID(),
    fileName,
    originalPath,
    folder: folder.name,
    inputShare: folder.share,
    inputKey: file.key,
    format: profile.format ?? formatByExtension(fileName),
    source: 'WatchedFolder',
    parentJobId: null,
    profileName: profile.name,
    externalReference: null,
    encryption: null,
  };
  const condition: InputCondition = again ?? { isNewAtMs: file.seenAtMs };
  return createOnce(request, { input: file, condition }, logger, nowMs);
}

async function createOnce(
  request: NewJob,
  origin: { readonly input: FoundFile; readonly condition: InputCondition },
  logger: Logger,
  nowMs: number,
): Promise<Taking> {
  try {
    try {
      await createJob(request, { message: `Found in the folder ${request.folder}.`, ...origin }, nowMs);
      return 'enqueued';
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === 'job.already-processing') return 'active';
      if (error.code !== 'file.already-processed') throw error;
    }
    // Of the claims that fail at once DynamoDB names the first: the file may be known too, and then it stays.
    const failed = await createFailedJob(request, 'file.already-processed', origin, nowMs);
    await settleFiles(failed, nowMs).catch((error) =>
      logger.warn('A refused file is not in error/ yet. The sweeper moves it.', { jobId: failed.id, error }),
    );
    return 'refused';
  } catch (error) {
    if (error instanceof InputKnown) return 'known';
    throw error;
  }
}
