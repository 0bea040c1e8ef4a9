import { address, count, duration, flag, headerKey, optional, text } from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';

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
  'Swagger:EnabledInProduction': flag(false, 'Whether a deployment serves the browsable reference.'),
  'Pipeline:MaxConcurrency': count(1, 'Jobs signed at once.', { min: 1, max: 32 }),
  ...policySettings,
  'RateLimiting:Actions:PermitLimit': count(60, 'Operator actions per window and address.', { min: 1 }),
  'RateLimiting:Actions:Window': duration(60, 'Length of that window.', { min: 1 }),
});
