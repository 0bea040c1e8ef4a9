import type { Deadline } from '../../../../../shared/async/deadline.ts';
import { findCreated } from '../../../../../shared/platform/create-once.ts';
import { isPermanent } from '../../../../../shared/platform/errors.ts';
import type { PlatformDocument } from '../../../../../shared/platform/shapes.ts';
import { externalService } from '../../../config/external-service.ts';
import {
  type Dispatch,
  type Job,
  type JobErrorCode,
  jobs,
  type MeasuredFile,
  type OpenDispatch,
} from '../../../jobs/domain/job/job.ts';
import { searchOf } from './tag.ts';

/** The dispatch of a job that the job at hand retries. */
export type EarlierDispatch = OpenDispatch & {
  /** Null where it is open. */
  readonly documentId: string | null;
  readonly errorCode: JobErrorCode | null;
};

/** A job that is handed over, as far as the document of an earlier one may serve it. */
type Adopter = {
  readonly job: Pick<Job, 'fileName'>;
  readonly earlier: readonly EarlierDispatch[];
  readonly externalSigner: { readonly signers: readonly { readonly cpf: string }[] };
  readonly staged: { readonly measured: MeasuredFile };
};

// The document of a job that failed may go on at the external service: its worker was killed after it was created, or the
// service did not answer for a while. A retry takes that one over, so that nobody is asked to sign twice.
//
//   job 1   |--create-- killed                     Failed: job.interrupted
//   job 2                  retry |--search the tag of job 1: found--|--AwaitingSigner--|

/** The document of an earlier job that serves this one too. One that does not, because the file is another, is canceled. */
export async function findDispatchedBefore(
  adopter: Adopter,
  deadline: Deadline,
): Promise<string | undefined> {
  for (const earlier of adopter.earlier) {
    for (const id of await documentsOf(earlier, adopter.job, deadline)) {
      const document = await readIfThere(id, deadline);
      if (!document) continue;
      if (isSame(earlier, adopter) && isAdoptable(earlier, document)) return id;
      if (document.status === 'Pending') await cancelQuietly(id, 'The file was handed over again.', deadline);
    }
  }
  return undefined;
}

const MAX_ANCESTORS = 50;
const MAX_OPEN = 20;

// An ancestor may be deleted. Each dispatch carries the open ones before it:
//
//   job 1   |--create: answer lost--|   Failed, later deleted
//   job 2      |--open: 1--|--no answer--|   Failed
//   job 3                         |--search the tags of 2 and, from its list, of 1: found--|

/**
 * The dispatches of the jobs that this one retries, the newest first, up to the first that had an answer: it has looked
 * itself.
 */
export async function dispatchedBefore({
  parentJobId,
}: Pick<Job, 'parentJobId'>): Promise<readonly EarlierDispatch[]> {
  const found = new Map<string, EarlierDispatch>();
  let id = parentJobId;
  for (let depth = 0; depth < MAX_ANCESTORS && id !== null; depth++) {
    const job: Job | undefined = await jobs.get(id);
    const dispatches = job?.dispatch ? dispatchesOf(job, job.dispatch) : [];
    for (const earlier of dispatches) if (!found.has(earlier.jobId)) found.set(earlier.jobId, earlier);
    id = job?.dispatch?.documentId == null ? (job?.parentJobId ?? null) : null;
  }
  return [...found.values()];
}

/** The dispatch of a job, and the open ones that it carries. */
function dispatchesOf({ id: jobId, staged, errorCode }: Job, dispatch: Dispatch): readonly EarlierDispatch[] {
  const { begunAtMs, documentId, cpfs, open = [] } = dispatch;
  const own = { jobId, begunAtMs, documentId, cpfs, sha256: staged?.sha256 ?? null, errorCode };
  if (documentId !== null) return [own];
  return [own, ...open.map((carried) => ({ ...carried, documentId: null, errorCode: null }))];
}

/** The open dispatches that a job carries for its retries: the oldest, as those are deleted first. */
export const openOf = (earlier: readonly EarlierDispatch[]): readonly OpenDispatch[] =>
  earlier
    .filter(({ documentId }) => documentId === null)
    .slice(-MAX_OPEN)
    .map(({ jobId, begunAtMs, sha256, cpfs }) => ({ jobId, begunAtMs, sha256, cpfs }));

// A retry has the file name of the job that it retries.
const documentsOf = async (
  { jobId, begunAtMs, documentId }: EarlierDispatch,
  { fileName }: Pick<Job, 'fileName'>,
  deadline: Deadline,
): Promise<readonly string[]> =>
  documentId === null
    ? findCreated(externalService, searchOf({ id: jobId, fileName }, begunAtMs), deadline)
    : [documentId];

async function readIfThere(id: string, deadline: Deadline): Promise<PlatformDocument | undefined> {
  try {
    return await externalService.readDocument(id, deadline);
  } catch (error) {
    if (isPermanent(error)) return undefined;
    throw error;
  }
}

/** Whether the same bytes were handed to the same people. */
const isSame = (earlier: EarlierDispatch, { externalSigner, staged }: Adopter): boolean =>
  earlier.sha256 === staged.measured.sha256 &&
  earlier.cpfs.join() === externalSigner.signers.map(({ cpf }) => cpf).join();

/** The documents of these jobs are of no use: nobody signs them any more, or what was signed did not verify. */
const USELESS: ReadonlySet<JobErrorCode | null> = new Set([
  'signer.document-rejected',
  'job.verification-failed',
]);
const ALIVE: ReadonlySet<string> = new Set(['Pending', 'FlowConcluded', 'Concluded']);

/** A document of a job that timed out serves only where everybody has signed it all the same. */
const isAdoptable = ({ errorCode }: EarlierDispatch, { status }: PlatformDocument): boolean =>
  errorCode === 'signer.timeout' ? status === 'Concluded' : !USELESS.has(errorCode) && ALIVE.has(status);

/** Cancels a document as far as that succeeds: whoever signs it helps nobody, and harms nobody. */
export const cancelQuietly = (id: string, reason: string, deadline: Deadline): Promise<void> =>
  externalService.cancelDocument(id, reason, deadline).catch(() => undefined);
