import { basePath } from '../auth/domain/return-path.ts';
import { settings } from '../settings.ts';

/** Where pages find the logo of the customer who runs the service. Undefined where none is configured. */
export const logoPath = (): string | undefined =>
  settings['Branding:CustomerLogo'] === '' ? undefined : `${basePath()}/branding/customer-logo`;
