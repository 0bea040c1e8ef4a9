// Made of functions/compact/openapi.json by npm run openapi.

export const operations = {
  runCleanup: { method: 'POST', path: '/api/cleanup/run', answer: 'json' },
  uploadFile: { method: 'POST', path: '/api/files', body: 'form', answer: 'json' },
  getHealth: { method: 'GET', path: '/api/health', answer: 'json' },
  rescanInput: { method: 'POST', path: '/api/input/rescan', answer: 'json' },
  listJobs: { method: 'GET', path: '/api/jobs', answer: 'json', pages: 'page' },
  getJob: { method: 'GET', path: '/api/jobs/{jobId}', answer: 'json' },
  getJobOutput: { method: 'GET', path: '/api/jobs/{jobId}/output', answer: 'file' },
  retryJob: { method: 'POST', path: '/api/jobs/{jobId}/retry', answer: 'json' },
  getReady: { method: 'GET', path: '/api/ready', answer: 'json' },
  getLiveness: { method: 'GET', path: '/healthz', answer: 'json' },
  getMetrics: { method: 'GET', path: '/metrics', answer: 'json' },
  getOpenapi: { method: 'GET', path: '/openapi/v1.json', answer: 'json' },
} as const;

/** What the service refuses with. */
export type Code =
  | 'auth.invalid-credentials'
  | 'auth.misconfigured'
  | 'file.already-processed'
  | 'internal'
  | 'job.already-processing'
  | 'job.input-missing'
  | 'job.not-failed'
  | 'job.not-found'
  | 'job.output-gone'
  | 'job.output-unavailable'
  | 'job.path-too-long'
  | 'job.rejected-not-retriable'
  | 'profile.disabled'
  | 'profile.not-found'
  | 'profile.takes-no-files'
  | 'rate-limited'
  | 'request.invalid'
  | 'request.too-large'
  | 'route.not-found'
  | 'signer-folder.no-holder-action'
  | 'signer-folder.profile-changed'
  | 'store.unavailable'
  | 'upload.disabled'
  | 'upload.empty'
  | 'upload.extension-unsupported'
  | 'upload.format-unsupported'
  | 'upload.invalid-name'
  | 'upload.too-large'
  | 'validation.filter-invalid';
