import { send } from '../../../../../shared/queue/send.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { counting } from '../../../operations/domain/metrics.ts';
import { both, ofFile, recordedAs, type Sentence, say, sayError } from '../../../sentences/sentences.ts';
import { settings } from '../../../settings.ts';
import { type InputCondition, inputOf, isInputRecorded, recordingInput, type SeenFile } from './inputs.ts';
import { type Job, type JobErrorCode, jobs, type NewJob, newJob } from './job.ts';
import { changingLists } from './list.ts';
import { logFailure } from './log-failure.ts';
import { claimingNames, claimingRefused, type NameRules } from './names.ts';
import { settlingMessages } from './tasks.ts';

/** Messages that wake a worker, with the job that it may begin with. They carry no work: jobs wait in the store. */
export const JOBS_QUEUE = 'jobs';

/** The label of uploads among the input folders. */
const UPLOAD_FOLDER = '(upload)';

/** How a job came to be, and which names are refused to it: as the setting says, if left out. */
export type Origin = {
  /** The sentence of its history. */
  readonly message: Sentence;
  /** Its input as it was found. Null for a document of the external service. */
  readonly input: SeenFile | null;
  /** Refused with InputKnown where it does not hold. */
  readonly condition?: InputCondition;
  /** Further writes of the same commit. */
  readonly also?: readonly Write[];
} & Partial<NameRules>;

/** The same of a job that failed at once. */
type RefusedOrigin = Pick<Origin, 'input' | 'condition' | 'also'> & {
  /** What the error table's sentence does not tell. */
  readonly message?: Sentence;
};

/**
 * Creates a queued job, with the claims of its path and name. Refused with job.already-processing,
 * file.already-processed or InputKnown.
 */
export async function createJob(request: NewJob, origin: Origin, nowMs: number): Promise<Stored<Job>> {
  const {
    message,
    rejectProcessed = settings['Pipeline:RejectAlreadyProcessedFileNames'],
    rejectActive,
  } = origin;
  const job: Job = { ...newJob(request, message, nowMs), found: foundOf(origin) };
  const created = await jobs.create(job, {
    also: [
      ...claimingNames(job, { rejectProcessed, rejectActive }),
      ...recordingCreation(job, origin, message, nowMs),
      countingCreation(job),
    ],
  });
  await wakeWorker(created.id, created);
  return created;
}

/**
 * Creates a job that has failed already, for a file or document that is refused where nobody waits for an answer. Its input is to be
 * settled next; the outbox says so. Refused with InputKnown, or with job.already-processing for a document that is known.
 */
export async function createFailedJob(
  request: NewJob,
  code: JobErrorCode,
  origin: RefusedOrigin,
  nowMs: number,
): Promise<Stored<Job>> {
  const sentence = origin.message ? both(sayError(code), origin.message) : sayError(code);
  const { message, said } = recordedAs(sentence);
  const created = newJob(request, sentence, nowMs);
  const history = created.history.map((entry) => ({ ...entry, status: 'Failed' as const }));
  const job: Job = {
    ...created,
    state: 'Failed',
    errorCode: code,
    errorMessage: message,
    errorSaid: said,
    history,
  };
  const { id: jobId, fileName, profileName } = job;
  const refused = await jobs.create(job, {
    also: [
      ...recordingCreation(job, origin, say('job.refused'), nowMs),
      ...recordingEvent(
        { type: 'JobFailed', message: ofFile(fileName, sentence), jobId, profileName, code },
        nowMs,
      ),
      counting('bulk_jobs_failed_total'),
      ...claimingRefused(job),
      ...settlingMessages(job),
    ],
  });
  logFailure(refused);
  return refused;
}

/** A document of the external service comes from no input folder, and is no upload. */
const countingCreation = ({ folder, folderDocument, profileName }: Job): Write =>
  folderDocument
    ? counting('bulk_signer_folder_jobs_enqueued_total', { profile: profileName })
    : counting('bulk_jobs_enqueued_total', { folder: folder ?? UPLOAD_FOLDER });

const foundOf = ({ input }: Pick<Origin, 'input'>): Job['found'] =>
  input && { length: input.length, etag: input.etag };

function recordingCreation(
  job: Job,
  { input, condition, also = [] }: RefusedOrigin,
  message: Sentence,
  nowMs: number,
): Write[] {
  const { id: jobId, fileName, profileName } = job;
  const place = inputOf(job);
  return [
    ...(place && input && isInputRecorded(job) ? [recordingInput(place, input, jobId, condition)] : []),
    ...changingLists(undefined, job),
    ...recordingEvent({ type: 'JobCreated', message: ofFile(fileName, message), jobId, profileName }, nowMs),
    ...also,
  ];
}

/**
 * Wakes a worker. The store is the queue, so a lost message only means that the next tick finds the job. One that has just
 * been written goes along, and its claim needs no read: it is refused where the job has changed since.
 */
export const wakeWorker = (jobId?: string, written?: Stored<Job>): Promise<void> =>
  send('batch', JOBS_QUEUE, { jobId, written }).catch(() => undefined);
