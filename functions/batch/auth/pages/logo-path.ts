import { settings } from '../../settings.ts';
import { basePath } from '../domain/return-path.ts';

/** Where pages find the logo of the customer who runs the service. Undefined where none is configured. */
export const logoPath = (): string | undefined =>
  settings['Branding:CustomerLogo'] === '' ? undefined : `${basePath()}/branding/customer-logo`;
