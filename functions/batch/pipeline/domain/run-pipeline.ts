import type { Work } from '../../../../shared/queue/work.ts';
import { goOnInTrace } from '../../../../shared/trace/spans.ts';
import { parkJob } from '../../approvals/domain/park-job.ts';
import { requireProducible } from '../../approvals/domain/signatures/require-signatures.ts';
import { dispatchJob } from '../../external-signer/domain/dispatch/dispatch-job.ts';
import { runFolderJob } from '../../external-signer/domain/folder-job/run-folder-job.ts';
import { beginVerifying, releaseOutput } from '../../jobs/domain/engine/release-output.ts';
import { type Progress, runClaimed } from '../../jobs/domain/engine/run-claimed.ts';
import { type ClaimedJob, giveBack } from '../../jobs/domain/engine/slots.ts';
import { say } from '../../sentences/sentences.ts';
import { settings } from '../../settings.ts';
import { claimJob, type KnownJobs } from './claim-job.ts';
import { type Passed, passGates } from './gates.ts';
import { signStaged, verifySigned } from './sign-job.ts';
import { keepCopy, onDisk, reopenApproved, type StagedInput, stageInput } from './stage-input.ts';
import { type WorkFolder, withWorkFolder } from './work-folder.ts';

// Lambda has at least two workers of a queue. With one slot the second is turned away, and its job left to the first.
const MIN_WORKERS = 2;

/**
 * Takes the job that the worker was woken for; a queue brings as many messages at once as there are slots. Woken for none,
 * it takes jobs one after another, the oldest first, until none waits, all slots are taken, the pipeline is paused, or there
 * is no time for another. Answers how many it took, and whether it stopped for want of time.
 */
export async function runPipeline(
  work: Work,
  wokenFor?: KnownJobs[number],
): Promise<{ readonly taken: number; readonly isOutOfTime: boolean }> {
  const known: KnownJobs = wokenFor === undefined ? [] : [wokenFor];
  const onlyKnown = wokenFor !== undefined && settings['Pipeline:MaxConcurrency'] >= MIN_WORKERS;
  for (let taken = 0; ; taken++) {
    if (onlyKnown && taken > 0) return { taken, isOutOfTime: false };
    if (!work.hasTime()) return { taken, isOutOfTime: true };
    const claimed = await claimJob(work.now(), known, { onlyKnown });
    if (!claimed) return { taken, isOutOfTime: false };
    await goOnInTrace(claimed.job, 'job', () => processJob(claimed, work));
    giveBack(claimed.slot.number);
  }
}

/**
 * Takes a claimed job to its end. That of a file never runs again: one whose worker is gone fails, because its key may
 * have signed.
 *
 *   claimed -- staged -- gates -- signed -- Verifying, name reserved -- verified -- encrypted -- output/ -- Completed
 *                              \- approval: AwaitingApproval, Queued again when it is approved
 *                              \- ExternalSigner: dispatched, AwaitingSigner
 */
export const processJob = (claimed: ClaimedJob, work: Work): Promise<void> =>
  claimed.job.folderDocument
    ? runFolderJob(claimed, work)
    : runClaimed(
        claimed,
        (progress) => withWorkFolder((folder) => signFile(progress, folder, work.now)),
        work,
      );

async function signFile(progress: Progress, folder: WorkFolder, now: () => number): Promise<void> {
  const { job } = progress;
  const staged = job.approval
    ? await reopenApproved(job, job.approval, folder)
    : await stageInput(job, folder, now);
  progress.found = { staged: staged.measured };
  const passed = await passGates(job, staged, now());
  const { profile, cnab240 } = passed;
  progress.found = { staged: staged.measured, cnab240 };
  requireProducible(job, profile);
  if ((profile.approval && !job.approval) || profile.method === 'ExternalSigner')
    return waitForPeople(progress, passed, await keepCopy(job, staged), { folder, now });
  const startedAtMs = now();
  const signed = await signStaged(job, passed, staged, { folder, nowMs: startedAtMs });
  const step = { event: 'signed', message: say('job.signed'), patch: progress.found } as const;
  progress.job = await beginVerifying(job, profile, step, now());
  if (profile.verify) await verifySigned(job, signed, now());
  await releaseOutput(progress, signed.file, passed, { startedAtMs, now });
}

async function waitForPeople(
  progress: Progress,
  passed: Passed,
  staged: StagedInput,
  { folder, now }: { readonly folder: WorkFolder; readonly now: () => number },
): Promise<void> {
  const { profile, cnab240 } = passed;
  const { measured } = staged;
  progress.found = { staged: measured, cnab240 };
  const path = await onDisk(staged, folder);
  if (profile.approval && !progress.job.approval)
    return parkJob(progress, profile.approval, { measured, path, cnab240, folder: await folder() }, now());
  return dispatchJob(progress, passed, { measured, path }, now);
}
