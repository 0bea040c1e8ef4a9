import { randomUUID } from 'node:crypto';
import { handler as showPage } from '../../../../functions/credentials/console/endpoints/show-console-page.ts';
import { handler as showLogin } from '../../../../functions/credentials/console/endpoints/show-login.ts';
import { handler as submitForm } from '../../../../functions/credentials/console/endpoints/submit-console-form.ts';
import { handler as submitLogin } from '../../../../functions/credentials/console/endpoints/submit-login.ts';
import { memberChanges } from '../../../../functions/credentials/tenants/domain/members/members.ts';
import { sessions } from '../../../../functions/credentials/tenants/domain/members/sessions.ts';
import { ROLES, type Role } from '../../../../functions/credentials/tenants/roles.ts';
import type { InviteRequest } from '../../../../shared/members/change-members.ts';
import { consoleVisits } from '../../../requests/console-visits.ts';
import { ownTenant } from '../items/own-tenant.ts';

export { sessionOf } from '../../../requests/console-visits.ts';

export const { visitorWith, atLogin } = consoleVisits('credentials', {
  showPage,
  submitForm,
  showLogin,
  submitLogin,
});

/** A university with an institute and a member of each role, each of them logged in. */
export async function memberStage() {
  const tenant = await ownTenant();
  const { organizationId, caller } = tenant;
  const add = (more: Partial<InviteRequest<Role>> = {}) => {
    const email = `${randomUUID()}@members.example`;
    const request = { name: 'Ana', email, cpf: null, role: 'Registrar', ...more } as const;
    return memberChanges.addMember(caller, organizationId, request, Date.now());
  };
  const enter = async (email: string) => {
    const identity = { kind: 'email', value: email } as const;
    const session = await sessions.logIn({ identity, previous: undefined }, Date.now());
    if (session === undefined) throw new Error(`${email} is no member.`);
    return { session, ...visitorWith(session) };
  };
  const people = {} as Record<Role, Awaited<ReturnType<typeof enter>> & { readonly id: string }>;
  for (const role of ROLES) {
    const { id, email } = await add({ name: `The ${role}`, role });
    people[role] = { id, ...(await enter(email)) };
  }
  return { ...tenant, add, enter, people };
}
