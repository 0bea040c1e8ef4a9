import type { Cookie } from '../../../../shared/http/response/answer.ts';
import { settings } from '../../settings.ts';
import { basePath } from '../domain/return-path.ts';

/** The session in the cookies of a request. Of two cookies of the name the first counts, as browsers order them. */
export const sessionIn = (cookies: Readonly<Record<string, string | undefined>>): string | undefined =>
  cookies[settings['Auth:CookieName']];

/** It has no age: a browser keeps it until it closes, and the server decides how long the session lasts. */
export const sessionCookie = (value: string): Cookie => ({
  name: settings['Auth:CookieName'],
  value,
  path: basePath(),
});

/** Makes the browser forget the cookie. */
export const noSessionCookie = (): Cookie => ({ ...sessionCookie(''), maxAge: 0 });
