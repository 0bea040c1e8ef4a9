import { type PlatformClient, platformClient } from '../../../shared/platform/client.ts';
import { platformAccessOf } from '../../../shared/platform/settings.ts';
import { settings } from '../settings.ts';

/** Whether an external signature service is configured. */
export const hasExternalService = (): boolean => settings['Signer:ApiKey'] !== '';

/** The external signature service. */
export const externalService: PlatformClient = platformClient(platformAccessOf(settings));
