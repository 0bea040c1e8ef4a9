import { createReadStream } from 'node:fs';
import { FileExists } from '../../../../../shared/files/errors.ts';
import { sealForRecipients } from '../../../../../shared/signing/encryption/enveloped.ts';
import { sealWithPassword } from '../../../../../shared/signing/encryption/password-envelope.ts';
import type { LocalFile } from '../../../../../shared/signing/read-chunks.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { counting, observing } from '../../../operations/domain/metrics.ts';
import type { OpenedProfile } from '../../../profiles/domain/open-profile.ts';
import type { Profile } from '../../../profiles/domain/profile.ts';
import { ofFile, type Sentence, say } from '../../../sentences/sentences.ts';
import { settings } from '../../../settings.ts';
import { workFiles } from '../../../storage/domain/stores.ts';
import { type Job, outputKey } from '../job/job.ts';
import { movingJob } from '../job/move-job.ts';
import { keepingName, OutputTaken, reservingOutput } from '../job/names.ts';
import { isEncrypted, type OutputNameRules, outputNameOf } from '../job/output-names.ts';
import { settlingMessage } from '../job/tasks.ts';
import { JobFailure } from './end-job.ts';
import { onShare } from './on-share.ts';
import type { Progress } from './run-claimed.ts';
import { releasingSlot } from './slots.ts';

/** With what the output of a job is made. */
export type Release = {
  readonly profile: Profile;
  readonly opened: OpenedProfile;
  /** What the job counts when it is completed. */
  readonly counted: readonly Write[];
};

type Signed = {
  readonly event: 'signed' | 'concluded';
  readonly message: Sentence;
  readonly patch?: Partial<Omit<Job, 'state' | 'history'>>;
  /** Further writes of the same commit. */
  readonly also?: readonly Write[];
};

/** Moves a job to Verifying and reserves the name of its output: the usual one, or one with a part of its id. */
export async function beginVerifying(
  job: Stored<Job>,
  profile: OutputNameRules,
  { event, message, patch = {}, also = [] }: Signed,
  nowMs: number,
): Promise<Stored<Job>> {
  const reserve = async (isOutputNumbered: boolean): Promise<Stored<Job>> => {
    const outputName = outputNameOf(job, profile, { isNumbered: isOutputNumbered });
    const encryptionEnabled = isEncrypted(job, profile);
    const named = { ...patch, outputName, isOutputNumbered, encryptionEnabled };
    const { after, writes } = movingJob(job, { event, message, patch: named }, nowMs);
    await commit([...writes, reservingOutput(outputName, job.id), ...also]);
    return after;
  };
  try {
    return await reserve(false);
  } catch (error) {
    if (error instanceof OutputTaken) return reserve(true);
    throw error;
  }
}

/** Writes the verified file to output/, encrypted where the profile says so, and completes the job. */
export async function releaseOutput(
  progress: Progress,
  signed: LocalFile,
  release: Release,
  { startedAtMs, now }: { readonly startedAtMs: number; readonly now: () => number },
): Promise<void> {
  await storeOutput(progress, signed, release);
  progress.job = await markCompleted(progress, release, { startedAtMs, nowMs: now() });
}

/** Never overwrites: a worker that lost its job meanwhile must not replace the output of another. */
async function storeOutput(progress: Progress, signed: LocalFile, release: Release): Promise<void> {
  const { job } = progress;
  const { outputName } = job;
  if (outputName === null) throw new Error('A job that is being verified has a name for its output.');
  const content = contentOf(release, signed, isEncrypted(job, release.profile));
  // From here on the file may be there, whatever S3 answers.
  progress.output = 'maybe';
  try {
    const options = { contentType: 'application/octet-stream', onlyIfAbsent: true };
    await onShare(settings['Storage:Work']?.share, async () =>
      (await workFiles()).put(outputKey(outputName), content, options),
    );
    progress.output = 'stored';
  } catch (error) {
    if (!(error instanceof FileExists)) throw error;
    progress.output = 'none';
    const message = `output/ has a file ${outputName} that belongs to no job. Move it away, then retry.`;
    throw new JobFailure('job.signing-failed', message);
  }
}

/** The bytes of the output: the signed file, or its envelope. */
function contentOf({ opened: { encryption } }: Release, signed: LocalFile, isEncrypted: boolean) {
  const content = typeof signed === 'string' ? createReadStream(signed) : signed;
  if (!isEncrypted || !encryption) return content;
  return 'key' in encryption
    ? sealWithPassword(content, encryption.key)
    : sealForRecipients(content, [encryption.certificate]);
}

async function markCompleted(
  { job, slot }: Progress,
  { profile, counted }: Release,
  { startedAtMs, nowMs }: { readonly startedAtMs: number; readonly nowMs: number },
): Promise<Stored<Job>> {
  const { id: jobId, fileName, profileName, format } = job;
  const about = { jobId, profileName };
  const message = say(profile.verify ? 'job.released' : 'job.released-unverified');
  const { after, writes } = movingJob(job, { event: 'verified', message }, nowMs);
  await commit([
    ...writes,
    releasingSlot(slot),
    ...keepingName(job),
    ...recordingEvent(
      {
        type: 'OutputFileCreated',
        message: ofFile(fileName, say('event.output-written', { name: job.outputName ?? '' })),
        ...about,
      },
      nowMs,
    ),
    ...recordingEvent({ type: 'JobCompleted', message: ofFile(fileName, message), ...about }, nowMs),
    counting('bulk_jobs_completed_total'),
    observing('bulk_signing_duration_seconds', { format }, (nowMs - startedAtMs) / 1000),
    ...(profile.verify ? [] : [counting('bulk_jobs_verify_skipped_total', { profile: profileName })]),
    ...(isEncrypted(job, profile) ? [counting('bulk_files_encrypted_total')] : []),
    ...counted,
    settlingMessage(jobId, { isFallback: true }),
  ]);
  return after;
}
