import { APPLICATION_NAME, applications, findAcceptedKey } from '../../access/applications.ts';
import type { ServiceName } from '../../settings/names.ts';
import type { Authenticator } from './authenticator.ts';

/**
 * Keys of the form `application|secret` in `X-API-Key`, issued with `npm run admin`.
 * Missing, unknown, revoked, expired and disabled are one and the same answer.
 * @example authenticate: apiKey('session')
 */
export const apiKey = (service: ServiceName): Authenticator => ({
  scheme: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  async identify(call) {
    const text = call.headers['x-api-key'] ?? '';
    const name = text.slice(0, Math.max(0, text.indexOf('|')));
    const application = APPLICATION_NAME.test(name) ? await applications(service).get(name) : undefined;
    const key = findAcceptedKey(application, text, Date.now());
    if (!application || !key) return undefined;
    const { permissions, registered } = application;
    return { application: name, keyId: key.id, permissions, registered };
  },
});
