import { errorTable } from '../../shared/errors/errors.ts';
import { portuguese } from './config/errors-in-portuguese.ts';

/** Null: never an HTTP answer; recorded on the job or shown to an approver. */
const rows = {
  'job.not-found': [404, 'There is no job with this id. It may have been deleted.'],
  'job.not-queued': [409, 'The job can no longer be canceled: a worker has it, or it has ended.'],
  'job.race-lost': [409, 'A worker took the job at the same moment. Look at it again before you decide.'],
  'job.not-failed': [409, 'Only a failed job can be retried. This one has another status by now.'],
  'job.rejected-not-retriable': [
    409,
    'An approver rejected this file. It is not signed again: send a corrected file.',
  ],
  'job.input-missing': [409, 'The input file is gone. Send it again.'],
  'job.output-unavailable': [
    409,
    'A job has no signed file: it is not completed, or it signed a document of the platform.',
  ],
  'job.output-gone': [410, 'The job is completed, but its signed file has left the output folder.'],
  'job.archive-empty': [400, 'No job is selected. Name at least one.'],
  'job.archive-too-large': [400, 'A ZIP file holds the files of at most 50 jobs. Select fewer.'],
  'job.already-processing': [409, 'Another active job has this file. Wait until it ends, then try again.'],
  'file.already-processed': [
    409,
    'A completed or active job has this file name already. Delete that job, or rename the file.',
  ],
  'job.path-too-long': [[400, 409], 'The path of the file is longer than 850 characters. Shorten its name.'],
  'job.input-changed': [
    null,
    'The uploaded file was replaced after its job was created. Nothing was signed: upload it again.',
  ],
  'job.input-held': [
    null,
    'Another process held the input file, so nothing was signed. Retry when it is done with the file.',
  ],
  'job.input-diverged': [
    null,
    'The input file was rewritten while the job ran. The signed file is of the earlier content; the new file was left in place.',
  ],
  'job.interrupted': [
    null,
    'The service stopped while it worked on the job. Check the input file, then retry.',
  ],
  'job.certificate-invalid': [
    null,
    'The certificate of the profile is not valid. Import a valid one into the profile, then retry.',
  ],
  'job.signing-failed': [null, 'The file could not be signed.'],
  'job.verification-failed': [null, 'The signed file did not pass its verification and was not released.'],
  'bulk.not-found': [404, 'There is no action on many jobs with this id. They are kept for 30 days.'],
  'bulk.not-running': [409, 'The action has ended already. There is nothing to stop.'],
  'bulk.nothing-matches': [
    409,
    'No job matches, or none that this action takes. Nothing was changed: look at the filters again.',
  ],
  'bulk.files-unsettled': [
    null,
    'The files of the job could not be put in their places yet. Try again in some minutes.',
  ],
  'upload.disabled': [409, 'Uploads are switched off by the setting Upload:Enabled.'],
  'upload.empty': [400, 'The file is missing, or it is empty.'],
  'upload.too-large': [413, 'The file is larger than the service takes.'],
  'upload.invalid-name': [
    400,
    'The file has no name: none is given, or only dots and spaces are. Rename it.',
  ],
  'upload.format-unsupported': [400, 'There is no such format of signature. It is Pades, Cades or Xades.'],
  'upload.extension-unsupported': [400, 'The extension of the file is not allowed at the compact surface.'],
  'validation.reason-too-long': [400, 'The reason is too long. Nothing was changed: shorten it.'],
  'validation.filter-invalid': [400, 'A query value is not acceptable.'],
  'auth.misconfigured': [
    401,
    'Nobody can log in: the service has no operator key. Whoever runs it sets Auth:ApiKey.',
  ],
  'auth.invalid-credentials': [401, 'The key is wrong, or the session has ended.'],
  'auth.cross-origin': [
    403,
    'Another site sent this in your name. Nothing was changed: do it again on a page of the service.',
  ],
  'folder.not-found': [404, 'There is no input folder of this name.'],
  'profile.not-found': [[400, 404], 'There is no profile of this name. It may have been removed.'],
  'profile.disabled': [409, 'The profile is disabled and takes no new work. Enable it first.'],
  'profile.degraded': [
    null,
    'The profile cannot sign: its certificate or its secrets do not open. Look at the profile, then retry.',
  ],
  'profile.takes-no-files': [409, 'The profile signs documents of a signer folder and takes no files.'],
  'profile.key-unavailable': [
    null,
    'This instance has no key of the profile. Import the key into the profile, then retry.',
  ],
  'signer-folder.no-holder-action': [409, 'The document asks nothing of the certificate holder.'],
  'signer-folder.signature-refused': [null, 'The external service refused the signature.'],
  'signer-folder.key-unavailable': [null, 'The key of the profile did not sign. The document is untouched.'],
  'signer-folder.action-url-malformed': [null, 'The action URL lacks the document key or the ticket.'],
  'signer-folder.profile-changed': [409, 'The profile no longer signs documents of a folder.'],
  'signer-folder.interrupted': [
    null,
    'The run ended after the key was used, with no settled answer. Look at the document on the platform before you retry.',
  ],
  'signer-folder.signature-failed': [null, 'The document of the folder was not signed.'],
  'signer-notification.not-configured': [404, 'No notification secret is configured.'],
  'signer-notification.unauthorized': [401, 'The bearer token is missing or wrong.'],
  'signer-notification.unavailable': [503, 'The check cannot be taken now. Retry.'],
  'pipeline.race-lost': [
    409,
    'Somebody else paused or resumed the pipeline at the same moment. Look at its state again.',
  ],
  'signer.document-rejected': [
    null,
    'The external service reports the document refused, expired or canceled.',
  ],
  'signer.timeout': [null, 'The signers took longer than the service waits for them.'],
  'signer.unreachable': [null, 'The external service could not be reached. Retry when it answers again.'],
  'cnab240.invalid': [null, 'The file is not a valid CNAB240 remittance.'],
  'cnab240.payment-date-passed': [null, 'A payment date of the file has passed. Send a corrected file.'],
  'approval.not-required': [404, 'The job never waited for approval.'],
  'approval.not-pending': [409, 'This file no longer waits for a decision. Nothing was recorded.'],
  'approval.unknown-approver': [403, 'This address may not decide on this file. Nothing was recorded.'],
  'approval.already-decided': [409, 'You have decided on this file already. A decision is final.'],
  'approval.unknown-decision': [400, 'Choose whether you approve or reject. Nothing was recorded.'],
  'approval.signature-required': [
    403,
    'To approve this file you sign it with your certificate. Open it in the approver portal, and choose how to sign.',
  ],
  'approval.second-factor-required': [
    403,
    'Decisions are made in the approver portal, with a code of your second factor. Nothing was recorded.',
  ],
  'approval.link-unknown': [404, 'This link does not work: it is not complete, or it was replaced.'],
  'approval.job-incomplete': [
    500,
    'This file cannot be decided on: its rule is incomplete. Tell whoever runs the service.',
  ],
  'approval.rejected': [null, 'An approver rejected the file. It is not signed.'],
  'approval.content-changed': [
    null,
    'The file changed between its approval and its signature. Nothing was signed: find out who changed it.',
  ],
  'approval.content-unmeasured': [null, 'The job has an approval rule but no content hash.'],
  'approval.signer-set-unsupported': [null, 'The signer set cannot be produced.'],
  'approval.signatures-missing': [null, 'Signatures of approvers are missing, so the file was not made.'],
  'approval.certificate-invalid': [
    null,
    'This certificate may not sign: it has expired, was revoked, or comes from an authority that is not trusted here. Choose another one.',
  ],
  'approval.certificate-without-cpf': [
    null,
    'This certificate is not of a person: it has no CPF of its holder. Choose your own certificate (e-CPF).',
  ],
  'approval.certificate-cpf-mismatch': [
    null,
    'This certificate is of another person: its CPF is not the one of this approver. Choose your own certificate.',
  ],
  'approval.signature-invalid': [
    null,
    'The signature does not match the file and the certificate. Nothing was recorded. Try again.',
  ],
  'approval.signature-conflict': [
    null,
    'You have decided on this file already, for example in another window. This signature was not recorded.',
  ],
  'approval.second-factor-invalid-code': [
    null,
    'The code is wrong, or it was used already. Wait for the next one that the app shows. Check that the clock of the phone is right.',
  ],
  'approval.second-factor-locked-out': [
    null,
    'Too many wrong codes. Wait five minutes and try again: until then right codes are refused too.',
  ],
  'backup.disabled': [
    409,
    'Backups are switched off, or the store cannot export its table. Set Backup:Enabled to true in every instance, and switch on point-in-time recovery of the table.',
  ],
  'backup.already-running': [409, 'A backup is running already. Wait for it, or cancel it.'],
  'backup.not-running': [409, 'No backup is running.'],
  'branding.customer-logo-not-available': [404, 'No customer logo is configured.'],
  'culture.not-supported': [400, 'culture must be en-US or pt-BR.'],
  'rate-limited': [429, 'Too many requests in a short time. Wait a minute and try again.'],
  'store.unavailable': [
    503,
    'The store does not answer in time. It may have been done: wait a few seconds, look, and try again.',
  ],
  internal: [500, 'The request could not be completed. Look at what was done before you try again.'],

  'request.invalid': [[400, 408], 'The request is malformed.'],
  'request.too-large': [413, 'The request body exceeds the limit.'],
  'request.media-type': [415, 'The media type of the body cannot be read.'],
  'route.not-found': [404, 'No page or operation is at this address.'],
} as const;

/** What the API answers, what jobs record, and what the dashboard, the portal and the login show. */
export const errors = errorTable(rows, { 'pt-BR': portuguese });

export type ErrorCode = Parameters<typeof errors.refuse>[0];
