import { createHash, randomBytes } from 'node:crypto';
import { handler as authorize } from '../../../../functions/sandbox/providers/endpoints/authorize-at-provider.ts';
import { handler as decide } from '../../../../functions/sandbox/providers/endpoints/decide-at-provider.ts';
import { handler as discover } from '../../../../functions/sandbox/providers/endpoints/discover-provider-user.ts';
import { handler as issueClientToken } from '../../../../functions/sandbox/providers/endpoints/issue-provider-client-token.ts';
import { handler as issueToken } from '../../../../functions/sandbox/providers/endpoints/issue-provider-token.ts';
import { handler as listCertificates } from '../../../../functions/sandbox/providers/endpoints/list-provider-certificates.ts';
import { handler as sign } from '../../../../functions/sandbox/providers/endpoints/sign-at-provider.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { type Answered, call, type Request } from '../../../requests/http-event.ts';

export const CALLBACK = 'http://localhost:3000/hub/api/sessions/callback';
export const CLIENT = { client_id: 'sinete-hub', client_secret: 'sinete-local-secret' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

type Values = Readonly<Record<string, string | string[] | undefined>>;
export type Token = { access_token: string; expires_in: number; scope: string };

/** Values without those that are undefined: a test takes one away by naming it. */
const given = (values: Values): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** A client of a sandbox provider that does everything right, but for what a test says otherwise. */
export function clientOf(provider: 'alpha' | 'beta' | 'gamma') {
  const at = (handler: Endpoint, request: Request) => call(handler, { ...request, params: { provider } });
  const verifier = randomBytes(32).toString('base64url');
  const asked = (changed: Values = {}) =>
    given({
      response_type: 'code',
      client_id: CLIENT.client_id,
      redirect_uri: CALLBACK,
      state: 'state-1',
      scope: 'signature_session',
      lifetime: '300',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changed,
    });
  const posted = (fields: Values, sentAs: 'form' | 'json'): Request =>
    sentAs === 'json'
      ? { json: given(fields) }
      : { headers: FORM, body: new URLSearchParams(given(fields) as Record<string, string>).toString() };
  const usually = provider === 'beta' ? 'json' : 'form';
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  const self = {
    verifier,
    authorize: (changed: Values = {}, headers: Record<string, string> = {}) =>
      at(authorize, { query: asked(changed), headers }),
    decide: (decision: string, changed: Values = {}) =>
      at(decide, { query: asked(changed), headers: FORM, body: `decision=${decision}` }),
    exchange: (fields: Values, sentAs: 'form' | 'json' = usually) =>
      at(
        issueToken,
        posted(
          {
            grant_type: 'authorization_code',
            ...CLIENT,
            redirect_uri: CALLBACK,
            code_verifier: verifier,
            ...fields,
          },
          sentAs,
        ),
      ),
    clientToken: (fields: Values = {}, sentAs: 'form' | 'json' = usually) =>
      at(issueClientToken, posted({ grant_type: 'client_credentials', ...CLIENT, ...fields }, sentAs)),
    discover: (json: object, token?: string) =>
      at(discover, { json, ...(token !== undefined && { headers: bearer(token) }) }),
    certificates: (token: string, query: Record<string, string> = {}) =>
      at(listCertificates, { headers: bearer(token), query }),
    sign: (token: string, json: object) => at(sign, { json, headers: bearer(token) }),

    /** The code that an approval gives. */
    async code(changed: Values = {}): Promise<string> {
      return backWith(await self.decide('approve', changed)).code ?? '';
    },
    async token(changed: Values = {}): Promise<Token> {
      return (await self.exchange({ code: await self.code(changed) })).json() as Token;
    },
  };
  return self;
}

/** The values with which the browser goes back to the client, and to nobody else. */
export function backWith({ status, headers }: Answered): Record<string, string> {
  const { location = '' } = headers;
  if (status !== 302 || !location.startsWith(`${CALLBACK}?`))
    throw new Error(`Not sent back: ${status} ${location}`);
  return Object.fromEntries(new URL(location).searchParams);
}
