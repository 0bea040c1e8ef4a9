import { apiKey } from '../../shared/http/authentication/api-key.ts';
import { service } from '../../shared/http/service.ts';
import { PLATFORM_SITUATIONS } from '../../shared/http/situations.ts';
import { codeMessageDetailsStyle } from '../../shared/http/styles/code-message-details.ts';
import { errors } from './errors.ts';
import { settings } from './settings.ts';

export const credentials = service({
  name: 'credentials',
  title: 'Credential-issuing platform',
  description: 'Academic credentials and their life: issued, registered, suspended, annulled.',
  settings,
  authenticate: apiKey('credentials'),
  errors,
  style: codeMessageDetailsStyle,
  situations: PLATFORM_SITUATIONS,
});
