import { type Deadline, deadlineIn } from '../../../../../shared/async/deadline.ts';
import { PlatformRefused, PlatformUnreachable } from '../../../../../shared/platform/errors.ts';
import {
  type NotAccepted,
  parseActionUrl,
  type SignatureTarget,
  type ToSign,
} from '../../../../../shared/platform/signatures.ts';
import type { Work } from '../../../../../shared/queue/work.ts';
import { hashBytes, type SigningDigest } from '../../../../../shared/signing/digest.ts';
import { RaceLost } from '../../../../../shared/store/refusals.ts';
import { externalService } from '../../../config/external-service.ts';
import { JobFailure } from '../../../jobs/domain/engine/end-job.ts';
import { LeftInFlight, type Progress, runClaimed } from '../../../jobs/domain/engine/run-claimed.ts';
import { type ClaimedJob, releasingSlot } from '../../../jobs/domain/engine/slots.ts';
import { requireValidCertificate } from '../../../jobs/domain/engine/valid-certificate.ts';
import type { FolderDocument, Job } from '../../../jobs/domain/job/job.ts';
import { observing } from '../../../operations/domain/metrics.ts';
import { say } from '../../../sentences/sentences.ts';
import { type DocumentState, readState } from './document-state.ts';
import { cancelMovedOn, completeJob, countingOutcome, markKeyReached, markSigned } from './end-folder-job.ts';
import { type Holder, openHolder } from './open-holder.ts';

// For all that comes before the key, and again for what comes after it. A platform that is busy is waited for meanwhile.
const STEP_MS = 60_000;

/** Signs the document of a claimed job at the external service, and ends the job. */
export const runFolderJob = (claimed: ClaimedJob, work: Work): Promise<void> =>
  runClaimed(claimed, (progress) => endOnce(progress, work), work);

/** The document no longer waits for the holder. */
class MovedOn extends Error {
  override readonly name = 'MovedOn';
}

async function endOnce(progress: Progress, { now, logger }: Work): Promise<void> {
  try {
    await signDocument(progress, now);
  } catch (error) {
    if (error instanceof RaceLost || error instanceof LeftInFlight) throw error;
    if (error instanceof MovedOn) {
      await orLeftInFlight(async () => {
        progress.job = await cancelMovedOn(progress.job, [releasingSlot(progress.slot)], now());
      });
      return;
    }
    const { id: jobId } = progress.job;
    if (!(error instanceof JobFailure))
      logger.error('A folder signature failed unexpectedly.', { jobId, error });
    throw withOutcome(error instanceof JobFailure ? error : unexpected(progress.job));
  }
}

// The platform has the signature and the store fails:
//
//   worker    |--complete: accepted--|--Verifying: not written
//   recovery                                       lease ends  |--asks the platform: signed--|--Completed--|
//
// A failure would tell the operator to retry a document that is signed.

/** Records how the document is at the external service. Where that is not possible now, the recovery does. */
async function orLeftInFlight(record: () => Promise<void>): Promise<void> {
  try {
    await record();
  } catch (error) {
    if (error instanceof RaceLost) throw error;
    throw new LeftInFlight('The end of a folder signature could not be recorded.', { cause: error });
  }
}

function withOutcome({ code, message, also, found }: JobFailure): JobFailure {
  const outcome = code === 'signer-folder.signature-refused' ? 'refused' : 'failed';
  return new JobFailure(code, message, { found, also: [...also, countingOutcome(outcome)] });
}

/** Past the key nobody knows here whether the service has the signature. */
const unexpected = ({ folderDocument }: Job): JobFailure =>
  folderDocument?.keyReachedAtMs
    ? new JobFailure('signer-folder.interrupted')
    : new JobFailure(
        'signer-folder.signature-failed',
        'An unexpected error ended the job. The log of the service has it under the id of the job.',
      );

/** One attempt: the document, whose action it is, and how to ask for its state. */
type Attempt = Holder & { readonly document: FolderDocument; readonly now: () => number };

async function signDocument(progress: Progress, now: () => number): Promise<void> {
  const { job } = progress;
  const { folderDocument: document } = job;
  if (!document) throw new Error('Only a job of a signer folder has a document.');
  const holder = await openHolder(job, document);
  if (holder.profile.validateCertificate) await requireValidCertificate(job, holder.signer, now());
  const attempt: Attempt = { ...holder, document, now };
  const startedAtMs = now();
  const before = deadlineIn(STEP_MS, now);
  await requireWaiting(attempt, before);
  const target = await requestTarget(attempt, before);
  const toSign = await startSignature(attempt, target, before);
  const digest = requireDigest(toSign);
  progress.job = await markKeyReached(job, attempt.cpf, now());
  const signature = await signHash(attempt, digest, toSign.hash);
  await deliver(attempt, target, { token: toSign.token, signature });
  await orLeftInFlight(() => endSigned(progress, attempt, startedAtMs));
}

async function endSigned(progress: Progress, attempt: Attempt, startedAtMs: number): Promise<void> {
  const { now } = attempt;
  progress.job = await markSigned(progress.job, say('job.signature-taken'), [], now());
  const message = await describeReadBack(attempt);
  const seconds = (now() - startedAtMs) / 1000;
  const { format } = progress.job;
  const also = [
    releasingSlot(progress.slot),
    observing('bulk_signing_duration_seconds', { format }, seconds),
  ];
  progress.job = await completeJob(progress.job, message, also, now());
}

