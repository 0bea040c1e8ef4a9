import { referenceEndpoint } from '../../../shared/http/reference/reference-endpoint.ts';
import { isLocal } from '../../../shared/settings/names.ts';
import { compact } from '../service.ts';
import { settings } from '../settings.ts';

export const handler = referenceEndpoint(compact, {
  enabled: () => isLocal() || settings['Swagger:EnabledInProduction'],
});
