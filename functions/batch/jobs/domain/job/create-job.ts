import { send } from '../../../../../shared/queue/send.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { counting } from '../../../operations/domain/metrics.ts';
import { settings } from '../../../settings.ts';
import { type Job, jobs, newJob } from './job.ts';
import { changingLists } from './list.ts';
import { claimingNames, recordingInput } from './names.ts';

/** Messages that wake a worker. They carry no work: jobs wait in the store. */
export const JOBS_QUEUE = 'jobs';

/** The label of uploads among the input folders. */
export const UPLOAD_FOLDER = '(upload)';

/**
 * Creates a queued job, with the claims of its path and name. Refused with job.already-processing or
 * file.already-processed.
 */
export async function createJob(
  request: Parameters<typeof newJob>[0],
  { folder, message }: { readonly folder: string; readonly message: string },
  nowMs: number,
): Promise<Stored<Job>> {
  const job = newJob(request, message, nowMs);
  const created = await jobs.create(job, {
    also: [
      ...claimingNames(job, { rejectProcessed: settings['Pipeline:RejectAlreadyProcessedFileNames'] }),
      ...(job.inputKey === null ? [] : [recordingInput(job.inputKey)]),
      ...changingLists(undefined, job),
      ...recordingEvent(
        {
          type: 'JobCreated',
          message: `${job.fileName}: ${message}`,
          jobId: job.id,
          profileName: job.profileName,
        },
        nowMs,
      ),
      counting('bulk_jobs_enqueued_total', { folder }),
    ],
  });
  await wakeWorker();
  return created;
}

/** Wakes a worker. The store is the queue, so a lost message only means that the next tick finds the job. */
export const wakeWorker = (): Promise<void> => send('batch', JOBS_QUEUE, {}).catch(() => undefined);