async function requireWaiting(attempt: Attempt, deadline: Deadline): Promise<void> {
  const read = () => readState(attempt.document, attempt.cpf, deadline);
  const { state } = await orFailure(attempt, 'signer-folder.signature-failed', read);
  if (state !== 'waiting') throw new MovedOn();
}

async function requestTarget(attempt: Attempt, deadline: Deadline): Promise<SignatureTarget> {
  const { cpf, document } = attempt;
  const url = await orFailure(attempt, 'signer-folder.signature-failed', () =>
    externalService.actionUrl(document.documentId, { cpf }, deadline),
  );
  const parsed = parseActionUrl(url);
  if (!parsed) throw new JobFailure('signer-folder.action-url-malformed');
  return { ...parsed, flowActionId: document.flowActionId ?? undefined };
}

async function startSignature(
  attempt: Attempt,
  target: SignatureTarget,
  deadline: Deadline,
): Promise<ToSign> {
  const { signer } = attempt;
  const started = await orFailure(attempt, 'signer-folder.signature-refused', () =>
    externalService.startSignature(target, signer.certificate.der, deadline),
  );
  if (started.isAccepted) return started;
  if (await hasMovedOn(attempt)) throw new MovedOn();
  throw new JobFailure(
    'signer-folder.signature-refused',
    withReason(
      'The external service does not accept the certificate of the profile for this document',
      started,
    ),
  );
}

/** A refusal may mean that the document moved on. Any other failure has its reason in the history. */
async function orFailure<T>(
  attempt: Attempt,
  refusedCode: 'signer-folder.signature-refused' | 'signer-folder.signature-failed',
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof PlatformUnreachable)
      throw new JobFailure('signer-folder.signature-failed', error.message, { cause: error });
    if (!(error instanceof PlatformRefused)) throw error;
    if (await hasMovedOn(attempt)) throw new MovedOn();
    throw new JobFailure(refusedCode, refusalOf(error), { cause: error });
  }
}

const withReason = (sentence: string, { reason }: NotAccepted): string =>
  reason ? `${sentence}: ${reason}` : `${sentence}.`;

const refusalOf = ({ code, message }: PlatformRefused): string =>
  `The external service refused: ${message} (${code})`;

const hasMovedOn = async (attempt: Attempt): Promise<boolean> => {
  const state = await readAgain(attempt);
  return state !== undefined && state !== 'waiting';
};

// The limit of one read that only settles how a run ends.
const READ_AGAIN_MS = 10_000;

/** The state of the document now; undefined where the external service does not tell. */
async function readAgain({ document, cpf, now }: Attempt): Promise<DocumentState['state'] | undefined> {
  try {
    return (await readState(document, cpf, deadlineIn(READ_AGAIN_MS, now))).state;
  } catch (error) {
    if (error instanceof PlatformUnreachable || error instanceof PlatformRefused) return undefined;
    throw error;
  }
}

function requireDigest({ digestAlgorithm, hash }: ToSign): SigningDigest {
  const [, bits] = /^sha-?(256|384|512)$/i.exec(digestAlgorithm) ?? [];
  const fail = (message: string): never => {
    throw new JobFailure('signer-folder.signature-failed', message);
  };
  if (!bits) return fail(`The external service asks for a signature over ${digestAlgorithm}.`);
  const digest = `sha${bits}` as SigningDigest;
  if (hash.length !== hashBytes(digest))
    fail(`The external service gave ${hash.length} bytes to sign, which is no hash of ${digestAlgorithm}.`);
  return digest;
}

async function signHash({ signer }: Attempt, digest: SigningDigest, hash: Buffer): Promise<Buffer> {
  try {
    return await signer.signHash(digest, hash);
  } catch (cause) {
    throw new JobFailure('signer-folder.key-unavailable', undefined, { cause });
  }
}

type Delivery = { readonly token: string; readonly signature: Buffer };

/** Hands the signature over. Where the answer is lost, the document tells whether it arrived. */
async function deliver(attempt: Attempt, target: SignatureTarget, delivery: Delivery): Promise<void> {
  let reason: string;
  try {
    const deadline = deadlineIn(STEP_MS, attempt.now);
    const completed = await externalService.completeSignature(target, delivery, deadline);
    if (completed.isAccepted) return;
    reason = withReason('The external service did not accept the signature', completed);
  } catch (error) {
    if (error instanceof PlatformUnreachable) return requireArrived(attempt, error);
    if (!(error instanceof PlatformRefused)) throw error;
    reason = refusalOf(error);
  }
  if (await hasMovedOn(attempt)) throw new MovedOn();
  throw new JobFailure('signer-folder.signature-refused', reason);
}

async function requireArrived(attempt: Attempt, cause: PlatformUnreachable): Promise<void> {
  const state = await readAgain(attempt);
  if (state === 'signed') return;
  if (state === 'moved on') throw new MovedOn();
  throw new JobFailure(
    'signer-folder.interrupted',
    `${cause.message} Whether it has the signature is not known: check the document before retrying.`,
    { cause },
  );
}

async function describeReadBack(attempt: Attempt): Promise<string> {
  const state = await readAgain(attempt);
  if (state === 'signed') return 'Signed at the external service, and read back.';
  return state === undefined
    ? 'Signed at the external service. It could not be read back.'
    : 'Signed at the external service. The document does not show it yet.';
}
