import { collection, type Stored } from '../../../../../shared/store/collection.ts';
import { recordedTrace, type Traced } from '../../../../../shared/trace/trace.ts';
import { errors } from '../../../errors.ts';
import { recordedAs, type Said, type Sentence } from '../../../sentences/sentences.ts';
import type { Cnab240Figures } from '../cnab240/figures.ts';
import type { JobApproval } from './approval.ts';
import { safeNameOf } from './file-name.ts';
import type { JobState } from './states.ts';

export const JOB_FORMATS = ['Pades', 'Cades', 'Xades'] as const;
export type JobFormat = (typeof JOB_FORMATS)[number];

export const JOB_SOURCES = ['Upload', 'WatchedFolder', 'SignerFolder'] as const;
export type JobSource = (typeof JOB_SOURCES)[number];

export type JobErrorCode = Parameters<typeof errors.refuse>[0];

/** A job with one of these codes failed when its file was found, because another job has the name or the path. */
export const REFUSALS: ReadonlySet<JobErrorCode> = new Set([
  'file.already-processed',
  'job.already-processing',
]);

/** One step of a job, written together with the change that it tells of. */
export type HistoryEntry = {
  readonly id: number;
  readonly timestamp: string;
  readonly status: JobState;
  readonly message: string;
  /** The same as code and values. None for a text that came from elsewhere. */
  readonly said?: Said;
};

/** A dispatch that the external service has not answered: it may have created the document. */
export type OpenDispatch = {
  readonly jobId: string;
  readonly begunAtMs: number;
  /** Of the file that was handed over. */
  readonly sha256: string | null;
  readonly cpfs: readonly string[];
};

/** The document as which a job was handed to the external service (ExternalSigner). */
export type Dispatch = {
  /** Written before the document is created: a worker that is killed then may have created it. */
  readonly begunAtMs: number;
  /** Null until the external service has answered. */
  readonly documentId: string | null;
  /** When the job began to wait for the signers. */
  readonly waitingSinceMs: number | null;
  /** Polls in a row that the external service did not answer. */
  readonly failedPolls: number;
  /** Who is asked to sign. The profile may name others by the time they have. */
  readonly cpfs: readonly string[];
  /** Whether the document of a job that ended here was canceled there too. Null before that was tried. */
  readonly isCanceledThere: boolean | null;
  /** Those of the jobs that this one retries, which may be deleted before its own retry. */
  readonly open?: readonly OpenDispatch[];
};

/** The document of a signer folder that a job signs (SignerFolder). */
export type FolderDocument = {
  readonly folderId: string;
  readonly documentId: string;
  /** The action of the certificate holder. Null where the document has none. */
  readonly flowActionId: string | null;
  /** Written before the key is used. A job that was killed later ends on the answer of the external service. */
  readonly keyReachedAtMs: number | null;
  /** Whose certificate signs, written with that. The profile may have another one later. */
  readonly cpf: string | null;
};

/** An input as it was measured when it was staged. */
export type MeasuredFile = {
  readonly length: number;
  readonly sha256: string;
  readonly etag: string;
  /** No copy was made: that of an upload, whose key nobody else knows. */
  readonly isInput?: true;
};

