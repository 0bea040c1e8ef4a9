import type { IdpClient } from '../../../../shared/access/identity-provider/provider.ts';
import { basePath } from '../../auth/domain/return-path.ts';
import { settings } from '../../settings.ts';

/** The batch service as the identity provider knows it. */
export const batchClient: IdpClient = {
  service: 'batch',
  settings,
  callbackPath: () => `${basePath()}/api/auth/idp-callback`,
};
