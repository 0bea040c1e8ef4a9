import { count, duration, extensions, flag, headerKey, optional, text } from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';

export const settings = defineSettings('compact', {
  'Auth:ApiKey': headerKey('The operator key. While it is empty nobody is let in.'),
  'Auth:ApiKeyHeader': text('X-API-Key', 'The header that carries the operator key.'),
  'Swagger:EnabledInProduction': flag(false, 'Whether a deployment serves the browsable reference.'),
  'Compact:Profile': optional(
    text('', 'The profile that signs files uploaded here. Without it the default one does.'),
  ),
  'FileValidation:MaxFileSizeMb': count(
    100,
    'Largest file that can be uploaded here, in MB of 1,048,576 bytes.',
    {
      min: 1,
      max: 5_120,
    },
  ),
  'FileValidation:AllowedExtensions': optional(
    extensions('Extensions of files that can be uploaded here, such as `.pdf,.xml`. Without it all can.'),
  ),
  'Pipeline:RejectAlreadyProcessedFileNames': flag(
    false,
    'Whether a file uploaded or retried here is refused when a completed job has its name. One that an active job has always is.',
  ),
  'Metrics:RequireApiKey': flag(true, 'Whether the metrics ask for the operator key.'),
  'RateLimiting:PermitLimit': count(60, 'Requests per window and address.', { min: 1 }),
  'RateLimiting:Window': duration(60, 'Length of that window.', { min: 1 }),
});
