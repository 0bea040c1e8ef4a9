import { randomUUID } from 'node:crypto';
import { Refusal } from '../../../../shared/errors/errors.ts';
import type { Files } from '../../../../shared/files/files.ts';
import type { Logger } from '../../../../shared/log/logger.ts';
import { settleFiles } from '../../jobs/domain/engine/settle-files.ts';
import { createFailedJob, createJob } from '../../jobs/domain/job/create-job.ts';
import { nameOfFile } from '../../jobs/domain/job/file-name.ts';
import { type InputCondition, InputKnown } from '../../jobs/domain/job/inputs.ts';
import type { NewJob } from '../../jobs/domain/job/job.ts';
import { willEncrypt } from '../../jobs/domain/job/output-names.ts';
import { formatByExtension, MAX_PATH_CHARACTERS } from '../../jobs/domain/upload-file.ts';
import type { Profile } from '../../profiles/domain/profile.ts';
import { say } from '../../sentences/sentences.ts';
import { isUsableInput } from '../../storage/domain/input-lease.ts';
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

type Place = {
  readonly folder: InputFolder;
  readonly profile: Profile;
  /** The store of the folder. */
  readonly store: Files;
};

/** Why a file can become no job, as the log says it. */
export type Problem = { readonly message: string; readonly about?: Readonly<Record<string, unknown>> };

const TAKES_NONE: Problem = { message: 'A file in a folder whose profile takes no files is left there.' };
const BAD_NAME: Problem = { message: 'A file in a folder becomes no job: its name cannot be used.' };
const TOO_LONG: Problem = {
  message: 'A file in a folder becomes no job: its path is too long.',
  about: { code: 'job.path-too-long', maxCharacters: MAX_PATH_CHARACTERS },
};

/** Why a file of a folder can become no job, as far as its name and its profile tell. */
export function findProblem({ folder, profile, store }: Place, key: string): Problem | undefined {
  if (profile.method === 'SignerFolder') return TAKES_NONE;
  if (pathOfFile(folder, key).length > MAX_PATH_CHARACTERS) return TOO_LONG;
  return isUsableInput(store, key) && nameIn(folder, key) !== undefined ? undefined : BAD_NAME;
}

const nameIn = (folder: InputFolder, key: string): string | undefined =>
  nameOfFile(key.slice(keyPrefixOf(folder).length));

type Taken = Place & {
  readonly file: FoundFile;
  /** Runs a file whose last job this is again, though it is unchanged. */
  readonly again?: { readonly lastJobId: string };
  readonly logger: Logger;
};

export const logProblem = (logger: Logger, { message, about }: Problem, where: object): void =>
  logger.warn(message, { ...where, ...about });

/**
 * Makes a job of a file in a folder. A file is taken once, however often it is found: only a rewritten one is new, and
 * `again` runs an unchanged one.
 */
export async function takeFile({ file, again, logger, ...place }: Taken, nowMs: number): Promise<Taking> {
  const { folder, profile } = place;
  if (isIgnored(folder, file.key) || !profile.enabled) return 'ignored';
  const fileName = nameIn(folder, file.key);
  const problem = findProblem(place, file.key);
  if (problem || fileName === undefined) {
    logProblem(logger, problem ?? BAD_NAME, { folder: folder.name, file: file.key, profile: profile.name });
    return 'error';
  }
  const request: NewJob = {
    id: randomUUID(),
    fileName,
    originalPath: pathOfFile(folder, file.key),
    folder: folder.name,
    inputShare: folder.share,
    inputKey: file.key,
    format: profile.format ?? formatByExtension(fileName),
    source: 'WatchedFolder',
    parentJobId: null,
    profileName: profile.name,
    externalReference: null,
    encryption: null,
    encryptionEnabled: willEncrypt(null, profile),
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
      await createJob(
        request,
        { message: say('job.found-in-folder', { folder: request.folder ?? '' }), ...origin },
        nowMs,
      );
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
