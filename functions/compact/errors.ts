import { errorTable } from '../../shared/errors/errors.ts';

/** Codes of batch, which mean the same here. Only statuses of this surface's table: a body that cannot be read is a 400. */
export const errors = errorTable({
  'auth.misconfigured': [401, 'No operator key is configured: set Auth:ApiKey.'],
  'auth.invalid-credentials': [401, 'The key is missing or wrong.'],
  'upload.disabled': [409, 'Uploads are switched off by Upload:Enabled.'],
  'upload.empty': [400, 'The file part is missing or has no bytes.'],
  'upload.too-large': [413, 'The file is larger than the service takes.'],
  'upload.invalid-name': [400, 'The file has no name: none is given, or only dots and spaces are.'],
  'upload.format-unsupported': [400, 'signatureFormat must be Auto, Cades, Xades or Pades.'],
  'upload.extension-unsupported': [
    400,
    'The extension of the file is none of FileValidation:AllowedExtensions.',
  ],
  'profile.not-found': [400, 'No profile by that name.'],
  'profile.disabled': [409, 'The profile takes no new work.'],
  'profile.takes-no-files': [409, 'The profile signs documents of an external folder and takes no files.'],
  'job.path-too-long': [[400, 409], 'The path exceeds 850 characters.'],
  'job.already-processing': [409, 'An active job holds the same file.'],
  'file.already-processed': [
    409,
    'A completed or active job already carries this file name. Delete that job, or rename the file.',
  ],
  'job.not-found': [404, 'No job with that id.'],
  'job.not-failed': [409, 'Only a failed job can be retried.'],
  'job.rejected-not-retriable': [409, 'An approver rejected this job. It cannot be retried.'],
  'job.input-missing': [409, 'The original input is gone.'],
  'job.output-unavailable': [
    409,
    'The job has no output to give: it is not completed, or it signed a document of the external service.',
  ],
  'job.output-gone': [410, 'The job is completed, but its file has left the output folder.'],
  'signer-folder.no-holder-action': [409, 'The document has no signing action for the certificate holder.'],
  'signer-folder.profile-changed': [409, 'The profile no longer signs documents of a folder.'],
  'validation.filter-invalid': [400, 'A query value is not acceptable.'],
  'rate-limited': [429, 'Too many requests from this address. Wait as Retry-After says.'],
  'request.invalid': [400, 'The request is malformed.'],
  'request.too-large': [413, 'The request body exceeds the limit.'],
  'route.not-found': [404, 'No operation answers this method and path.'],
  'store.unavailable': [
    503,
    'The store does not answer in time. Retry as Retry-After says; what was asked for may have been done.',
  ],
  internal: [500, 'The request could not be completed.'],
});
