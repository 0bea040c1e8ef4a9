import type { Caller } from '../../../shared/access/caller.ts';
import { cookieSessions } from '../../../shared/access/cookie-sessions.ts';
import { settings } from '../settings.ts';

const HOUR_MS = 3_600_000;

/** What a session knows of its operator: the address, where the identity provider gave one. */
type OperatorSession = { readonly by?: string };

/** The sessions of operators, by the key or by the identity provider. Another key, or another provider, ends them all. */
export const operatorSessions = cookieSessions<OperatorSession>({
  service: 'batch',
  kind: 'operator',
  windowMs: () => settings['Auth:CookieHours'] * HOUR_MS,
  boundTo: () => JSON.stringify([settings['Auth:ApiKey'], settings['Idp:Authority'] ?? '']),
});

/** The operator behind a cookie: by address where the identity provider gave one, so that events name the person. */
export async function operatorOf(value: string, nowMs: number): Promise<Caller | undefined> {
  const session = await operatorSessions.use(value, nowMs);
  if (!session) return undefined;
  return { application: session.by ?? 'operator', keyId: 'cookie', permissions: ['*'], registered: {} };
}