export type Job = Traced & {
  readonly id: string;
  /** As it was given, without invisible characters. Keys of the store have a safe one: `safeNameOf`. */
  readonly fileName: string;
  /** Null for a document of the external service. */
  readonly originalPath: string | null;
  /** The input folder that it came from. Null for an upload, and for a document of the external service. */
  readonly folder: string | null;
  /** The share that has the input. Null for the service's own bucket. */
  readonly inputShare: string | null;
  /** The key of the input in that store. An upload has a key of its own, so that two of one name never meet. */
  readonly inputKey: string | null;
  /** The input as it was when the job was created. */
  readonly found: { readonly length: number; readonly etag: string } | null;
  readonly format: JobFormat;
  readonly source: JobSource;
  readonly state: JobState;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly parentJobId: string | null;
  /** The newest job that retries it. */
  readonly retriedAs?: string;
  readonly profileName: string;
  readonly externalReference: string | null;
  /** Whether the caller asked for an encrypted output. Null: as the profile says when the output is released. */
  readonly encryption: boolean | null;
  /**
   * Whether the output is encrypted: as request and profile said when the job was created, and since the output has its
   * name as it was done.
   */
  readonly encryptionEnabled: boolean;
  readonly errorCode: JobErrorCode | null;
  readonly errorMessage: string | null;
  /** The same as code and values. */
  readonly errorSaid?: Said | undefined;
  readonly history: readonly HistoryEntry[];
  readonly cnab240: Cnab240Figures | null;
  /** The rule that it was parked under, and what people decided. Null for a job that never waited for them. */
  readonly approval: JobApproval | null;
  /** Whether an approver rejected it: such a job is not retried. */
  readonly isRejected: boolean;
  readonly dispatch: Dispatch | null;
  readonly folderDocument: FolderDocument | null;
  /** What was signed, as it was staged. */
  readonly staged: MeasuredFile | null;
  /** The instance that processes it, or did last. */
  readonly instance: string | null;
  /** Grows with every claim: only the worker with the newest one may go on. */
  readonly fence: number;
  /** The name in output/, reserved before the file is written. */
  readonly outputName: string | null;
  /** Whether that name carries a part of the job's id, because another job's file has the plain one. */
  readonly isOutputNumbered: boolean;
};

/** A job that nothing has happened to yet. */
export type NewJob = Pick<
  Job,
  | 'fileName'
  | 'originalPath'
  | 'folder'
  | 'inputShare'
  | 'inputKey'
  | 'format'
  | 'source'
  | 'parentJobId'
  | 'profileName'
  | 'externalReference'
  | 'encryption'
> &
  Required<Pick<Job, 'encryptionEnabled'>> & {
    readonly id: string;
    readonly folderDocument?: FolderDocument;
  };

export const newJob = (request: NewJob, sentence: Sentence, nowMs: number): Job => ({
  folderDocument: null,
  ...recordedTrace(),
  ...request,
  state: 'Queued',
  createdAtMs: nowMs,
  updatedAtMs: nowMs,
  errorCode: null,
  errorMessage: null,
  history: [{ id: 1, timestamp: new Date(nowMs).toISOString(), status: 'Queued', ...recordedAs(sentence) }],
  cnab240: null,
  approval: null,
  isRejected: false,
  dispatch: null,
  found: null,
  staged: null,
  instance: null,
  fence: 0,
  outputName: null,
  isOutputNumbered: false,
});

export const jobs = collection<Job, string>({
  service: 'batch',
  name: 'job',
  id: ({ id }) => id,
  key: (id) => ({ pk: `JOB#${id}`, sk: 'JOB' }),
});

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text can be the id of a job. */
export const isJobId = (text: string): boolean => GUID.test(text);

/** The job with this id, or the refusal job.not-found. */
export async function requireJob(id: string): Promise<Stored<Job>> {
  const job = isJobId(id) ? await jobs.get(id.toLowerCase()) : undefined;
  if (!job) throw errors.refuse('job.not-found');
  return job;
}

/** The staged copy of a job. */
export const stagedKey = ({ id, fileName }: Pick<Job, 'id' | 'fileName'>): string =>
  `processing/${id}/${safeNameOf(fileName)}`;

/** The index of its payments, for those who decide and have decided. No safe name begins with a point. */
export const paymentsKey = ({ id }: Pick<Job, 'id'>): string => `processing/${id}/.payments`;

/** Where the staged copy of a job that fails goes, and what else is left: a file by its name in output/. */
export const errorKey = (
  { id, fileName }: Pick<Job, 'id' | 'fileName'>,
  name: string = safeNameOf(fileName),
): string => `error/${id}/${name}`;

export const outputKey = (outputName: string): string => `output/${outputName}`;

/** A job as lists show it. */
export const renderJob = (job: Job) => ({
  id: job.id,
  fileName: job.fileName,
  originalPath: job.originalPath,
  format: job.format,
  source: job.source,
  status: job.state,
  createdAt: new Date(job.createdAtMs).toISOString(),
  updatedAt: new Date(job.updatedAtMs).toISOString(),
  parentJobId: job.parentJobId,
  errorCode: job.errorCode,
  errorMessage: job.errorMessage,
  profileName: job.profileName,
});
