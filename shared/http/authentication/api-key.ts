import {
  APPLICATION_NAME,
  type Application,
  applications,
  findAcceptedKey,
} from '../../access/applications.ts';
import { processWide } from '../../async/process-wide.ts';
import { commonSettings } from '../../settings/common.ts';
import type { ServiceName } from '../../settings/names.ts';
import { cached } from '../../store/cached.ts';
import type { Authenticator } from './authenticator.ts';

const HEADER = 'X-API-Key';

// Applications that a request has used since they were read. Another request gets them from the cache.
const used = processWide('used-applications', () => new WeakSet<Application>());

/**
 * Keys of the form `application|secret` in `X-API-Key`, issued with `npm run admin`.
 * Missing, unknown, revoked, expired and disabled are one and the same answer.
 * @example authenticate: apiKey('session')
 */
export const apiKey = (service: ServiceName): Authenticator => {
  const known = cached({
    name: `applications/${service}`,
    read: applications(service).get,
    ttlMs: () => commonSettings['Access:CacheSeconds'] * 1000,
  });

  // The cache holds hashes of keys, not keys. A request is accepted by it, and never refused by it:
  //
  //   operator  |--revokes a key--|                           |--issues another--|
  //   calls                        accepted until it is read |                    accepted at once
  //
  // Timing: every refusal costs one read, whether the application is in the cache, in the store or nowhere.
  async function find(name: string, text: string) {
    for (;;) {
      const application = await known.get(name);
      const key = findAcceptedKey(application, text, Date.now());
      const mayBeOld = application !== undefined && used.has(application);
      if (application) used.add(application);
      if (key || !mayBeOld) return { application, key };
      known.drop(name);
    }
  }

  return {
    keyHeader: () => HEADER,
    schemes: { key: { type: 'apiKey', in: 'header', name: HEADER } },
    async identify(call) {
      const text = call.headers[HEADER.toLowerCase()] ?? '';
      const name = text.slice(0, Math.max(0, text.indexOf('|')));
      if (!APPLICATION_NAME.test(name)) return undefined;
      const { application, key } = await find(name, text);
      if (!application || !key) return undefined;
      const { permissions, registered } = application;
      return { application: name, keyId: key.id, permissions, registered };
    },
  };
};
