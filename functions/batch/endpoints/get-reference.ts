import { referenceEndpoint } from '../../../shared/http/reference/reference-endpoint.ts';
import { isLocal } from '../../../shared/settings/names.ts';
import { batch } from '../service.ts';
import { settings } from '../settings.ts';

export const handler = referenceEndpoint(batch, {
  isAtBase: false, // the dashboard is
  enabled: () => isLocal() || settings['Swagger:EnabledInProduction'],
});
