import { type PlatformClient, platformClient } from '../../../../shared/platform/client.ts';
import { platformAccessOf } from '../../../../shared/platform/settings.ts';
import { settings } from '../../settings.ts';

/** The document-signature platform at which institutes sign. */
export const platform: PlatformClient = platformClient(platformAccessOf(settings));
