import { apiKey } from '../../shared/http/authentication/api-key.ts';
import { service } from '../../shared/http/service.ts';
import { PLATFORM_SITUATIONS } from '../../shared/http/situations.ts';
import { codeMessageDetailsStyle } from '../../shared/http/styles/code-message-details.ts';
import { errors } from './errors.ts';
import { settings } from './settings.ts';

/** The permission to configure an organization and its institutes. */
export const ADMINISTRATOR = 'Administrador';

export const credentials = service({
  name: 'credentials',
  title: 'Credential-issuing platform',
  description: 'Academic credentials and their life: issued, registered, suspended, annulled.',
  tags: {
    degrees: 'Degrees: create, annul, suspend and restore them, one by one or by the batch.',
    emissions: 'Degrees that are issued here and registered by another institution.',
    registrations: 'Requests to register the degrees of other institutions.',
    'academic-transcripts': 'Academic transcripts.',
    curriculums: 'Curriculums of courses.',
    'cancellation-lists': 'Lists of annulled degrees of an institute.',
    'inspection-files': 'Inspection files of an institute.',
    restamps: 'Timestamps over signed files, before the earlier ones expire.',
    history: 'What happened to an item, and who did it.',
    webhooks: 'Where events are sent.',
  },
  settings,
  authenticate: apiKey('credentials'),
  errors,
  style: codeMessageDetailsStyle,
  situations: { ...PLATFORM_SITUATIONS, invalid: 'InvalidFields' },
  unknownOptions: 'InvalidFields',
  rates: {
    Verification: () => ({
      limit: settings['RateLimiting:Verification:PermitLimit'],
      windowSeconds: 60,
    }),
  },
});
