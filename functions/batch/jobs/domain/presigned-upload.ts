import { randomUUID } from 'node:crypto';
import { forEachConcurrently } from '../../../../shared/async/for-each-concurrently.ts';
import { Refusal } from '../../../../shared/errors/errors.ts';
import {
  type AnnouncedUpload,
  announcedUploads,
  announceUpload,
} from '../../../../shared/files/announced-upload.ts';
import { files } from '../../../../shared/files/files.ts';
import type { Work } from '../../../../shared/queue/work.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import { errors } from '../../errors.ts';
import { say } from '../../sentences/sentences.ts';
import { settings } from '../../settings.ts';
import { PRESIGNED } from '../../storage-setting.ts';
import { settleFiles } from './engine/settle-files.ts';
import { createFailedJob, createJob } from './job/create-job.ts';
import { safeNameOf } from './job/file-name.ts';
import type { Job, JobErrorCode } from './job/job.ts';
import { requireFreeNames } from './job/names.ts';
import { willEncrypt } from './job/output-names.ts';
import {
  formatOfUpload,
  jobOfUpload,
  pathOfUpload,
  requireUploadName,
  tooLarge,
  type UploadTarget,
} from './upload-file.ts';

/** A file that becomes a job when it arrives, with the id of its announcement. */
type Announcement = AnnouncedUpload &
  Pick<Job, 'fileName' | 'profileName' | 'format' | 'encryptionEnabled'> & { readonly inputKey: string };

const announcements = announcedUploads<Announcement>({
  service: 'batch',
  name: 'announced upload',
  pk: 'ANNOUNCED',
});

// A file of the largest size takes minutes.
const LINK_SECONDS = 3_600;

type AnnounceRequest = { readonly name: string; readonly contentType: string; readonly size: number };

/**
 * Announces a file, and makes the link to put it. Refused as an upload is, as far as that is known by now: two files of
 * one name may be announced, and the first that arrives has it.
 */
export async function announceFile(target: UploadTarget, request: AnnounceRequest, nowMs: number) {
  const { name, contentType, size: length } = request;
  if (length === 0) throw errors.refuse('upload.empty');
  const fileName = requireUploadName(name);
  const maxBytes = settings['Upload:MaxBytes'];
  if (length > maxBytes) throw tooLarge(maxBytes);
  await requireFreeNames({ fileName, originalPath: pathOfUpload(fileName) });
  const id = randomUUID();
  const inputKey = `${PRESIGNED}/${id}/${safeNameOf(fileName)}`;
  const link = { contentType, length, maxBytes, expiresSeconds: LINK_SECONDS };
  const format = formatOfUpload(target, fileName);
  const profileName = target.profile.name;
  const encryptionEnabled = willEncrypt(null, target.profile);
  const job = { id, fileName, profileName, format, inputKey, encryptionEnabled };
  return announceUpload('batch', { ...link, keyOf: () => inputKey }, nowMs, (linkEndsAtMs) =>
    announcements.create({ ...job, length, linkEndsAtMs }),
  );
}

const KEY = new RegExp(`^${PRESIGNED}/([^/]+)/`);

/** Whether a file in the service's bucket came by a link. */
export const isPresignedKey = (key: string): boolean => key.startsWith(`${PRESIGNED}/`);

// The announcement goes with the commit that makes the job, so one link makes one job, whatever is put by it afterwards:
//
//   sender         |--puts v1--|           |--puts v2--|
//   notification 1               |--job of v1, with its tag + no announcement--|
//   notification 2                                               |--not announced: nothing--|
//   worker                                                              |--stages v1 alone: job.input-changed--|
//
// A put that comes after the staging changes nothing of the job. Either way v2 is no job, and is collected.

/**
 * Makes the job of a file that has arrived by a link. A file that was not announced, or has another size, is left for the
 * collector. Where another job has the name by now, the job is Failed, and says so to whoever asks for its id.
 */
export async function receivePresigned(key: string, { logger, now }: Work): Promise<void> {
  const announced = await announcements.get(KEY.exec(key)?.[1] ?? '');
  if (announced?.inputKey !== key) return;
  const found = await files('batch').head(key);
  if (!found) return;
  const { id: jobId, length: announcedBytes } = announced;
  if (found.length !== announcedBytes) {
    // The store refuses any other size than the signed one. A store that does not check it is caught here.
    const actualBytes = found.length;
    logger.warn('A file came by a link with another size than announced, and becomes no job.', {
      jobId,
      announcedBytes,
      actualBytes,
    });
    return;
  }
  const failed = await createOnce(announced, found, now());
  if (failed)
    await settleFiles(failed, now()).catch((error) =>
      logger.warn('A refused upload is not in error/ yet. The sweeper moves it.', { jobId, error }),
    );
}

// Notifications take seconds, and are lost at times. While no file has come by a link, a look is one list.
const LOOK_EVERY_MINUTES = 5;
const TOLD_WITHIN_MS = 300_000;
const RECEIVED_AT_ONCE = 8;

/**
 * Makes the jobs of files that came by links and whose notifications were lost. It looks in every fifth minute, and is
 * called in each. A file of another size than announced, of which receivePresigned told, stays for the collector.
 */
export async function receiveUntold(work: Work): Promise<void> {
  const { logger, now, hasTime } = work;
  const nowMs = now();
  if (Math.floor(nowMs / 60_000) % LOOK_EVERY_MINUTES !== 0) return;
  for await (const page of files('batch').pages(`${PRESIGNED}/`)) {
    const old = page.filter(({ modifiedAtMs }) => modifiedAtMs < nowMs - TOLD_WITHIN_MS);
    const ids = new Set(old.flatMap(({ key }) => KEY.exec(key)?.[1] ?? []));
    const announced = new Map((await announcements.getMany([...ids])).map((each) => [each.inputKey, each]));
    const untold = old.filter(({ key, length }) => announced.get(key)?.length === length);
    await forEachConcurrently(RECEIVED_AT_ONCE, untold, async ({ key }) => {
      if (!hasTime()) return;
      await receivePresigned(key, work).catch((error: unknown) =>
        logger.error('A file that came by a link could not be taken. The next look comes to it.', {
          file: key,
          error,
        }),
      );
    });
    if (!hasTime()) return;
  }
}

/** Answers the job that failed because its name was taken meanwhile. */
async function createOnce(
  announced: Stored<Announcement>,
  { length, etag }: { readonly length: number; readonly etag: string },
  nowMs: number,
): Promise<Stored<Job> | undefined> {
  const request = jobOfUpload(announced);
  const origin = { input: { length, etag }, also: [announcements.deleting(announced)] };
  try {
    try {
      await createJob(request, { message: say('job.uploaded-by-link'), ...origin }, nowMs);
      return undefined;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return await createFailedJob(request, error.code as JobErrorCode, origin, nowMs);
    }
  } catch (error) {
    // Another notification of the file was faster.
    if (error instanceof AlreadyExists || error instanceof RaceLost) return undefined;
    throw error;
  }
}
