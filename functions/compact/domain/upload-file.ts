import { extname } from 'node:path';
import { safeFileName } from '../../../shared/files/safe-name.ts';
import { commonSettings } from '../../../shared/settings/common.ts';
import type { Job, JobFormat } from '../../batch/jobs/domain/job/job.ts';
import {
  type FileRequest,
  queueUpload,
  requireUploadTarget,
  type StoredUpload,
  storeUpload,
  type UploadTarget,
} from '../../batch/jobs/domain/upload-file.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';
import { nameRules } from './name-rules.ts';

const MB = 1_048_576;

/** The profile that signs uploads of this surface. */
export const requireTarget = (): Promise<UploadTarget> =>
  requireUploadTarget({ profile: settings['Compact:Profile'] || undefined });

/** Stores the file of a form while it arrives, within the limits of this surface. */
export async function receiveFile(target: UploadTarget, file: FileRequest): Promise<StoredUpload> {
  if (file.name) requireAllowed(safeFileName(file.name));
  return storeUpload(target, file, { maxBytes: settings['FileValidation:MaxFileSizeMb'] * MB });
}

function requireAllowed(fileName: string): void {
  const allowed = settings['FileValidation:AllowedExtensions'];
  if (!allowed?.length || allowed.includes(extname(fileName).toLowerCase())) return;
  throw errors.refuse('upload.format-unsupported', { fileName, allowed: allowed.join(', ') });
}

/** The fields of a form, which may come after its file. */
export type UploadOptions = {
  readonly signatureFormat: 'Auto' | JobFormat;
  readonly encryptionEnabled?: boolean | undefined;
  readonly externalReference?: string | undefined;
};

/** Queues the job of a received file when its whole form was read. */
export const queueFile = (upload: StoredUpload, options: UploadOptions, nowMs: number): Promise<Job> => {
  const { signatureFormat, encryptionEnabled: encryption, externalReference } = options;
  const requested = {
    ...upload,
    ...(signatureFormat !== 'Auto' && { format: signatureFormat }),
    ...(encryption !== undefined && { encryption }),
    ...(externalReference && { externalReference }),
  };
  return queueUpload(requested, nowMs, nameRules());
};

/** Where a job is followed, below the configured root. */
export const linksOf = (jobId: string) => {
  const statusUrl = `${commonSettings['Http:PublicUrl']}/compact/api/jobs/${jobId}`;
  return { statusUrl, outputUrl: `${statusUrl}/output` };
};
