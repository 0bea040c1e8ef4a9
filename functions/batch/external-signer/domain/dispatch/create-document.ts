import { createReadStream } from 'node:fs';
import type { Deadline } from '../../../../../shared/async/deadline.ts';
import { safeFileName } from '../../../../../shared/files/safe-name.ts';
import { createOnce } from '../../../../../shared/platform/create-once.ts';
import type { Upload } from '../../../../../shared/platform/uploads.ts';
import { externalService } from '../../../config/external-service.ts';
import type { Job, JobFormat, MeasuredFile } from '../../../jobs/domain/job/job.ts';
import type { ExternalSigner } from '../../../profiles/domain/profile.ts';
import { type EarlierDispatch, findDispatchedBefore } from './adopt-document.ts';
import { searchOf } from './tag.ts';

/** A job that is handed over: its file, and who signs it. */
export type Handover = {
  readonly job: Job;
  readonly externalSigner: ExternalSigner;
  readonly staged: { readonly path: string; readonly measured: MeasuredFile };
  readonly begunAtMs: number;
  /** The dispatches of the jobs that it retries. */
  readonly earlier: readonly EarlierDispatch[];
};

const MAX_ATTEMPTS = 3;

/** The document of a job at the external service: one that exists already, or a new one. Throws the platform's errors. */
export const createDocumentOnce = (handover: Handover, deadline: Deadline): Promise<string> =>
  createOnce(
    externalService,
    {
      document: documentOf(handover),
      search: searchOf(handover.job, handover.begunAtMs),
      upload: () => uploadStaged(handover, deadline),
      findOther: () => findDispatchedBefore(handover, deadline),
      maxAttempts: MAX_ATTEMPTS,
    },
    deadline,
  );

// By content type and bytes the platform chooses the same format as the job.
const CONTENT_TYPES: Readonly<Record<JobFormat, string>> = {
  Pades: 'application/pdf',
  Cades: 'application/octet-stream',
  Xades: 'application/xml',
};

const uploadStaged = ({ job, staged }: Handover, deadline: Deadline): Promise<Upload> =>
  externalService.uploadStream(
    {
      stream: createReadStream(staged.path),
      length: staged.measured.length,
      fileName: safeFileName(job.fileName),
      contentType: CONTENT_TYPES[job.format],
    },
    deadline,
  );

const DAY_MS = 86_400_000;

const documentOf = ({ job, externalSigner, begunAtMs }: Handover) => {
  const { signers, folderId, expiresAfterDays } = externalSigner;
  return {
    contentType: CONTENT_TYPES[job.format],
    signers,
    folderId,
    expiresAtMs: expiresAfterDays === undefined ? undefined : begunAtMs + expiresAfterDays * DAY_MS,
    forceCadesSignature: job.format === 'Cades',
    disableNotifications: false,
  };
};
