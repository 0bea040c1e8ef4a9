import { settings } from '../../settings.ts';
import { basePath } from './return-path.ts';

/** Whether operators sign in by an identity provider. The key is then for programs alone. */
export const hasIdentityProvider = (): boolean => settings['Idp:Authority'] !== undefined;

/** Where a sign-in by the provider begins. @example providerLoginPath('/batch/jobs') */
export const providerLoginPath = (returnPath: string): string =>
  `${basePath()}/api/auth/idp-login?${new URLSearchParams({ ReturnUrl: returnPath })}`;
