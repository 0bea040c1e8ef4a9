import { extname } from 'node:path';
import { commonSettings } from '../../../shared/settings/common.ts';
import { safeNameOf } from '../../batch/jobs/domain/job/file-name.ts';
import { JOB_FORMATS, type Job, type JobFormat } from '../../batch/jobs/domain/job/job.ts';
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
export const receiveFile = (target: UploadTarget, file: FileRequest): Promise<StoredUpload> =>
  storeUpload(target, file, {
    maxBytes: settings['FileValidation:MaxFileSizeMb'] * MB,
    requireName: requireAllowed,
  });

function requireAllowed(fileName: string): void {
  const allowed = settings['FileValidation:AllowedExtensions'];
  if (!allowed?.length || allowed.includes(extname(safeNameOf(fileName)).toLowerCase())) return;
  throw errors.refuse('upload.extension-unsupported', { fileName, allowed: allowed.join(', ') });
}

/** The fields of a form, which may come after its file. */
export type UploadOptions = {
  readonly signatureFormat: 'Auto' | JobFormat;
  readonly encryptionEnabled?: boolean | undefined;
  readonly externalReference?: string | undefined;
};

const FORMATS = ['Auto', ...JOB_FORMATS] as const;
// Callers choose it. One as long as a field tells no more than its beginning.
const MAX_SHOWN_CHARACTERS = 64;

type UploadFields = Omit<UploadOptions, 'signatureFormat'> & { readonly signatureFormat: string };

/** The fields as options. Refused with an unknown format, or where the profile does not say how to encrypt. */
export function requireOptions({ profile }: UploadTarget, fields: UploadFields): UploadOptions {
  const format = fields.signatureFormat.toLowerCase();
  const signatureFormat = FORMATS.find((name) => name.toLowerCase() === format);
  if (!signatureFormat)
    throw errors.refuse('upload.format-unsupported', {
      signatureFormat: fields.signatureFormat.slice(0, MAX_SHOWN_CHARACTERS),
    });
  if (fields.encryptionEnabled && !profile.encryption) {
    const field = 'encryptionEnabled';
    const message = `is true, and profile ${profile.name} does not say how to encrypt: leave it out, or give the profile its encryption`;
    throw errors.refuse('request.invalid', { field, reason: message }, { fields: [{ field, message }] });
  }
  return { ...fields, signatureFormat };
}

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
