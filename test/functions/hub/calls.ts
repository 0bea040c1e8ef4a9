import { createHash } from 'node:crypto';
import { handler as createService } from '../../../functions/hub/endpoints/create-service-session.ts';
import { handler as create } from '../../../functions/hub/endpoints/create-session.ts';
import { handler as availability } from '../../../functions/hub/endpoints/get-availability.ts';
import { handler as certificate } from '../../../functions/hub/endpoints/get-certificate.ts';
import { handler as certificateV2 } from '../../../functions/hub/endpoints/get-certificate-v2.ts';
import { handler as customState } from '../../../functions/hub/endpoints/get-custom-state.ts';
import { handler as list } from '../../../functions/hub/endpoints/list-services.ts';
import { handler as callback } from '../../../functions/hub/endpoints/receive-callback.ts';
import { handler as sign } from '../../../functions/hub/endpoints/sign-hash.ts';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { type Answered, call } from '../../requests/http-event.ts';

export const RETURN = 'http://localhost:9999/return';
export const CPF = '52998224725';
export const CNPJ = '11222333000181';

const keyed = (key: string = SANDBOX_KEY) => ({ headers: { 'X-Api-Key': key } });
type Query = Record<string, string>;

export const createSession = (body: object = {}, key?: string) =>
  call(create, { ...keyed(key), json: { redirectUri: RETURN, ...body } });
export const createAt = (name: string, body: object = {}, key?: string) =>
  call(createService, { ...keyed(key), params: { name }, json: { redirectUri: RETURN, ...body } });
export const listServices = (query: Query) => call(list, { ...keyed(), query });
export const availabilityAt = (name: string, query: Query, key?: string) =>
  call(availability, { ...keyed(key), params: { name }, query });
export const certificateOf = (session: string, key?: string) =>
  call(certificate, { ...keyed(key), query: { session } });
export const certificateV2Of = (session: string, key?: string) =>
  call(certificateV2, { ...keyed(key), query: { session } });
export const customStateOf = (session: string, key?: string) =>
  call(customState, { ...keyed(key), query: { session } });
export const signHash = (body: object, key?: string) => call(sign, { ...keyed(key), json: body });
export const comeBack = (query: Record<string, string | string[]>, headers: Query = {}) =>
  call(callback, { query, headers });

export const HASH = createHash('sha256').update('what is signed').digest();
/** A usual request to sign. */
export const toSign = (session: string, more: object = {}) => ({
  session,
  hash: HASH.toString('base64'),
  digestAlgorithm: 'SHA-256',
  ...more,
});

export type Service = { readonly serviceInfo: { serviceName: string }; readonly authUrl: string };
export const servicesIn = (answer: Answered): Service[] =>
  (answer.json() as { services: Service[] }).services;
export const namesIn = (answer: Answered): string[] =>
  servicesIn(answer).map(({ serviceInfo }) => serviceInfo.serviceName);

/** The holder decides at the provider: what the browser is sent back to the hub with. */
export async function decideAtProvider(
  authUrl: string,
  decision: 'approve' | 'deny' = 'approve',
): Promise<Query> {
  const answer = await fetch(authUrl, {
    method: 'POST',
    body: new URLSearchParams({ decision }),
    redirect: 'manual',
  });
  const location = answer.headers.get('location');
  if (!location) throw new Error(`The provider sent nobody back: ${answer.status} ${await answer.text()}`);
  return Object.fromEntries(new URL(location).searchParams);
}

/** What the application is given when its user is back. */
export const returnedQuery = (answer: Answered): Query =>
  Object.fromEntries(new URL(answer.headers.location ?? 'none:').searchParams);

/** The address at the provider for a new session there. */
export async function authUrlAt(name: string, body: object = {}, key?: string): Promise<string> {
  const answer = await createAt(name, body, key);
  if (answer.status !== 200) throw new Error(`No session was created: ${answer.text}`);
  return (answer.json() as Service).authUrl;
}

/** A session whose holder has approved. */
export async function aSession(body: object = {}, { at = 'alpha', key = SANDBOX_KEY } = {}): Promise<string> {
  const { session } = returnedQuery(await comeBack(await decideAtProvider(await authUrlAt(at, body, key))));
  if (!session) throw new Error('The user came back without a session.');
  return session;
}

/** Status and code of a refusal, or status and whatever else was answered. */
export const refusal = (answer: Answered): [number, unknown] => {
  const body: unknown = answer.bytes.length > 0 ? answer.json() : undefined;
  return [answer.status, (body as { code?: unknown } | undefined)?.code ?? body];
};
