// Made of functions/batch/openapi.json by npm run openapi.

export const operations = {
  decide: { method: 'POST', path: '/api/approvals/{id}', body: 'json', answer: 'json' },
  beginIdpLogin: { method: 'GET', path: '/api/auth/idp-login', answer: 'redirect' },
  logIn: { method: 'POST', path: '/api/auth/login', body: 'form', answer: 'redirect' },
  logOut: { method: 'POST', path: '/api/auth/logout', answer: 'redirect' },
  startBackup: { method: 'POST', path: '/api/backup', answer: 'json' },
  cancelBackup: { method: 'POST', path: '/api/backup/cancel', answer: 'json' },
  listBackups: { method: 'GET', path: '/api/backups', answer: 'json' },
  cleanUp: { method: 'POST', path: '/api/cleanup', answer: 'json' },
  listInstances: { method: 'GET', path: '/api/cluster', answer: 'json' },
  setCulture: { method: 'POST', path: '/api/culture', answer: 'redirect' },
  listEvents: { method: 'GET', path: '/api/events', answer: 'json', pages: 'page' },
  uploadFile: { method: 'POST', path: '/api/files', body: 'form', answer: 'json' },
  presignFile: { method: 'POST', path: '/api/files/presigned', body: 'json', answer: 'json' },
  listFolders: { method: 'GET', path: '/api/folders', answer: 'json' },
  getHealth: { method: 'GET', path: '/api/health', answer: 'json' },
  clearJobs: { method: 'DELETE', path: '/api/jobs', answer: 'json' },
  listJobs: { method: 'GET', path: '/api/jobs', answer: 'json', pages: 'page' },
  getJobsArchive: { method: 'GET', path: '/api/jobs/archive', answer: 'file' },
  listBulks: { method: 'GET', path: '/api/jobs/bulk', answer: 'json' },
  startBulk: { method: 'POST', path: '/api/jobs/bulk', body: 'json', answer: 'json', once: true },
  getBulk: { method: 'GET', path: '/api/jobs/bulk/{id}', answer: 'json' },
  stopBulk: { method: 'POST', path: '/api/jobs/bulk/{id}/stop', answer: 'json' },
  exportJobs: { method: 'GET', path: '/api/jobs/export', answer: 'file', pages: 'page' },
  getJob: { method: 'GET', path: '/api/jobs/{id}', answer: 'json' },
  getApprovals: { method: 'GET', path: '/api/jobs/{id}/approvals', answer: 'json' },
  cancelJob: { method: 'POST', path: '/api/jobs/{id}/cancel', body: 'json', answer: 'json' },
  getJobOutput: { method: 'GET', path: '/api/jobs/{id}/output', answer: 'file' },
  retryJob: { method: 'POST', path: '/api/jobs/{id}/retry', answer: 'json' },
  getMetrics: { method: 'GET', path: '/api/metrics', answer: 'file' },
  pausePipeline: { method: 'POST', path: '/api/pipeline/pause', body: 'json', answer: 'json' },
  resumePipeline: { method: 'POST', path: '/api/pipeline/resume', body: 'json', answer: 'json' },
  getPipelineState: { method: 'GET', path: '/api/pipeline/state', answer: 'json' },
  listProfiles: { method: 'GET', path: '/api/profiles', answer: 'json' },
  getProfile: { method: 'GET', path: '/api/profiles/{name}', answer: 'json' },
  getReady: { method: 'GET', path: '/api/ready', answer: 'json' },
  getReadyDetails: { method: 'GET', path: '/api/ready/details', answer: 'json' },
  rescan: { method: 'POST', path: '/api/rescan', answer: 'json' },
  receiveNotification: { method: 'POST', path: '/api/signer/notifications', body: 'json', answer: 'json' },
  getCustomerLogo: { method: 'GET', path: '/branding/customer-logo', answer: 'file' },
  getOpenapi: { method: 'GET', path: '/openapi/v1.json', answer: 'json' },
} as const;

/** What the service refuses with. */
export type Code =
  | 'approval.already-decided'
  | 'approval.certificate-cpf-mismatch'
  | 'approval.certificate-invalid'
  | 'approval.certificate-without-cpf'
  | 'approval.content-changed'
  | 'approval.content-unmeasured'
  | 'approval.job-incomplete'
  | 'approval.link-unknown'
  | 'approval.not-pending'
  | 'approval.not-required'
  | 'approval.rejected'
  | 'approval.second-factor-invalid-code'
  | 'approval.second-factor-locked-out'
  | 'approval.second-factor-required'
  | 'approval.signature-conflict'
  | 'approval.signature-invalid'
  | 'approval.signature-required'
  | 'approval.signatures-missing'
  | 'approval.signer-set-unsupported'
  | 'approval.unknown-approver'
  | 'approval.unknown-decision'
  | 'auth.cross-origin'
  | 'auth.invalid-credentials'
  | 'auth.misconfigured'
  | 'backup.already-running'
  | 'backup.disabled'
  | 'backup.not-running'
  | 'branding.customer-logo-not-available'
  | 'bulk.files-unsettled'
  | 'bulk.not-found'
  | 'bulk.not-running'
  | 'bulk.nothing-matches'
  | 'cnab240.invalid'
  | 'cnab240.payment-date-passed'
  | 'culture.not-supported'
  | 'file.already-processed'
  | 'folder.not-found'
  | 'internal'
  | 'job.already-processing'
  | 'job.archive-empty'
  | 'job.archive-too-large'
  | 'job.certificate-invalid'
  | 'job.input-changed'
  | 'job.input-diverged'
  | 'job.input-held'
  | 'job.input-missing'
  | 'job.interrupted'
  | 'job.not-failed'
  | 'job.not-found'
  | 'job.not-queued'
  | 'job.output-gone'
  | 'job.output-unavailable'
  | 'job.path-too-long'
  | 'job.race-lost'
  | 'job.rejected-not-retriable'
  | 'job.signing-failed'
  | 'job.verification-failed'
  | 'pipeline.race-lost'
  | 'profile.degraded'
  | 'profile.disabled'
  | 'profile.key-unavailable'
  | 'profile.not-found'
  | 'profile.takes-no-files'
  | 'rate-limited'
  | 'request.invalid'
  | 'request.media-type'
  | 'request.too-large'
  | 'route.not-found'
  | 'signer-folder.action-url-malformed'
  | 'signer-folder.interrupted'
  | 'signer-folder.key-unavailable'
  | 'signer-folder.no-holder-action'
  | 'signer-folder.profile-changed'
  | 'signer-folder.signature-failed'
  | 'signer-folder.signature-refused'
  | 'signer-notification.not-configured'
  | 'signer-notification.unauthorized'
  | 'signer-notification.unavailable'
  | 'signer.document-rejected'
  | 'signer.timeout'
  | 'signer.unreachable'
  | 'store.unavailable'
  | 'upload.disabled'
  | 'upload.empty'
  | 'upload.extension-unsupported'
  | 'upload.format-unsupported'
  | 'upload.invalid-name'
  | 'upload.too-large'
  | 'validation.filter-invalid'
  | 'validation.reason-too-long';
