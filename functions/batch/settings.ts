import { certificateSettings } from '../../shared/pki/verdict/settings.ts';
import {
  address,
  addresses,
  bytes,
  cookieName,
  count,
  duration,
  flag,
  headerKey,
  optional,
  requiredWhenDeployed,
  sealingKey,
  text,
  timeZone,
} from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';
import { frameOrigins } from '../../shared/ui/frame-origins.ts';
import { inputFolders, workStore } from './storage/setting.ts';

const policyFile = (format: string) =>
  optional(
    text('', `The DER file of the signature policy of ${format} signatures. Without it they name none.`),
  );
const policyUri = (format: string) =>
  optional(
    address('', `Where that policy of ${format} signatures is published. Without it they do not say.`),
  );

const policySettings = {
  'Signing:Policies:Pades': policyFile('PAdES'),
  'Signing:Policies:Cades': policyFile('CAdES'),
  'Signing:Policies:Xades': policyFile('XAdES'),
  'Signing:PolicyUris:Pades': policyUri('PAdES'),
  'Signing:PolicyUris:Cades': policyUri('CAdES'),
  'Signing:PolicyUris:Xades': policyUri('XAdES'),
};

export const settings = defineSettings('batch', {
  'Auth:ApiKey': headerKey('The operator key. While it is empty nobody is let in.'),
  'Auth:ApiKeyHeader': text('X-API-Key', 'The header that carries the operator key.'),
  'Auth:CookieName': cookieName('lbs-auth', 'The cookie of an operator who has logged in.'),
  'Auth:CookieHours': count(8, 'Hours that a session lasts after its last use.', { min: 1, max: 720 }),
  'Swagger:EnabledInProduction': flag(false, 'Whether a deployment serves the browsable reference.'),
  ...certificateSettings,
  'Cluster:InstanceName': text(
    'main',
    'The name of this instance. Instances that share one store have different names.',
  ),
  'Storage:Inputs': inputFolders(
    'Folders whose files are signed: `name=input/path` in the bucket, or `name=share:NAME/path?poll=SECONDS`, separated by commas.',
  ),
  'Storage:Work': workStore(
    'The share that has processing/, output/ and error/. Without it they are in the bucket.',
  ),
  'Upload:Enabled': flag(true, 'Whether files can be uploaded.'),
  'Upload:MaxBytes': bytes(104_857_600, 'Largest file that can be uploaded.'),
  'Upload:LinkSeconds': count(3_600, 'Seconds in which a file can be put by a link.', {
    min: 60,
    max: 43_200, // the credentials of a function, which sign the link, last no longer
  }),
  'Upload:CorsOrigins': optional(
    frameOrigins('The origins whose pages may put files by a link. None: servers only.'),
  ),
  'Export:MaxRows': count(50_000, 'Most jobs in one exported workbook.', { min: 1, max: 1_000_000 }),
  'Pipeline:RejectAlreadyProcessedFileNames': flag(
    true,
    'Whether a file is refused when a completed or active job has its name.',
  ),
  'Pipeline:PollIntervalSeconds': count(2, 'Seconds between two looks for queued jobs.', { min: 1, max: 60 }),
  'Pipeline:Boot': text('', 'Set by the local engine at every start, to find the jobs of the start before.'),
  'Pipeline:MaxConcurrency': count(1, 'Jobs signed at once.', { min: 1, max: 32 }),
  'Profiles:SealingKey': requiredWhenDeployed(
    sealingKey(
      'Seals the private keys and secrets of profiles in the store. 32 bytes in base64; the local engine has the same as for Providers:SealingKey.',
    ),
    'the keys of profiles cannot be stored without it. Make one with openssl rand -base64 32.',
  ),
  ...policySettings,
  'Signing:TimestampAuthorities': optional(
    addresses('Timestamp authorities for profiles with `timestamp`, tried in this order.'),
  ),
  'Cnab240:TimeZone': timeZone('America/Sao_Paulo', 'Where a payment date is compared with today.'),
  'Metrics:RequireApiKey': flag(true, 'Whether the metrics ask for the operator key.'),
  'Readiness:RequireApiKey': flag(false, 'Whether readiness asks for the operator key.'),
  'RateLimiting:Upload:PermitLimit': count(30, 'Uploads per window and address.', { min: 1 }),
  'RateLimiting:Upload:Window': duration(60, 'Length of that window.', { min: 1 }),
  'RateLimiting:Actions:PermitLimit': count(60, 'Operator actions per window and address.', { min: 1 }),
  'RateLimiting:Actions:Window': duration(60, 'Length of that window.', { min: 1 }),
  'RateLimiting:Export:PermitLimit': count(10, 'Exports of lists per window and address.', { min: 1 }),
  'RateLimiting:Export:Window': duration(60, 'Length of that window.', { min: 1 }),
});
