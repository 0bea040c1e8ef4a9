/** Why an upload is refused, as a form or by a link, in the order of the specification. */
export const UPLOAD_REFUSALS = [
  'upload.disabled',
  'profile.not-found',
  'profile.disabled',
  'profile.takes-no-files',
  'upload.format-unsupported',
  'upload.empty',
  'upload.invalid-name',
  'job.path-too-long',
  'job.already-processing',
  'file.already-processed',
  'upload.too-large',
  'auth.misconfigured',
] as const;

/** Why a retry is refused, in the order of the specification. */
export const RETRY_REFUSALS = [
  'job.not-found',
  'job.rejected-not-retriable',
  'job.not-failed',
  'profile.disabled',
  'profile.takes-no-files',
  'job.path-too-long',
  'job.input-missing',
  'job.already-processing',
  'signer-folder.no-holder-action',
  'signer-folder.profile-changed',
  'file.already-processed',
  'auth.misconfigured',
] as const;
