import { service } from '../../../shared/http/service.ts';
import type { ErrorStyle } from '../../../shared/http/styles/style.ts';
import { settings } from '../settings.ts';
import { providerErrors } from './errors.ts';

/** `{error, error_description}`, as RFC 6749 has it: ASCII, and neither quotes nor backslashes. */
const oauthStyle: ErrorStyle = {
  render({ code, message, details, fields }) {
    const faults = fields.map(({ field, message }) => `${field}: ${message}`);
    const description = [message, ...(faults.length > 0 ? faults : [details?.reason ?? ''])].join(' ');
    return {
      error: code,
      error_description: description.trim().replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'"),
    };
  },
  schemas: {},
  schemaFor: () => undefined,
};

/** The sandbox's cloud certificate providers, which speak OAuth and not as the rest of the sandbox does. */
export const provider = service({
  name: 'sandbox',
  title: 'Sandbox providers',
  description: 'Cloud certificate providers, for a machine of your own.',
  settings,
  authenticate: { schemes: {}, identify: async () => undefined },
  errors: providerErrors,
  style: oauthStyle,
  situations: {
    invalid: 'invalid_request',
    unauthorized: 'invalid_client',
    forbidden: 'insufficient_scope',
    tooLarge: 'invalid_request',
    unsupportedMedia: 'invalid_request',
    tooSlow: 'invalid_request',
    noRoute: 'not_found',
    rateLimited: 'slow_down',
    busy: 'slow_down',
    unavailable: 'temporarily_unavailable',
    unexpected: 'server_error',
  },
});
