import { createReadStream } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Deadline, leftMs } from '../../../../../shared/async/deadline.ts';
import { safeFileName } from '../../../../../shared/files/safe-name.ts';
import { PlatformUnreachable } from '../../../../../shared/platform/errors.ts';
import type { Upload } from '../../../../../shared/platform/uploads.ts';
import { externalService } from '../../../external-service.ts';
import type { Job, JobFormat, MeasuredFile } from '../../../jobs/domain/job/job.ts';
import type { ExternalSigner } from '../../../profiles/domain/profile.ts';
import { type EarlierDispatch, findDispatchedBefore } from './adopt-document.ts';
import { findByTag, tagOf } from './tag.ts';

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
// After an attempt that was not answered. One that was answered 429 names its own pause.
const PAUSES_MS = [500, 2_000];

// The answer to the creation may be lost, and the document may exist all the same:
//
//   worker    |--create: no answer--|--search the tag: found--|--AwaitingSigner--|
//   platform      |--document--|
//
// So every attempt after the first begins with a search. A platform that creates the document after that search, from a
// request that it was long done with, is not covered.

/** The document of a job at the external service: one that exists already, or a new one. Throws the platform's errors. */
export async function createDocumentOnce(handover: Handover, deadline: Deadline): Promise<string> {
  const { job, begunAtMs } = handover;
  let upload: Upload | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      const [own] = attempt === 1 ? [] : await findByTag(job, begunAtMs, deadline);
      const found = own ?? (await findDispatchedBefore(handover, deadline));
      if (found !== undefined) return found;
      upload ??= await uploadStaged(handover, deadline);
      return await create(handover, upload, deadline);
    } catch (error) {
      if (!(error instanceof PlatformUnreachable) || attempt === MAX_ATTEMPTS) throw error;
      const pauseMs = error.retryAfterMs ?? PAUSES_MS[attempt - 1] ?? 0;
      if (pauseMs >= leftMs(deadline)) throw error;
      await pause(pauseMs);
    }
  }
}

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

const create = (
  { job, externalSigner, begunAtMs }: Handover,
  upload: Upload,
  deadline: Deadline,
): Promise<string> => {
  const { signers, folderId, expiresAfterDays } = externalSigner;
  return externalService.createDocument(
    {
      upload,
      contentType: CONTENT_TYPES[job.format],
      signers,
      folderId,
      tag: tagOf(job),
      expiresAtMs: expiresAfterDays === undefined ? undefined : begunAtMs + expiresAfterDays * DAY_MS,
      forceCadesSignature: job.format === 'Cades',
      disableNotifications: false,
    },
    deadline,
  );
};
