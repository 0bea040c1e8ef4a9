import { randomUUID } from 'node:crypto';
import { handler as showPage } from '../../../../functions/documents/console/endpoints/show-console-page.ts';
import { handler as showLogin } from '../../../../functions/documents/console/endpoints/show-login.ts';
import { handler as submitForm } from '../../../../functions/documents/console/endpoints/submit-console-form.ts';
import { handler as submitLogin } from '../../../../functions/documents/console/endpoints/submit-login.ts';
import { addMember, type InviteRequest } from '../../../../functions/documents/domain/members/members.ts';
import { ROLES, type Role } from '../../../../functions/documents/domain/members/permissions.ts';
import { logIn } from '../../../../functions/documents/domain/members/sessions.ts';
import { call } from '../../../http-event.ts';
import { ownOrganization } from '../own-organization.ts';
import { callerFor } from '../sample-documents.ts';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'Accept-Language': 'en' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' };

/** A list where a field has several values. */
type Fields = Record<string, string> | [string, string][];
type Headers = Readonly<Record<string, string>>;

const bodyOf = (fields: Fields): string => String(new URLSearchParams(fields));

/** The pages and forms of the console for whoever has this cookie. */
export const visitorWith = (session: string) => ({
  show: (path: string, query: Record<string, string> = {}, headers: Headers = {}) =>
    call(showPage, {
      path: `/documents/console${path && `/${path}`}`,
      ...(path !== '' && { params: { path } }),
      query,
      headers: { ...BROWSER, Cookie: `sinete-member=${session}`, ...headers },
      address: randomUUID(),
    }),
  send: (path: string, fields: Fields = {}, headers: Headers = {}) =>
    call(submitForm, {
      method: 'POST',
      path: `/documents/console/${path}`,
      params: { path },
      headers: { ...BROWSER, ...FORM, Cookie: `sinete-member=${session}`, ...headers },
      body: bodyOf(fields),
      address: randomUUID(),
    }),
});

/** The log-in for a browser without a session. */
export const atLogin = {
  show: (step?: string, query: Record<string, string> = {}, headers: Headers = {}) =>
    call(showLogin, {
      path: `/documents/login${step ? `/${step}` : ''}`,
      ...(step && { params: { step } }),
      query,
      headers: { ...BROWSER, ...headers },
      address: randomUUID(),
    }),
  send: (step: string, fields: Fields = {}, headers: Headers = {}) =>
    call(submitLogin, {
      method: 'POST',
      path: `/documents/login/${step}`,
      params: { step },
      headers: { ...BROWSER, ...FORM, ...headers },
      body: bodyOf(fields),
      address: randomUUID(),
    }),
};

/** The session in the cookies of an answer. */
export const sessionOf = (cookies: readonly string[]): string =>
  /^sinete-member=([^;]*)/.exec(cookies.find((each) => each.startsWith('sinete-member=')) ?? '')?.[1] ?? '';

/** An organization with a member of each role, each of them logged in. */
export async function memberStage() {
  const { orgId, key } = await ownOrganization();
  const caller = callerFor(orgId);
  const add = (more: Partial<InviteRequest> = {}) => {
    const email = `${randomUUID()}@members.example`;
    return addMember(caller, orgId, { name: 'Ana', email, cpf: null, role: 'Member', ...more }, Date.now());
  };
  const enter = async (email: string) => {
    const identity = { kind: 'email', value: email } as const;
    const session = await logIn({ identity, previous: undefined }, Date.now());
    if (session === undefined) throw new Error(`${email} is no member.`);
    return { session, ...visitorWith(session) };
  };
  const people = {} as Record<Role, Awaited<ReturnType<typeof enter>> & { readonly id: string }>;
  for (const role of ROLES) {
    const { id, email } = await add({ name: `The ${role}`, role });
    people[role] = { id, ...(await enter(email)) };
  }
  return { orgId, key, caller, add, enter, people };
}
