import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clockFrom } from '../../../../../shared/async/clock.ts';
import { deadlineIn } from '../../../../../shared/async/deadline.ts';
import { PlatformUnreachable } from '../../../../../shared/platform/errors.ts';
import type { Work } from '../../../../../shared/queue/work.ts';
import { encodePem } from '../../../../../shared/signing/cms/pem.ts';
import { verifySignedFile } from '../../../../../shared/signing/verification/verify-signed-file.ts';
import { writeWhole } from '../../../../../shared/signing/write-whole.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { externalService } from '../../../config/external-service.ts';
import { instanceName } from '../../../config/instance-name.ts';
import { mayClaim } from '../../../installation/cluster/domain/heartbeat.ts';
import { ownOf, readInstances } from '../../../installation/cluster/domain/instance.ts';
import { JobFailure } from '../../../jobs/domain/engine/end-job.ts';
import { openProfileOf } from '../../../jobs/domain/engine/profile-of.ts';
import { beginVerifying, releaseOutput } from '../../../jobs/domain/engine/release-output.ts';
import { type Progress, runClaimed } from '../../../jobs/domain/engine/run-claimed.ts';
import { type ClaimedJob, giveBack, takingSlot, withSlot } from '../../../jobs/domain/engine/slots.ts';
import type { Dispatch, Job } from '../../../jobs/domain/job/job.ts';
import { SIGNATURE_KINDS } from '../../../jobs/domain/job/output-names.ts';
import { findProfile } from '../../../profiles/domain/find-profile.ts';
import { say } from '../../../sentences/sentences.ts';
import { settings } from '../../../settings.ts';
import { isWorkStoreUsable } from '../../../storage/domain/stores.ts';
import { holdsStaged } from './same-content.ts';

type Concluded = { readonly dispatch: Dispatch; readonly documentId: string };

// The function has 300 s. A pass begins conclusions in its first 100 s, and the last one has 50 s to verify and release.
// A download in which no bytes come ends sooner, after Signer:RequestTimeout.
const DOWNLOAD_WITHIN_MS = 150_000;

// The disk of the function has 2 GB, for the signed file and its envelope.
const MAX_SIGNED_BYTES = 1_500_000_000;
const maxSignedBytes = (): number => Math.min(2 * settings['Upload:MaxBytes'], MAX_SIGNED_BYTES);

// The signed file is on disk before the job leaves AwaitingSigner: whatever fails before that is only a failed poll.
//
//   worker    |--download--|--job: Verifying + slot + name of the output--|--verify--output/--Completed--|
//   killed         waits still           lease ends: Failed, job.interrupted; its retry takes the document over

/**
 * Downloads the signed document of a job, verifies it and releases it. Answers whether the job went on: it waits while
 * the work share is away, while no slot is free and while this instance has stood down. Throws the platform's errors, and those of the disk and the store.
 */
export async function concludeJob(
  job: Stored<Job>,
  { dispatch, documentId }: Concluded,
  work: Work,
): Promise<boolean> {
  // Nothing is lost: the job waits until this installation has its work share.
  if (!(await isWorkStoreUsable())) return false;
  const folder = await mkdtemp(join(tmpdir(), 'sinete-concluded-'));
  try {
    const startedAtMs = work.now();
    const signed = join(folder, 'signed');
    await download(documentId, signed, work);
    const claimed = await claim(job, work.now());
    if (!claimed) return false;
    const run = (progress: Progress) =>
      release(progress, { signed, cpfs: dispatch.cpfs }, { startedAtMs, now: work.now });
    await runClaimed(claimed, run, work);
    giveBack(claimed.slot.number);
    return true;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function download(documentId: string, path: string, { now }: Work): Promise<void> {
  const { contentType = '', length } = await externalService.downloadSigned(
    documentId,
    path,
    deadlineIn(DOWNLOAD_WITHIN_MS, now),
    maxSignedBytes(),
  );
  // A page of a gateway that stands before the service.
  if (length === 0 || /^text\/html\b/i.test(contentType))
    throw new PlatformUnreachable('The signature service answered something else than the signed document.');
}

// A profile that is gone fails the job when it is opened.
const DEFAULT_NAMES = { preserveFileExtension: false, saveAsPem: false };

/** Takes a slot for the job and moves it to Verifying. Undefined when no slot is free, or this instance stood down. */
async function claim(job: Stored<Job>, nowMs: number): Promise<ClaimedJob | undefined> {
  const now = clockFrom(nowMs);
  const profile = (await findProfile(job.profileName)) ?? DEFAULT_NAMES;
  const fence = job.fence + 1;
  const { id: jobId, format, profileName } = job;
  const step = {
    event: 'concluded',
    message: say('job.signed-by-all'),
    patch: { fence, instance: instanceName() },
  } as const;
  const instances = await readInstances();
  // While this look hung, the instance may have stood down.
  if (!(await mayClaim(ownOf(instances), now()))) return undefined;
  return withSlot('returning', async (number) => {
    const slot = takingSlot({ number, jobId, format, profileName, fence }, nowMs);
    return { job: await beginVerifying(job, profile, { ...step, also: [slot] }, nowMs), slot: slot.after };
  });
}

async function release(
  progress: Progress,
  { signed, cpfs }: { readonly signed: string; readonly cpfs: readonly string[] },
  time: { readonly startedAtMs: number; readonly now: () => number },
): Promise<void> {
  const { job } = progress;
  const { profile, opened } = await openProfileOf(job);
  if (profile.verify) await verify(job, signed, cpfs, time.now());
  const isPem = job.format === 'Cades' && profile.saveAsPem;
  const output = isPem ? `${signed}.pem` : signed;
  if (isPem) await writeWhole(output, encodePem(createReadStream(signed)));
  await releaseOutput(progress, output, { profile, opened, counted: [] }, time);
}

/** Verifies that the file is the one that was handed over, signed as a whole, and by everybody who was asked. */
async function verify(job: Job, signed: string, cpfs: readonly string[], atMs: number): Promise<void> {
  const format = SIGNATURE_KINDS[job.format];
  const result = await verifySignedFile(signed, { format, atMs, cpfs });
  const isSame = result.ok && job.staged !== null && (await holdsStaged(job, job.staged, signed));
  if (isSame) return;
  const reason = result.ok
    ? 'It is another file than the one that was handed over. Ask who replaced it there.'
    : result.reasons.join(' ');
  throw new JobFailure(
    'job.verification-failed',
    `The signed file of the external service does not verify, and was not released: ${reason}`,
  );
}
