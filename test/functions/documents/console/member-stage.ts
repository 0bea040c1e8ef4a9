import { randomUUID } from 'node:crypto';
import { handler as showPage } from '../../../../functions/documents/console/endpoints/show-console-page.ts';
import { handler as showLogin } from '../../../../functions/documents/console/endpoints/show-login.ts';
import { handler as submitForm } from '../../../../functions/documents/console/endpoints/submit-console-form.ts';
import { handler as submitLogin } from '../../../../functions/documents/console/endpoints/submit-login.ts';
import { addMember, type InviteRequest } from '../../../../functions/documents/domain/members/members.ts';
import { ROLES, type Role } from '../../../../functions/documents/domain/members/permissions.ts';
import { logIn } from '../../../../functions/documents/domain/members/sessions.ts';
import { consoleVisits } from '../../../requests/console-visits.ts';
import { ownOrganization } from '../own-organization.ts';
import { callerFor } from '../sample-documents.ts';

export { sessionOf } from '../../../requests/console-visits.ts';

export const { visitorWith, atLogin } = consoleVisits('documents', {
  showPage,
  submitForm,
  showLogin,
  submitLogin,
});

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
