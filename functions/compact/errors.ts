import { errorTable, rowsOf } from '../../shared/errors/errors.ts';
import { errors as batchErrors } from '../batch/errors.ts';

/** Codes of batch, which mean the same here. Only statuses of this surface's table: a body that cannot be read is a 400. */
export const errors = errorTable({
  ...rowsOf(batchErrors, [
    'auth.misconfigured',
    'upload.disabled',
    'upload.empty',
    'upload.too-large',
    'upload.invalid-name',
    'profile.disabled',
    'profile.takes-no-files',
    'job.path-too-long',
    'job.already-processing',
    'file.already-processed',
    'job.not-found',
    'job.not-failed',
    'job.rejected-not-retriable',
    'job.input-missing',
    'job.output-unavailable',
    'job.output-gone',
    'signer-folder.no-holder-action',
    'signer-folder.profile-changed',
    'validation.filter-invalid',
    'rate-limited',
    'request.too-large',
    'route.not-found',
    'store.unavailable',
    'internal',
  ]),
  'auth.invalid-credentials': [401, 'The key is missing or wrong.'],
  'upload.format-unsupported': [400, 'signatureFormat must be Auto, Cades, Xades or Pades.'],
  'upload.extension-unsupported': [
    400,
    'The extension of the file is none of FileValidation:AllowedExtensions.',
  ],
  'profile.not-found': [400, 'No profile by that name.'],
  'request.invalid': [400, 'The request is malformed.'],
});
