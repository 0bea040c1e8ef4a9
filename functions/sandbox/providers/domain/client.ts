import { createHash, timingSafeEqual } from 'node:crypto';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { providerErrors } from '../errors.ts';

/** The hub, as it is registered at every provider of the sandbox. */
const HUB = { id: 'sinete-hub', name: 'Sinete hub', secret: 'sinete-local-secret' } as const;

/** What the page calls whoever asks. @example clientName('sinete-hub') // 'Sinete hub' */
export const clientName = (id: string): string | undefined => (id === HUB.id ? HUB.name : undefined);

/** Registered as a whole: another path or a longer query is another address. */
export const isRegisteredRedirect = (uri: string): boolean =>
  uri === `${commonSettings['Http:PublicUrl']}/hub/api/sessions/callback`;

/** Refuses whoever is not the client that they say they are. @example checkClient(body.client_id, body.client_secret) */
export function checkClient(id = '', secret = ''): void {
  if (id !== HUB.id || !isSame(secret, HUB.secret)) throw providerErrors.refuse('invalid_client');
}

const isSame = (offered: string, expected: string): boolean =>
  timingSafeEqual(hashed(offered), hashed(expected));

const hashed = (text: string): Buffer => createHash('sha256').update(text).digest();
