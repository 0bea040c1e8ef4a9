import { randomUUID } from 'node:crypto';
import { handler as beginHandler } from '../../../../functions/batch/identity-provider/endpoints/begin-idp-login.ts';
import { handler as callbackHandler } from '../../../../functions/batch/identity-provider/endpoints/complete-idp-login.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { type Answered, call, type Request } from '../../../requests/http-event.ts';
import { type Account, CLIENT } from '../../../servers/oidc/accounts.ts';

/** A browser at the service: it keeps the cookies that it is given, and sends them back. */
export function newVisitor() {
  const cookies = new Map<string, string>();
  const send = async (handler: Endpoint, request: Request = {}): Promise<Answered> => {
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { Accept: 'text/html', 'Accept-Language': 'en', ...(Cookie && { Cookie }) };
    const answer = await call(handler, {
      address: randomUUID(),
      ...request,
      headers: { ...headers, ...request.headers },
    });
    keep(cookies, answer.cookies);
    return answer;
  };
  const begin = (query: Record<string, string | string[]> = {}) => send(beginHandler, { query });
  /** The address at the provider that a new sign-in leads to. */
  const beginAt = async (returnUrl?: string): Promise<URL> => {
    const { headers } = await begin(returnUrl === undefined ? {} : { ReturnUrl: returnUrl });
    return new URL(headers.location ?? '');
  };
  const comeBack = (answer: URL) => {
    const names = [...new Set(answer.searchParams.keys())];
    const query = Object.fromEntries(names.map((name) => [name, answer.searchParams.getAll(name)]));
    return send(callbackHandler, { query });
  };
  return {
    cookies,
    send,
    begin,
    beginAt,
    /** Follows the provider's answer to the callback. */
    comeBack,
    /** Signs in from the beginning to the end. */
    signIn: async (account: Account, returnUrl?: string) =>
      comeBack(await answerOf(await beginAt(returnUrl), account)),
  };
}

/** Takes a browser of its own through the provider, as this person: the address that it is sent back to. */
export async function answerOf(authorization: URL, account: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(authorization);
  url.searchParams.set('login_hint', account);
  for (let steps = 0; steps < 10; steps++) {
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    const answer = await fetch(url, { redirect: 'manual', headers });
    keep(cookies, answer.headers.getSetCookie());
    const location = answer.headers.get('location');
    if (location === null)
      throw new Error(`${url.pathname} answered ${answer.status}: ${await answer.text()}`);
    url = new URL(location, url);
    if (CLIENT.callbacks.some((callback) => url.href.startsWith(callback))) return url;
  }
  throw new Error('The provider leads in circles.');
}

function keep(cookies: Map<string, string>, lines: readonly string[]): void {
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
}
