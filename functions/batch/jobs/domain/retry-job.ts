import { randomUUID } from 'node:crypto';
import { errors } from '../../errors.ts';
import { findProfile } from '../../profiles/domain/find-profile.ts';
import { inputFiles } from '../../storage/domain/stores.ts';
import { createJob } from './job/create-job.ts';
import { inputOf } from './job/inputs.ts';
import { type Job, requireJob } from './job/job.ts';
import { MAX_PATH_CHARACTERS } from './upload-file.ts';

/**
 * Queues a new job for the input of a failed one, which stays Failed. Of several retries at once one has the path and
 * creates a job; the others are refused.
 */
export async function retryJob(id: string, nowMs: number): Promise<Job> {
  const job = await requireJob(id);
  if (job.isRejected) throw errors.refuse('job.rejected-not-retriable');
  if (job.state !== 'Failed') throw errors.refuse('job.not-failed', { status: job.state });
  await requireProfileOf(job);
  if ((job.originalPath?.length ?? 0) > MAX_PATH_CHARACTERS)
    throw errors.refuse('job.path-too-long', { maxCharacters: MAX_PATH_CHARACTERS }, { status: 409 });
  const place = inputOf(job);
  const input = place && (await (await inputFiles(place.share)).head(place.key));
  if (!input) throw errors.refuse('job.input-missing');
  return createJob(
    {
      id: randomUUID(),
      fileName: job.fileName,
      originalPath: job.originalPath,
      folder: job.folder,
      inputShare: job.inputShare,
      inputKey: job.inputKey,
      format: job.format,
      source: job.source,
      parentJobId: job.id,
      profileName: job.profileName,
      externalReference: job.externalReference,
      encryption: job.encryption,
    },
    { message: `Retry of job ${job.id}.`, input: { ...input, seenAtMs: nowMs } },
    nowMs,
  );
}

/** A profile that was removed takes no new work, as a disabled one. */
async function requireProfileOf({ profileName }: Job): Promise<void> {
  const profile = await findProfile(profileName);
  if (!profile?.enabled) throw errors.refuse('profile.disabled', { profile: profileName });
  if (profile.method === 'SignerFolder')
    throw errors.refuse('profile.takes-no-files', { profile: profileName });
}
