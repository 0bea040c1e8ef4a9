import { cookieSessions } from '../../shared/access/cookie-sessions.ts';
import { settings } from './settings.ts';

const HOUR_MS = 3_600_000;

/** The sessions of operators who logged in with the key. Another key ends them all. */
export const operatorSessions = cookieSessions({
  service: 'batch',
  kind: 'operator',
  windowMs: () => settings['Auth:CookieHours'] * HOUR_MS,
  boundTo: () => settings['Auth:ApiKey'],
});
