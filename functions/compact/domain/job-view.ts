import type { HistoryEntry, Job, JobSource } from '../../batch/jobs/domain/job/job.ts';
import { type JobState, jobStates } from '../../batch/jobs/domain/job/states.ts';
import type { JOB_SOURCES, JOB_STATUSES } from '../contract.ts';

export type CompactStatus = (typeof JOB_STATUSES)[number];
export type CompactSource = (typeof JOB_SOURCES)[number];

/** The five statuses of this surface for the eight states of a job. */
const STATUS_OF: Readonly<Record<JobState, CompactStatus>> = {
  Queued: 'Pending',
  AwaitingApproval: 'Pending',
  AwaitingSigner: 'Pending',
  Processing: 'Processing',
  Verifying: 'Processing',
  Completed: 'Completed',
  Failed: 'Failed',
  Canceled: 'Rejected',
};

const SOURCE_OF: Readonly<Record<JobSource, CompactSource>> = {
  Upload: 'RestApi',
  WatchedFolder: 'WatchedFolder',
  SignerFolder: 'SignerFolder',
};

export const statusOf = (state: JobState): CompactStatus => STATUS_OF[state];
export const sourceOf = (source: JobSource): CompactSource => SOURCE_OF[source];
export const sources = Object.keys(SOURCE_OF) as readonly JobSource[];

/** The states of a status: all of them in flight, or none. */
export const statesOf = (status: CompactStatus): readonly JobState[] =>
  jobStates.states.filter((state) => statusOf(state) === status);

const isoOf = (ms: number): string => new Date(ms).toISOString();

const endOf = (history: readonly HistoryEntry[]): string | null =>
  history.find(({ status }) => jobStates.isTerminal(status))?.timestamp ?? null;

/** A job as this surface shows it. */
export const renderCompactJob = (job: Job) => ({
  id: job.id,
  fileName: job.fileName,
  status: statusOf(job.state),
  source: sourceOf(job.source),
  signatureFormat: job.format,
  encryptionEnabled: job.encryptionEnabled,
  externalReference: job.externalReference,
  createdAtUtc: isoOf(job.createdAtMs),
  updatedAtUtc: isoOf(job.updatedAtMs),
  completedAtUtc: endOf(job.history),
  errorMessage: job.errorMessage,
});

/** The history of a job as events. It never goes back in time. */
export const eventsOf = ({ history }: Job) =>
  history.map(({ timestamp, status, message }) => ({
    createdAtUtc: timestamp,
    status: statusOf(status),
    message,
  }));
