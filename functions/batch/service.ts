import { configuredKey } from '../../shared/http/authentication/configured-key.ts';
import { keyOrCookie } from '../../shared/http/authentication/key-or-cookie.ts';
import { service } from '../../shared/http/service.ts';
import { SLUG_SITUATIONS } from '../../shared/http/situations.ts';
import { problemDetailsStyle } from '../../shared/http/styles/problem-details.ts';
import { operatorOf } from './config/operator-sessions.ts';
import { errors } from './errors.ts';
import { settings } from './settings.ts';

const rateOf = (policy: 'Upload' | 'Actions' | 'Export' | 'Approval' | 'SignerNotification') => ({
  limit: settings[`RateLimiting:${policy}:PermitLimit`],
  windowSeconds: settings[`RateLimiting:${policy}:Window`],
});

export const batch = service({
  name: 'batch',
  title: 'Batch signing service',
  description:
    'Files from watched folders and uploads become signed files, with approvals where a profile asks for them.',
  tags: {
    folders: 'Input folders: their state, and a scan at once.',
    jobs: 'Upload files, and follow, cancel, retry, download and clear their jobs.',
    approvals: 'Decide on jobs that wait for approval.',
    pipeline: 'Pause and resume the processing of jobs.',
    profiles: 'Signing profiles: how jobs are signed, and with which certificate.',
    signer: 'Notifications of the external signature service.',
    operations: 'The event log and the metrics.',
    dashboard: 'The language of the pages, and the logo on them.',
    cluster: 'The instances that share the store.',
    auth: 'Log in and out: a cookie in place of the key, for browsers.',
    health: 'Liveness and readiness, for probes and operators.',
  },
  settings,
  authenticate: keyOrCookie({
    key: configuredKey({
      header: () => settings['Auth:ApiKeyHeader'],
      key: () => settings['Auth:ApiKey'],
      misconfigured: () => errors.refuse('auth.misconfigured'),
    }),
    cookie: () => settings['Auth:CookieName'],
    find: operatorOf,
    crossOrigin: () => errors.refuse('auth.cross-origin'),
  }),
  errors,
  style: problemDetailsStyle,
  // Nobody who is let in lacks a permission: forbidden is what another site has a browser send.
  situations: { ...SLUG_SITUATIONS, forbidden: 'auth.cross-origin' },
  unknownOptions: 'request.invalid',
  tooLargeForGateway: 'upload.too-large',
  invalidQuery: 'validation.filter-invalid',
  rates: {
    Upload: () => rateOf('Upload'),
    Actions: () => rateOf('Actions'),
    Export: () => rateOf('Export'),
    Approval: () => rateOf('Approval'),
    SignerNotification: () => rateOf('SignerNotification'),
    // A count of its own: whoever guesses keys uses up nobody's actions.
    Login: () => rateOf('Actions'),
    // Links to the portal with a wrong token, and no others.
    WrongLink: () => rateOf('Approval'),
  },
});
