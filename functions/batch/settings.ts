import { certificateSettings } from '../../shared/pki/verdict/settings.ts';
import {
  bytes,
  count,
  duration,
  flag,
  headerKey,
  requiredWhenDeployed,
  sealingKey,
  text,
  timeZone,
} from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';

export const settings = defineSettings('batch', {
  'Auth:ApiKey': headerKey('The operator key. While it is empty nobody is let in.'),
  'Auth:ApiKeyHeader': text('X-API-Key', 'The header that carries the operator key.'),
  'Swagger:EnabledInProduction': flag(false, 'Whether a deployment serves the browsable reference.'),
  ...certificateSettings,
  'Cluster:InstanceName': text(
    'main',
    'The name of this instance. Instances that share one store have different names.',
  ),
  'Upload:Enabled': flag(true, 'Whether files can be uploaded.'),
  'Upload:MaxBytes': bytes(104_857_600, 'Largest file that can be uploaded.'),
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
