import { apiKey } from '../../shared/http/authentication/api-key.ts';
import { service } from '../../shared/http/service.ts';
import { PLATFORM_SITUATIONS } from '../../shared/http/situations.ts';
import { codeMessageDetailsStyle } from '../../shared/http/styles/code-message-details.ts';
import { errors } from './errors.ts';
import { settings } from './settings.ts';
import { may } from './tenants/domain/members/permissions.ts';

const MINUTE_SECONDS = 60;

// Forms of the console. An office has one address.
const FORMS_LIMIT = 1_200;
// Steps of log-ins of one address. A person takes five.
const LOGIN_LIMIT = 120;

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
    institutes: 'Institutes of an organization, and who signs for them.',
    members: 'Members log in to the console of an organization, each with a role.',
    webhooks: 'Where events are sent.',
  },
  settings,
  authenticate: apiKey('credentials'),
  may,
  errors,
  style: codeMessageDetailsStyle,
  situations: { ...PLATFORM_SITUATIONS, invalid: 'InvalidFields' },
  unknownOptions: 'InvalidFields',
  rates: {
    Verification: () => ({
      limit: settings['RateLimiting:Verification:PermitLimit'],
      windowSeconds: MINUTE_SECONDS,
    }),
    forms: () => ({ limit: FORMS_LIMIT, windowSeconds: MINUTE_SECONDS }),
    login: () => ({ limit: LOGIN_LIMIT, windowSeconds: MINUTE_SECONDS }),
  },
});
