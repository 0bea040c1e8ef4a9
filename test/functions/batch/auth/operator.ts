import { randomUUID } from 'node:crypto';
import { handler as logIn } from '../../../../functions/batch/auth/endpoints/log-in.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { call, type Request } from '../../../requests/http-event.ts';

export const FORM = 'application/x-www-form-urlencoded';

type Fields = Readonly<Record<string, string>>;

/** Sends the form of a login, from an address of its own. */
export const sendLogin = (
  fields: Fields,
  headers: Readonly<Record<string, string>> = {},
  more: Request = {},
) =>
  call(logIn, {
    method: 'POST',
    path: '/batch/api/auth/login',
    address: randomUUID(),
    ...more,
    headers: { 'Content-Type': FORM, ...headers },
    body: String(new URLSearchParams(fields)),
  });

/** The value in a Set-Cookie header. */
export const cookieValue = (setCookie = ''): string => /^[^=]+=([^;]*)/.exec(setCookie)?.[1] ?? '';

/** The value of the cookie of a new session. */
export async function givenSession(): Promise<string> {
  const { cookies } = await sendLogin({ ApiKey: SANDBOX_KEY });
  return cookieValue(cookies[0]);
}

/** A request with the cookie of a session, from an address of its own. */
export const withCookie = (value: string, headers: Readonly<Record<string, string>> = {}) => ({
  headers: { Cookie: `lbs-auth=${value}`, ...headers },
  address: randomUUID(),
});
