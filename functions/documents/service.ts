import { apiKey } from '../../shared/http/api-key.ts';
import { applicationLimitsOf } from '../../shared/http/application-settings.ts';
import { service } from '../../shared/http/service.ts';
import { PLATFORM_SITUATIONS } from '../../shared/http/situations.ts';
import { codeMessageDetailsStyle } from '../../shared/http/styles/code-message-details.ts';
import { errors } from './errors.ts';
import { settings } from './settings.ts';

const MINUTE_SECONDS = 60;

export const documents = service({
  name: 'documents',
  title: 'Document-signature platform',
  description:
    'Organizations store documents, send them through flows of signers and approvers, and receive events by webhook.',
  settings,
  authenticate: apiKey('documents'),
  errors,
  style: codeMessageDetailsStyle,
  situations: PLATFORM_SITUATIONS,
  rates: {
    verification: () => ({ limit: settings['Verification:PermitLimit'], windowSeconds: MINUTE_SECONDS }),
  },
  unknownOptions: 'OptionNotSupported',
  applicationLimits: () => applicationLimitsOf(settings),
});
