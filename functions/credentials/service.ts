import { apiKey } from '../../shared/http/api-key.ts';
import { service } from '../../shared/http/service.ts';
import { PLATFORM_SITUATIONS } from '../../shared/http/situations.ts';
import { documentsStyle } from '../../shared/http/styles/documents.ts';
import { errors } from './errors.ts';
import { settings } from './settings.ts';

export const credentials = service({
  name: 'credentials',
  title: 'Credential-issuing platform',
  description: 'Academic credentials and their life: issued, registered, suspended, annulled.',
  settings,
  authenticate: apiKey('credentials'),
  errors,
  style: documentsStyle,
  situations: PLATFORM_SITUATIONS,
});
