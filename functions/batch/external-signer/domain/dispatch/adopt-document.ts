import type { Deadline } from '../../../../../shared/async/deadline.ts';
import { isPermanent } from '../../../../../shared/platform/errors.ts';
import type { PlatformDocument } from '../../../../../shared/platform/shapes.ts';
import { externalService } from '../../../external-service.ts';
import {
  type Dispatch,
  type Job,
  type JobErrorCode,
  jobs,
  type MeasuredFile,
} from '../../../jobs/domain/job/job.ts';
import { findByTag } from './tag.ts';

type Dispatched = Job & { readonly dispatch: Dispatch };

/** A job that is handed over, as far as the document of an earlier one may serve it. */
type Adopter = {
  readonly job: Pick<Job, 'parentJobId'>;
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
  for (const earlier of await dispatchedBefore(adopter.job)) {
    for (const id of await documentsOf(earlier, deadline)) {
      const document = await readIfThere(id, deadline);
      if (!document) continue;
      if (isSame(earlier, adopter) && isAdoptable(earlier, document)) return id;
      if (document.status === 'Pending') await cancelQuietly(id, 'The file was handed over again.', deadline);
    }
  }
  return undefined;
}

const MAX_ANCESTORS = 5;

/** The jobs that this one retries and that were dispatched, up to the first that had an answer: it has looked itself. */
async function dispatchedBefore({ parentJobId }: Pick<Job, 'parentJobId'>): Promise<readonly Dispatched[]> {
  const found: Dispatched[] = [];
  let id = parentJobId;
  for (let depth = 0; depth < MAX_ANCESTORS && id !== null; depth++) {
    const job: Job | undefined = await jobs.get(id);
    if (job?.dispatch) found.push({ ...job, dispatch: job.dispatch });
    id = job?.dispatch?.documentId == null ? (job?.parentJobId ?? null) : null;
  }
  return found;
}

const documentsOf = async (job: Dispatched, deadline: Deadline): Promise<readonly string[]> =>
  job.dispatch.documentId === null
    ? findByTag(job, job.dispatch.begunAtMs, deadline)
    : [job.dispatch.documentId];

async function readIfThere(id: string, deadline: Deadline): Promise<PlatformDocument | undefined> {
  try {
    return await externalService.readDocument(id, deadline);
  } catch (error) {
    if (isPermanent(error)) return undefined;
    throw error;
  }
}

/** Whether the same bytes were handed to the same people. */
const isSame = (earlier: Dispatched, { externalSigner, staged }: Adopter): boolean =>
  earlier.staged?.sha256 === staged.measured.sha256 &&
  earlier.dispatch.cpfs.join() === externalSigner.signers.map(({ cpf }) => cpf).join();

/** The documents of these jobs are of no use: nobody signs them any more, or what was signed did not verify. */
const USELESS: ReadonlySet<JobErrorCode | null> = new Set([
  'signer.timeout',
  'signer.document-rejected',
  'job.verification-failed',
]);
const ALIVE: ReadonlySet<string> = new Set(['Pending', 'FlowConcluded', 'Concluded']);

const isAdoptable = ({ errorCode }: Job, { status }: PlatformDocument): boolean =>
  !USELESS.has(errorCode) && ALIVE.has(status);

/** Cancels a document as far as that succeeds: whoever signs it helps nobody, and harms nobody. */
export const cancelQuietly = (id: string, reason: string, deadline: Deadline): Promise<void> =>
  externalService.cancelDocument(id, reason, deadline).catch(() => undefined);
